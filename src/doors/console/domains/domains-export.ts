import type { FoundPage } from '../../../platform/paging/keyset-search.ts';
import { timeIn } from '../../../platform/values/dates.ts';
import {
  type DomainQuery,
  type ExportedDomain,
  exportDomains,
} from '../../../registry/domains/lists/search-domains.ts';
import { inListTurn } from '../../../registry/list-turns.ts';
import { csvLine } from '../../http/csv.ts';
import type { ConsoleExport, ConsoleParts, Visit } from '../console-page.ts';
import { readDomainQuery } from './domain-query.ts';

const PAGE = 500;
const COLUMNS = [
  'domain',
  'statuses',
  'created',
  'expires',
  'registrant',
  'registrant_name',
  'admin_contacts',
  'tech_contacts',
  'nameservers',
];

/** All domains of a filter, without transfer codes. */
export const domainsExport: ConsoleExport = {
  path: '/domains.csv',
  right: 'read',
  download: async (parts, visit, input) => {
    const { query } = readDomainQuery(input, visit, parts.policy);
    return (
      query && {
        fileName: 'domains.csv',
        type: 'text/csv; charset=utf-8',
        pieces: lines(parts, visit, query),
      }
    );
  },
};

/** Each page is a statement of its own, so that a slow client holds no connection. */
async function* lines(
  { database, policy: { timeZone } }: ConsoleParts,
  { principal }: Visit,
  { filter, order }: DomainQuery,
): AsyncGenerator<string> {
  let after: DomainQuery['after'];
  let isFirst = true;
  do {
    const query = { filter, order, after };
    const { rows, next }: FoundPage<ExportedDomain> = await inListTurn(
      database,
      principal,
      (db) => exportDomains(db, query, PAGE, principal),
      { admitted: !isFirst },
    );
    yield (isFirst ? csvLine(COLUMNS) : '') + rows.map((row) => lineOf(row, timeZone)).join('');
    [after, isFirst] = [next, false];
  } while (after);
}

const lineOf = (row: ExportedDomain, timeZone: string): string =>
  csvLine([
    row.name,
    row.statuses.join(' '),
    timeIn(timeZone, row.createdAt),
    timeIn(timeZone, row.expireTime),
    row.registrantCode,
    row.registrantName,
    row.adminContacts.join(' '),
    row.techContacts.join(' '),
    row.nameservers.join(' '),
  ]);
