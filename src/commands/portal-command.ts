import { Command } from 'commander';
import { createToken } from '../reservations/create-token.ts';
import { revokeToken } from '../reservations/revoke-token.ts';
import { listTokens } from '../reservations/tokens.ts';
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

export function portalCommand(): Command {
  const command = new Command('portal').description('the business portal, which reserves names for founders');
  command.addCommand(tokenCommand());
  return command;
}

function tokenCommand(): Command {
  const command = new Command('token').description('tokens of the portal; several are valid at once');

  changing(operating(command.command('create <name>'), createToken))
    .description('create a token and print it once; the name identifies its user, and is never used again')
    .option('--for <duration>', 'how long it is valid, as an ISO 8601 duration such as P1Y')
    .addHelpText('after', '\nExample: cadastre portal token create portal-2031 --for P1Y')
    .action(async (given: string, options: Operating & { for?: string }) => {
      const wanted = { name: given, duration: options.for };
      const { name, expiresAt, token } = await operate(createToken, wanted, options);
      const until = expiresAt ? `valid until ${expiresAt.toISOString()}` : 'valid until it is revoked';
      const secret = { said: ` Its token, which is not shown again: ${token}`, shown: { token } };
      printResult(options, `${name} is ${until}.`, { name, expiresAt }, secret);
    });

  withJson(command.command('list'))
    .description('every token there ever was, the newest first; what it is is not shown')
    .action(({ json }: Changing) =>
      withDatabase(async ({ sql: db, now }) => printRows(await listTokens(db, now), json)),
    );

  irreversible(operating(command.command('revoke <name>'), revokeToken))
    .description('revoke a token; every server notices within about a second')
    .action(async (name: string, options: Operating) => {
      await requireConfirmation(options, `The token ${name} is refused for good.`);
      await operate(revokeToken, { name }, options);
      printResult(options, `${name} is revoked.`, { name, revoked: true });
    });
  return command;
}
