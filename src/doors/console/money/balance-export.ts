import type { FoundPage } from '../../../platform/paging/keyset-search.ts';
import { timeIn } from '../../../platform/values/dates.ts';
import { toDecimal } from '../../../platform/values/money.ts';
import type { Policy } from '../../../policy/policy.ts';
import { inListTurn } from '../../../registry/list-turns.ts';
import {
  exportTransactions,
  type Transaction,
  type TransactionQuery,
} from '../../../registry/registrars/find-transactions.ts';
import { csvLine } from '../../http/csv.ts';
import type { ConsoleExport, ConsoleParts, Visit } from '../console-page.ts';
import { readTransactionQuery } from './balance-query.ts';

const PAGE = 500;
const TYPE = 'text/csv; charset=utf-8';
/** New ones are added at the end: programs read these files. */
const COLUMNS = [
  'time',
  'kind',
  'description',
  'sum',
  'balance',
  'currency',
  'invoice',
  'domain',
  'months',
  'customer',
  'customer_name',
  'by',
  'request_id',
];

/** All transactions of a filter. */
export const balanceExport: ConsoleExport = {
  path: '/balance.csv',
  right: 'money',
  download: async (parts, visit, input) => {
    const { query } = readTransactionQuery(input, parts.policy, visit);
    return query && { fileName: 'transactions.csv', type: TYPE, pieces: lines(parts, visit, query) };
  },
};

/** Each page is a statement of its own, so that a slow client holds no connection. */
async function* lines(
  { database, policy }: ConsoleParts,
  { principal, may }: Visit,
  { filter }: TransactionQuery,
): AsyncGenerator<string> {
  let after: TransactionQuery['after'];
  let isFirst = true;
  do {
    const query = { filter, after };
    const { rows, next }: FoundPage<Transaction> = await inListTurn(
      database,
      principal,
      (db) => exportTransactions(db, query, PAGE, principal, policy),
      { admitted: !isFirst },
    );
    yield (isFirst ? csvLine(COLUMNS) : '') + rows.map((row) => lineOf(row, policy, may('read'))).join('');
    [after, isFirst] = [next, false];
  } while (after);
}

/** Who the customers are is told to those who may see them. */
const lineOf = (row: Transaction, { currency, timeZone }: Policy, seesCustomers: boolean): string =>
  csvLine([
    timeIn(timeZone, row.at),
    row.kind,
    row.description,
    toDecimal(BigInt(row.sum)),
    toDecimal(BigInt(row.balance)),
    currency,
    String(row.invoiceNumber ?? ''),
    row.charged?.domain ?? '',
    String(row.charged?.months ?? ''),
    (seesCustomers && row.charged?.registrant) || '',
    (seesCustomers && row.charged?.registrantName) || '',
    row.actor ?? '',
    row.requestId ?? '',
  ]);
