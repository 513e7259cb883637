import { isAfter, orderBy, sortColumn, startsWith } from '../../platform/paging/order.ts';
import {
  columnOfPage,
  endOfPage,
  ifShown,
  type ListQuery,
  positionOf,
  withOneMore,
} from '../../platform/paging/list-page.ts';
import type { Position } from '../../platform/paging/position.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { compactList, type Fragment, type Statement, sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Principal } from '../actor.ts';
import { isShortPage } from '../list-turns.ts';
import { storedCount } from '../stored-counts.ts';
import { searchKey } from './contact-fields.ts';
import { joinLinks } from './contact-links.ts';
import { IS_LINKED } from './contact-members.ts';
import type { WrittenContact } from './read-contact.ts';

export const CONTACT_COLUMNS = {
  code: { column: sql`code_key`, type: 'text' },
  name: { column: sql`name_key`, type: 'text' },
  createdAt: { column: sql`created_at`, type: 'time' },
} as const;
type ContactSort = keyof typeof CONTACT_COLUMNS;

export type ContactQuery = ListQuery<ContactSort> & {
  /** Only the contact with this code. */
  readonly code?: string | undefined;
  readonly filters?: ContactFilters | undefined;
  /** How each is written; its code alone if absent. */
  readonly item?: WrittenContact | undefined;
};

/** Texts with wildcards are patterns of `ilike`. */
export type ContactFilters = {
  readonly nameLike?: string | undefined;
  readonly identLike?: string | undefined;
  readonly emailLike?: string | undefined;
  readonly identType?: string | undefined;
  readonly countryCode?: string | undefined;
  readonly createdFrom?: Date | undefined;
  readonly createdUntil?: Date | undefined;
  readonly updatedFrom?: Date | undefined;
  /** It has all of these. */
  readonly statuses?: readonly string[] | undefined;
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
  const row = await db.one(listStatement(query, { registrarId, domainsShown }));
  return { ...row, next: positionOf(row.next) };
}

/** Uses index-only scans; a prefix may match the code or the name. */
function matchingContacts(registrarId: number, { q, code, filters = {} }: ContactQuery): Fragment {
  const coded = code === undefined ? sql`` : sql`and code_key = ${searchKey(code)}`;
  const all = sql`select id, code, code_key, name_key, created_at from contacts c where registrar_id = ${registrarId} ${coded} ${conditionsOf(filters)}`;
  if (q === undefined) return sql`(${all}) as matching`;
  const prefix = searchKey(q);
  return sql`(${all} and ${startsWith(sql`code_key`, prefix)} union ${all} and ${startsWith(sql`name_key`, prefix)}) as matching`;
}

/** Of rows `c` of contacts. These read rows: only the incumbent's clients filter by them. */
function conditionsOf(filters: ContactFilters): Fragment {
  const { nameLike, identLike, emailLike, identType, countryCode } = filters;
  const { createdFrom, createdUntil, updatedFrom, statuses = [] } = filters;
  const conditions = [
    ...(nameLike === undefined ? [] : [sql`and c.name ilike ${nameLike}`]),
    ...(identLike === undefined ? [] : [sql`and c.ident ilike ${identLike}`]),
    ...(emailLike === undefined ? [] : [sql`and c.email ilike ${emailLike}`]),
    ...(identType === undefined ? [] : [sql`and c.ident_type = ${identType}`]),
    ...(countryCode === undefined ? [] : [sql`and c.country_code = ${countryCode}`]),
    ...(createdFrom === undefined ? [] : [sql`and c.created_at >= ${createdFrom}`]),
    ...(createdUntil === undefined ? [] : [sql`and c.created_at <= ${createdUntil}`]),
    ...(updatedFrom === undefined ? [] : [sql`and c.updated_at >= ${updatedFrom}`]),
    ...statuses.map((status) => sql`and ${hasStatus(status)}`),
  ];
  return conditions.reduce((all, one) => sql`${all} ${one}`, sql``);
}

function hasStatus(status: string): Fragment {
  if (status === 'ok') return sql`c.statuses = '{}'`;
  return status === 'linked' ? IS_LINKED : sql`c.statuses ? ${status}`;
}

const isOfAll = ({ q, code, filters }: ContactQuery): boolean =>
  q === undefined && code === undefined && filters === undefined;

const listsCodes = (query: ContactQuery): boolean => isOfAll(query) && !query.item;

/** Whether it takes no longer than a single contact. */
export const isShortList = (query: ContactQuery): boolean => listsCodes(query) && isShortPage(query);

function listStatement(
  query: ContactQuery,
  { registrarId, domainsShown }: { readonly registrarId: number; readonly domainsShown: number },
): Statement<Row> {
  const { item, sort, after } = query;
  const key = sortColumn(sort, CONTACT_COLUMNS);
  const order = orderBy(sort, CONTACT_COLUMNS);
  const matching = matchingContacts(registrarId, query);
  const isWhole = isOfAll(query);
  const counted = sql`select count(*) from ${matching}`;
  const countOf = isWhole ? storedCount('contact', registrarId, counted) : sql`(${counted})`;
  const further = after ? sql`where ${isAfter(sort, CONTACT_COLUMNS, after)}` : sql``;
  if (listsCodes(query)) {
    const codes = { column: sql`code`, rows: sql`${matching} ${further}`, order, key };
    return sql<Row>`
      select ${countOf} as count, shown.items as contacts, shown.next from (${columnOfPage(codes, query)}) as shown`;
  }
  return sql<Row>`
    with page as (
      select id, code, ${key.column} as key, row_number() over (order by ${order}) as position from ${matching} ${further}
      order by ${order} ${withOneMore(query)})
    select ${countOf} as count,
      coalesce(${compactList(item ? item.contact : sql`page.code`, sql`page.position`, ifShown(query))}, '[]')::text as contacts,
      ${endOfPage(query, key.type)} as next
    from page ${item ? WHOLE_ROW : sql``} ${item?.links ? joinLinks(domainsShown, item.links) : sql``}`;
}

const WHOLE_ROW = sql`cross join lateral (select * from contacts where id = page.id offset 0) as c`;
