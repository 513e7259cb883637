import { Command } from 'commander';
import { withDatabase } from '../app/with-database.ts';
import { toDecimal } from '../platform/values/money.ts';
import { policy } from '../policy/installed.ts';
import { formatLocalTime } from '../registry/domains/periods.ts';
import { differences, type HistoryRow, readHistory } from '../registry/history/history.ts';
import { parseDomainName } from '../registry/names/name.ts';
import { type Changing, withJson } from './terminal/changing.ts';
import { CommandError, print, printJson } from './terminal/output.ts';

export function historyCommand(): Command {
  return withJson(new Command('history'))
    .description(
      'the whole life of a domain, or of a contact, a registrar, a user or a zone: what happened when, by whom and why',
    )
    .argument(
      '<name>',
      'a domain name, the code of a contact or a registrar, a username, the email address of a person, a zone, or the name of a portal token, a requester of look-ups, a DNS secondary or its key; the number, id or name of an invoice, a payment, a bank entry, a statement, a mail, a message or a job; or the word installation',
    )
    .action((text: string, { json }: Changing) =>
      withDatabase(async ({ sql: db }) => {
        const domain = parseDomainName(text, policy)?.unicode;
        const rows = domain
          ? await readHistory(db, ['domain', 'name', 'zone'], domain)
          : await readHistory(
              db,
              [
                ...['contact', 'registrar', 'user', 'zone', 'person', 'invitation'],
                ...['portal token', 'look-up requester', 'dns secondary', 'dns key'],
                ...[
                  'invoice',
                  'payment',
                  'bank entry',
                  'bank statement',
                  'mail',
                  'delivery',
                  'job',
                  'installation',
                ],
              ],
              text,
            );
        if (rows.length === 0) throw new CommandError(`Nothing has ever happened to ${domain ?? text}.`);
        if (json) printJson(rows);
        else print(rows.map(formatEntry).join('\n\n'));
      }),
    );
}

function formatEntry(row: HistoryRow): string {
  const { at, operation, actor, registrar, reason, requestId, charged } = row;
  // An operator belongs to no registrar, so the object's registrar is not appended.
  const by = registrar && !actor.startsWith('operator:') ? `${actor} of ${registrar}` : actor;
  return [
    `${formatLocalTime(at, policy)}  ${operation}, by ${by}${charged ? `, charged ${toDecimal(BigInt(charged))} ${policy.currency}` : ''}`,
    ...(reason ? [`why: ${reason}`] : []),
    ...differences(row),
    ...(requestId ? [`request ${requestId}`] : []),
  ].join('\n    ');
}
