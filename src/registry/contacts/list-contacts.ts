import type { Sql } from '../../platform/sql/executor.ts';
import { compactList, type Fragment, type Statement, sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Principal } from '../actor.ts';
import {
  endOfPage,
  ifShown,
  isAfter,
  type ListQuery,
  orderBy,
  type Position,
  readPosition,
  sortColumn,
  startsWith,
  withDescending,
  withOneMore,
} from '../listing.ts';
import { storedCount, withStoredCounts } from '../object-counts.ts';
import { searchKey } from './contact-fields.ts';
import { CONTACT_OBJECT, contactLinks } from './read-contact.ts';

export const CONTACT_COLUMNS = {
  code: { column: sql`code_key`, type: 'text' },
  name: { column: sql`name_key`, type: 'text' },
  created_at: { column: sql`created_at`, type: 'time' },
} as const;
type ContactSort = keyof typeof CONTACT_COLUMNS;
export const contactSorts = withDescending<ContactSort>('code', 'name', 'created_at');

export type ContactQuery = ListQuery<ContactSort> & {
  /** Only contacts whose name begins like this. */
  readonly namePrefix?: string | undefined;
  /** Only the contact with this code. */
  readonly code?: string | undefined;
};

type Row = { readonly contacts: string; readonly count: number; readonly next: string | null };
export type ContactList = Omit<Row, 'next'> & { readonly next: Position | undefined };

/** One page of a registrar's contacts as JSON text, with the number of all that match. */
export async function listContacts(
  db: Sql,
  query: ContactQuery,
  { contacts: { domainsShown } }: Policy,
  { registrarId }: Principal,
): Promise<ContactList> {
  const row = await withStoredCounts((hasCounts) =>
    db.one(listStatement(query, { registrarId, domainsShown, hasCounts })),
  );
  return { ...row, next: readPosition(row.next) };
}

/** Uses index-only scans; a prefix may match the code or the name. */
function matchingContacts(registrarId: number, { q, namePrefix, code }: ContactQuery): Fragment {
  const named =
    namePrefix === undefined ? sql`` : sql`and ${startsWith(sql`name_key`, searchKey(namePrefix))}`;
  const coded = code === undefined ? sql`` : sql`and code_key = ${searchKey(code)}`;
  const all = sql`select id, code, code_key, name_key, created_at from contacts where registrar_id = ${registrarId} ${named} ${coded}`;
  if (q === undefined) return sql`(${all}) as matching`;
  const prefix = searchKey(q);
  return sql`(${all} and ${startsWith(sql`code_key`, prefix)} union ${all} and ${startsWith(sql`name_key`, prefix)}) as matching`;
}

function listStatement(
  query: ContactQuery,
  {
    registrarId,
    domainsShown,
    hasCounts,
  }: { readonly registrarId: number; readonly domainsShown: number; readonly hasCounts: boolean },
): Statement<Row> {
  const { details, q, namePrefix, code, sort, after } = query;
  const { column, type } = sortColumn(sort, CONTACT_COLUMNS);
  const order = orderBy(sort, CONTACT_COLUMNS);
  const matching = matchingContacts(registrarId, query);
  const isWhole = q === undefined && namePrefix === undefined && code === undefined;
  const counted = sql`select count(*) from ${matching}`;
  const further = after ? sql`where ${isAfter(sort, CONTACT_COLUMNS, after)}` : sql``;
  return sql<Row>`
    with page as (
      select id, code, ${column} as key, row_number() over (order by ${order}) as position from ${matching} ${further}
      order by ${order} ${withOneMore(query)})
    select ${isWhole && hasCounts ? storedCount('contact', registrarId, counted) : sql`(${counted})`} as count,
      coalesce(${compactList(details ? CONTACT_OBJECT : sql`page.code`, sql`page.position`, ifShown(query))}, '[]')::text as contacts,
      ${endOfPage(query, type)} as next
    from page ${details ? sql`${WHOLE_ROW} ${contactLinks(domainsShown)}` : sql``}`;
}

const WHOLE_ROW = sql`cross join lateral (select * from contacts where id = page.id offset 0) as c`;
