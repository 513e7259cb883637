import { Command } from 'commander';
import { withDatabase } from '../app/with-database.ts';
import { moveBy } from '../platform/values/dates.ts';
import { newToken } from '../platform/values/token.ts';
import { policy } from '../policy/installed.ts';
import { createToken, listTokens, revokeToken } from '../reservations/tokens.ts';
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

export function portalCommand(): Command {
  const command = new Command('portal').description('the business portal, which reserves names for founders');
  command.addCommand(tokenCommand());
  return command;
}

function tokenCommand(): Command {
  const command = new Command('token').description('tokens of the portal; several are valid at once');

  changing(withReason(command.command('create <name>')))
    .description('create a token and print it once; the name identifies its user, and is never used again')
    .option('--for <duration>', 'how long it is valid, as an ISO 8601 duration such as P1Y')
    .addHelpText('after', '\nExample: cadastre portal token create portal-2031 --for P1Y')
    .action((name: string, options: Changing & { for?: string }) =>
      withDatabase(async ({ sql: db, now, change }) => {
        if (!/^[A-Za-z0-9._-]{1,64}$/.test(name))
          throw new CommandError('The name of a token has 1 to 64 letters, digits and . _ -');
        const expiresAt =
          options.for === undefined ? null : (moveBy(now, options.for, policy.timeZone) ?? now);
        if (expiresAt !== null && expiresAt <= now)
          throw new CommandError('--for is an ISO 8601 duration such as P1Y.');
        const token = newToken();
        if (!(await createToken(db, { name, token, expiresAt }, change(options.reason))))
          throw new CommandError(`There is, or was, a token ${name}; take another name.`);
        const until = expiresAt ? `valid until ${expiresAt.toISOString()}` : 'valid until it is revoked';
        const secret = { said: ` Its token, which is not shown again: ${token}`, shown: { token } };
        printResult(options, `${name} is ${until}.`, { name, expiresAt }, secret);
      }, options),
    );

  withJson(command.command('list'))
    .description('every token there ever was, the newest first; what it is is not shown')
    .action(({ json }: Changing) =>
      withDatabase(async ({ sql: db, now }) => printRows(await listTokens(db, now), json)),
    );

  irreversible(withReason(command.command('revoke <name>')))
    .description('revoke a token; every server notices within about a second')
    .action(async (name: string, options: Changing) => {
      await requireConfirmation(options, `The token ${name} is refused for good.`);
      await withDatabase(async ({ sql: db, change }) => {
        if (!(await revokeToken(db, name, change(options.reason))))
          throw new CommandError(`There is no token ${name} to revoke.`);
        printResult(options, `${name} is revoked.`, { name, revoked: true });
      }, options);
    });
  return command;
}
