import { Command } from 'commander';
import { sql } from '../platform/sql/statement.ts';
import { policy } from '../policy/installed.ts';
import { type Changing, withJson } from './terminal/changing.ts';
import { printRows } from './terminal/output.ts';
import { withDatabase } from './terminal/with-database.ts';
import { addControlCommands } from './zone-controls.ts';
import { addPublicationCommands } from './zone-publication.ts';
import { addRebuildCommand } from './zone-rebuild-command.ts';

export function zoneCommand(): Command {
  const command = new Command('zone').description(
    'the zones of the registry, which are part of the policy file, and what is published in them',
  );
  withJson(command.command('list'))
    .description('all zones, with the number of their domains and prices')
    .action(({ json }: Changing) =>
      withDatabase(async ({ sql: db }) => {
        const origins = policy.zones.map(({ origin }) => origin);
        const rows = await db.rows(sql<{ zone: string; domains: number; prices: number }>`
          select zone, (select count(*) from domains d where d.zone = z.zone) as domains, (select count(*) from prices p where p.zone = z.zone) as prices
          from unnest(${origins}::text[]) with ordinality as z(zone, position) order by position`);
        printRows(
          rows.map((row) => ({
            ...row,
            suggested: policy.zones.some(({ origin, suggest }) => origin === row.zone && suggest)
              ? 'yes'
              : 'no',
          })),
          json,
        );
      }),
    );
  addPublicationCommands(command);
  addRebuildCommand(command);
  addControlCommands(command);
  return command;
}
