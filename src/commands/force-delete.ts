import { Command, Option } from 'commander';
import { type Domain, lastDayOf } from '../registry/domains/domain.ts';
import { liftForceDelete, orderForceDelete } from '../registry/domains/force-delete.ts';
import { changeDomain } from './change-domain.ts';
import { type Changing, changing, printResult, withReason } from './terminal/changing.ts';

const KINDS = { soft: 'soft', 'fast-track': 'fast track' } as const;

export function forceDeleteCommand(): Command {
  const command = new Command('force-delete').description(
    'take a domain away from its registrant, and take that back',
  );
  changing(command.command('set <domain>'))
    .description(
      'it can be neither renewed nor transferred; fast-track deletes it in 46 days, soft 45 days after the next anniversary of its expiry',
    )
    .addOption(new Option('--type <type>', 'how').choices(Object.keys(KINDS)).makeOptionMandatory())
    .requiredOption('--reason <text>', 'told to registrar and registrant, and kept in history')
    .addHelpText(
      'after',
      '\nExample: cadastre force-delete set example.ee --type soft --reason "the e-mail address is invalid"',
    )
    .action(async (text: string, options: Changing & { type: keyof typeof KINDS; reason: string }) => {
      const { type, reason } = options;
      const ordered = await changeDomain(
        text,
        (domain, context) => orderForceDelete(domain, { kind: KINDS[type], reason }, context),
        {
          ...options,
          refused: ({ name: domainName, statuses }) =>
            'deleteCandidate' in statuses
              ? `${domainName} is about to be deleted anyway.`
              : `${domainName} is under ${type} force delete already; lift it first to order it again.`,
        },
      );
      const { name, forceDelete } = ordered;
      printResult(
        options,
        forceDelete?.start
          ? `${name} is under force delete: it begins on ${forceDelete.start}, the domain goes on ${lastDayOf(ordered)}.`
          : `${name} is under force delete: it cannot be renewed, and goes after its expiry.`,
        { name, begins: forceDelete?.start ?? null, goes: forceDelete?.start ? lastDayOf(ordered) : null },
      );
    });
  changing(withReason(command.command('lift <domain>')))
    .description('the domain is as it was before')
    .action(async (text: string, options: Changing) => {
      const refused = ({ name: domainName }: Domain) => `${domainName} is not under force delete.`;
      const { name, statuses } = await changeDomain(text, liftForceDelete, { ...options, refused });
      printResult(options, `${name} is not under force delete any more.`, {
        name,
        statuses: Object.keys(statuses),
      });
    });
  return command;
}
