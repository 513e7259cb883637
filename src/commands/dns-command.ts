import { Command, Option } from 'commander';
import { addSecondary } from '../registry/secondaries/add-secondary.ts';
import { createSecondaryKey } from '../registry/secondaries/create-secondary-key.ts';
import {
  type KeyAlgorithm,
  keyAlgorithms,
  listSecondaryKeys,
} from '../registry/secondaries/list-secondary-keys.ts';
import { removeSecondary } from '../registry/secondaries/remove-secondary.ts';
import { revokeSecondaryKey } from '../registry/secondaries/revoke-secondary-key.ts';
import { listSecondaries } from '../registry/secondaries/list-secondaries.ts';
import {
  type Changing,
  changing,
  irreversible,
  printResult,
  requireConfirmation,
  withJson,
} from './terminal/changing.ts';
import { type Operating, operate, operating } from './terminal/operate.ts';
import { printRows } from './terminal/output.ts';
import { withDatabase } from './terminal/with-database.ts';

export function dnsCommand(): Command {
  const command = new Command('dns').description('DNS servers that transfer the zones, and their keys');
  command.addCommand(secondaryCommand());
  command.addCommand(keyCommand());
  return command;
}

function secondaryCommand(): Command {
  const command = new Command('secondary').description('servers that transfer the zones, such as the signer');

  changing(operating(command.command('add <name> <address>'), addSecondary))
    .description('add a server; it is told of changes, and may transfer the zones once it has a key')
    .option('--port <number>', 'where it listens for NOTIFY', '53')
    .addHelpText('after', '\nExample: cadastre dns secondary add signer 192.0.2.53')
    .action(async (given: string, text: string, options: Operating & { port: string }) => {
      const wanted = { name: given, address: text, port: Number(options.port) };
      const { name, address, port } = await operate(addSecondary, wanted, options);
      const next = `Create a key for it: cadastre dns key create NAME --secondary ${name}`;
      printResult(options, `${name} is added. ${next}`, { name, address, port });
    });

  withJson(command.command('list'))
    .description('every secondary, with its valid keys and the serials that it has')
    .action(({ json }: Changing) =>
      withDatabase(async ({ sql: db }) => {
        const rows = (await listSecondaries(db)).map(({ serials, ...row }) => ({
          ...row,
          serials: Object.entries(serials).map(([zone, serial]) => `${zone} ${serial ?? 'unknown'}`),
        }));
        printRows(rows, json);
      }),
    );

  irreversible(operating(command.command('remove <name>'), removeSecondary))
    .description('remove a server and revoke its keys; it is refused within about a second')
    .action(async (name: string, options: Operating) => {
      await requireConfirmation(options, `${name} may transfer no zone any more, and its keys are deleted.`);
      await operate(removeSecondary, { name }, options);
      printResult(options, `${name} is removed.`, { name, removed: true });
    });
  return command;
}

function keyCommand(): Command {
  const command = new Command('key').description('keys (TSIG) of secondaries; two of each are valid at once');

  changing(operating(command.command('create <name>'), createSecondaryKey))
    .description('create a key and print it once; the name is never used again')
    .requiredOption('--secondary <name>', 'whose key it is')
    .addOption(
      new Option('--algorithm <name>', 'how it signs').choices([...keyAlgorithms]).default('hmac-sha256'),
    )
    .addHelpText('after', '\nExample: cadastre dns key create signer-2031 --secondary signer')
    .action(async (given: string, options: Operating & { secondary: string; algorithm: KeyAlgorithm }) => {
      const wanted = { name: given, secondary: options.secondary, algorithm: options.algorithm };
      const { name, secondary, algorithm, secret } = await operate(createSecondaryKey, wanted, options);
      printResult(
        options,
        `${secondary} may sign with ${name} (${algorithm}).`,
        { name, secondary, algorithm },
        { said: ` Its secret, which is not shown again: ${secret}`, shown: { secret } },
      );
    });

  withJson(command.command('list'))
    .description('every key there ever was, the newest first; secrets are not shown')
    .action(({ json }: Changing) =>
      withDatabase(async ({ sql: db }) => printRows(await listSecondaryKeys(db), json)),
    );

  irreversible(operating(command.command('revoke <name>'), revokeSecondaryKey))
    .description('revoke a key and delete its secret; it is refused within about a second')
    .action(async (name: string, options: Operating) => {
      await requireConfirmation(options, `Requests with the key ${name} are refused for good.`);
      await operate(revokeSecondaryKey, { name }, options);
      printResult(options, `${name} is revoked.`, { name, revoked: true });
    });
  return command;
}
