import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { Command, Option } from 'commander';
import { withDatabase } from '../app/with-database.ts';
import { normaliseAddress } from '../platform/values/ip-addresses.ts';
import { addSecondary, listSecondaries, removeSecondary } from '../registry/secondaries/secondaries.ts';
import {
  createSecondaryKey,
  type KeyAlgorithm,
  listSecondaryKeys,
  MAX_VALID_KEYS,
  revokeSecondaryKey,
} from '../registry/secondaries/secondary-keys.ts';
import {
  type Changing,
  changing,
  irreversible,
  printResult,
  requireConfirmation,
  withJson,
  withReason,
} from './terminal/changing.ts';
import { CommandError, printRows } from './terminal/output.ts';

/** As long as the hash (RFC 8945, 8). */
const SECRET_BYTES: Readonly<Record<KeyAlgorithm, number>> = { 'hmac-sha256': 32, 'hmac-sha512': 64 };

export function dnsCommand(): Command {
  const command = new Command('dns').description('DNS servers that transfer the zones, and their keys');
  command.addCommand(secondaryCommand());
  command.addCommand(keyCommand());
  return command;
}

function secondaryCommand(): Command {
  const command = new Command('secondary').description('servers that transfer the zones, such as the signer');

  changing(withReason(command.command('add <name> <address>')))
    .description('add a server; it is told of changes, and may transfer the zones once it has a key')
    .option('--port <number>', 'where it listens for NOTIFY', '53')
    .addHelpText('after', '\nExample: cadastre dns secondary add signer 192.0.2.53')
    .action((name: string, text: string, options: Changing & { port: string }) =>
      withDatabase(async ({ sql: db, change }) => {
        requireName(name);
        const [address, port] = [normaliseAddress(text), Number(options.port)];
        if (isIP(address) === 0) throw new CommandError(`${text} is no IP address.`);
        if (!Number.isInteger(port) || port < 1 || port > 65_535)
          throw new CommandError('--port is a number from 1 to 65535.');
        if (!(await addSecondary(db, { name, address, port }, change(options.reason))))
          throw new CommandError(`There is a secondary ${name} already.`);
        const next = `Create a key for it: cadastre dns key create NAME --secondary ${name}`;
        printResult(options, `${name} is added. ${next}`, { name, address, port });
      }, options),
    );

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

  irreversible(withReason(command.command('remove <name>')))
    .description('remove a server and revoke its keys; it is refused within about a second')
    .action(async (name: string, options: Changing) => {
      await requireConfirmation(options, `${name} may transfer no zone any more, and its keys are deleted.`);
      await withDatabase(async ({ sql: db, change }) => {
        if (!(await removeSecondary(db, name, change(options.reason))))
          throw new CommandError(`There is no secondary ${name}.`);
        printResult(options, `${name} is removed.`, { name, removed: true });
      }, options);
    });
  return command;
}

function keyCommand(): Command {
  const command = new Command('key').description('keys (TSIG) of secondaries; two of each are valid at once');

  changing(withReason(command.command('create <name>')))
    .description('create a key and print it once; the name is never used again')
    .requiredOption('--secondary <name>', 'whose key it is')
    .addOption(
      new Option('--algorithm <name>', 'how it signs')
        .choices(Object.keys(SECRET_BYTES))
        .default('hmac-sha256'),
    )
    .addHelpText('after', '\nExample: cadastre dns key create signer-2031 --secondary signer')
    .action((name: string, options: Changing & { secondary: string; algorithm: KeyAlgorithm }) =>
      withDatabase(async ({ sql: db, change }) => {
        requireName(name);
        const { secondary, algorithm, reason } = options;
        const secret = randomBytes(SECRET_BYTES[algorithm]);
        const outcome = await db.begin((changes) =>
          createSecondaryKey(changes, { name, secondary, algorithm, secret }, change(reason)),
        );
        if (outcome === 'no such secondary') throw new CommandError(`There is no secondary ${secondary}.`);
        if (outcome === 'name was used')
          throw new CommandError(`There is, or was, a key ${name}; take another name.`);
        if (outcome === 'too many')
          throw new CommandError(
            `${secondary} has ${MAX_VALID_KEYS} valid keys; revoke the one that it no longer uses.`,
          );
        const text = secret.toString('base64');
        const created = { said: ` Its secret, which is not shown again: ${text}`, shown: { secret: text } };
        printResult(
          options,
          `${secondary} may sign with ${name} (${algorithm}).`,
          { name, secondary, algorithm },
          created,
        );
      }, options),
    );

  withJson(command.command('list'))
    .description('every key there ever was, the newest first; secrets are not shown')
    .action(({ json }: Changing) =>
      withDatabase(async ({ sql: db }) => printRows(await listSecondaryKeys(db), json)),
    );

  irreversible(withReason(command.command('revoke <name>')))
    .description('revoke a key and delete its secret; it is refused within about a second')
    .action(async (name: string, options: Changing) => {
      await requireConfirmation(options, `Requests with the key ${name} are refused for good.`);
      await withDatabase(async ({ sql: db, change }) => {
        if (!(await revokeSecondaryKey(db, name, change(options.reason))))
          throw new CommandError(`There is no key ${name} to revoke.`);
        printResult(options, `${name} is revoked.`, { name, revoked: true });
      }, options);
    });
  return command;
}

function requireName(name: string): void {
  if (!/^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/.test(name) || name.includes('..'))
    throw new CommandError('A name has 1 to 63 lower-case letters, digits, - and . between them.');
}
