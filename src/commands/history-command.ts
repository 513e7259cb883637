import { Command } from 'commander';
import type { Sql } from '../platform/sql/executor.ts';
import { toDecimal } from '../platform/values/money.ts';
import { policy } from '../policy/installed.ts';
import { formatLocalTime } from '../registry/domains/rules/periods.ts';
import {
  differences,
  type HistoryRow,
  type NamedHistoryRow,
  readHistory,
  readHistoryOfCase,
} from '../registry/history/read-history.ts';
import { parseDomainName } from '../registry/names/name.ts';
import { type Changing, withJson } from './terminal/changing.ts';
import { CommandError, print, printJson } from './terminal/output.ts';
import { withDatabase } from './terminal/with-database.ts';

export function historyCommand(): Command {
  return withJson(new Command('history'))
    .description(
      'the whole life of a domain, or of a contact, a registrar, a user or a zone: what happened when, by whom and why',
    )
    .argument(
      '[name]',
      'a domain name, the code of a contact or a registrar, a username, the email address of a person, a zone, or the name of an authority, a portal token, a requester of look-ups, a DNS secondary or its key; the number, id or name of an invoice, a payment, a bank entry, a statement, a mail, a message or a job; or the word installation',
    )
    .option('--case <number>', 'everything that was done in a case, instead of what happened to an object')
    .action((name: string | undefined, { case: caseNumber, json }: Options, command: Command) => {
      if (name === undefined && caseNumber === undefined)
        command.error("error: missing required argument 'name'");
      if (name !== undefined && caseNumber !== undefined)
        throw new CommandError('Name an object or a case, not both.');
      return withDatabase(async ({ sql: db }) => {
        const rows =
          caseNumber === undefined ? await readObject(db, name ?? '') : await readCase(db, caseNumber);
        if (json) printJson(rows);
        else print(rows.map(formatEntry).join('\n\n'));
      });
    });
}

async function readObject(db: Sql, text: string): Promise<HistoryRow[]> {
  const domain = parseDomainName(text, policy)?.unicode;
  const rows = domain
    ? await readHistory(db, ['domain', 'name', 'zone'], domain)
    : await readHistory(db, OTHER_KINDS, text);
  if (rows.length === 0) throw new CommandError(`Nothing has ever happened to ${domain ?? text}.`);
  return rows;
}

async function readCase(db: Sql, caseNumber: string): Promise<NamedHistoryRow[]> {
  const rows = await readHistoryOfCase(db, caseNumber);
  if (rows.length === 0) throw new CommandError(`Nothing was ever done in case ${caseNumber}.`);
  return rows;
}

const OTHER_KINDS = [
  'contact',
  'registrar',
  'user',
  'zone',
  'person',
  'invitation',
  'authority',
  'portal token',
  'look-up requester',
  'dns secondary',
  'dns key',
  'invoice',
  'payment',
  'bank entry',
  'bank statement',
  'mail',
  'delivery',
  'job',
  'installation',
];

type Options = Changing & { readonly case?: string };

function formatEntry(row: HistoryRow | NamedHistoryRow): string {
  const { at, operation, actor, registrar, requestId, charged } = row;
  // An operator belongs to no registrar, so the object's registrar is not appended.
  const by = registrar && !actor.startsWith('operator:') ? `${actor} of ${registrar}` : actor;
  return [
    `${formatLocalTime(at, policy)}  ${operation}, by ${by}${charged ? `, charged ${toDecimal(BigInt(charged))} ${policy.currency}` : ''}`,
    ...('name' in row ? [`${row.object} ${row.name}`] : []),
    ...reasonLines(row),
    ...differences(row),
    ...(requestId ? [`request ${requestId}`] : []),
  ].join('\n    ');
}

const reasonLines = ({ reason, reasonCode, reasonForRegistrar, caseNumber }: HistoryRow): string[] => [
  ...(reason ? [`why: ${reason}`] : []),
  ...(reasonCode ? [`reason: ${reasonCode}`] : []),
  ...(reasonForRegistrar ? [`told to the registrar: ${reasonForRegistrar}`] : []),
  ...(caseNumber ? [`case ${caseNumber}`] : []),
];
