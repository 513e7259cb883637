import { Command } from 'commander';
import { endSessions } from '../registry/sessions/end-sessions.ts';
import { listSessions } from '../registry/sessions/list-sessions.ts';
import {
  type Changing,
  irreversible,
  printResult,
  requireConfirmation,
  withJson,
} from './terminal/changing.ts';
import { type Operating, operate, operating } from './terminal/operate.ts';
import { CommandError, printRows } from './terminal/output.ts';
import { withDatabase } from './terminal/with-database.ts';

export function eppCommand(): Command {
  const command = new Command('epp').description('EPP sessions of registrars: list and end them');

  withJson(command.command('sessions'))
    .description('who is logged in, on all servers; the oldest session first')
    .option('--registrar <code>', 'only those of this registrar')
    .action(({ registrar, json }: Changing & { registrar?: string }) =>
      withDatabase(async ({ sql: db }) => {
        const rows = await listSessions(db, registrar);
        printRows(json ? rows : rows.map(({ userAgent: _, ...shown }) => shown), json);
      }),
    );

  irreversible(operating(command.command('end [id]'), endSessions))
    .description('end a session, or all of a registrar, within seconds; they may log in again')
    .option('--registrar <code>', 'all sessions of this registrar')
    .addHelpText('after', '\nExample: cadastre epp end --registrar GAMMA --yes')
    .action(async (id: string | undefined, options: Operating & { registrar?: string }) => {
      const { registrar } = options;
      if ((id === undefined) === (registrar === undefined))
        throw new CommandError('Name one session by its id, or a registrar with --registrar.');
      const which = id === undefined ? `All EPP sessions of ${registrar} end` : `EPP session ${id} ends`;
      await requireConfirmation(options, `${which} after the command in progress.`);
      const wanted = id === undefined ? { registrar: registrar ?? '' } : { id };
      const { ended } = await operate(endSessions, wanted, options);
      const users = [...new Set(ended.map(({ user }) => user))].join(', ');
      const sentence =
        ended.length === 1 ? `1 session of ${users} ends` : `${ended.length} sessions of ${users} end`;
      printResult(options, `${sentence} within seconds.`, { ended: ended.map((session) => session.id) });
    });
  return command;
}
