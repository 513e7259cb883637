import { Command, Option } from 'commander';
import { liftForceDelete } from '../registry/domains/lift-force-delete.ts';
import { orderForceDelete } from '../registry/domains/order-force-delete.ts';
import { nameOf } from './terminal/arguments.ts';
import { changing, printResult } from './terminal/changing.ts';
import { type Operating, operate, operating } from './terminal/operate.ts';

const KINDS = { soft: 'soft', 'fast-track': 'fast track' } as const;
type OrderOptions = Operating & { readonly type: keyof typeof KINDS; readonly reason: string };

export function forceDeleteCommand(): Command {
  const command = new Command('force-delete').description(
    'take a domain away from its registrant, and take that back',
  );
  changing(
    operating(command.command('set <domain>'), orderForceDelete, {
      about: 'kept in history, and told to registrar and registrant unless --for-registrar is',
      isRequired: true,
    }),
  )
    .description(
      'it can be neither renewed nor transferred; fast-track deletes it in 46 days, soft 45 days after the next anniversary of its expiry',
    )
    .addOption(new Option('--type <type>', 'how').choices(Object.keys(KINDS)).makeOptionMandatory())
    .addHelpText(
      'after',
      '\nExample: cadastre force-delete set example.ee --type soft --reason "the e-mail address is invalid"',
    )
    .action(async (text: string, options: OrderOptions) => {
      const { type, reason, forRegistrar = reason } = options;
      const order = { name: nameOf(text), kind: KINDS[type], reason: forRegistrar };
      const { name, begins, lastDay } = await operate(orderForceDelete, order, options);
      printResult(
        options,
        begins === null
          ? `${name} is under force delete: it cannot be renewed, and goes after its expiry.`
          : `${name} is under force delete: it begins on ${begins}, the domain goes on ${lastDay}.`,
        { name, begins, goes: lastDay },
      );
    });
  changing(operating(command.command('lift <domain>'), liftForceDelete))
    .description('the domain is as it was before')
    .action(async (text: string, options: Operating) => {
      const { name, statuses } = await operate(liftForceDelete, { name: nameOf(text) }, options);
      printResult(options, `${name} is not under force delete any more.`, { name, statuses });
    });
  return command;
}
