import type { Fragment, Sql } from '../../platform/database/database.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Principal } from '../actor.ts';
import { searchKey } from './fields.ts';
import { contactLinks, contactObject } from './object.ts';

export const contactSorts = ['code', 'name', 'created_at', '-code', '-name', '-created_at'] as const;
export type ContactSort = (typeof contactSorts)[number];
export type ContactListQuery = {
  readonly limit: number;
  readonly offset: number;
  readonly details: boolean;
  readonly q?: string | undefined;
  readonly sort: ContactSort;
};
export type ContactList = { readonly contacts: string; readonly count: number };

/** One page of a registrar's contacts as JSON text, with the number of all that match. */
export async function listContacts(
  sql: Sql,
  query: ContactListQuery,
  policy: Policy,
  principal: Principal,
): Promise<ContactList> {
  const { limit, offset, details, q, sort } = query;
  const order = orderBy(sql, sort);
  const matching = sql`contacts where registrar_id = ${principal.registrarId} ${q ? startsWith(sql, q) : sql``}`;
  const [row] = await sql<ContactList[]>`
    with page as (
      select id, row_number() over (order by ${order}) as place
      from ${matching} order by ${order} limit ${limit} offset ${offset})
    select (select count(*) from ${matching}) as count,
      coalesce((
        select json_agg(${details ? contactObject(sql, policy) : sql`c.code`} order by page.place)
        from page cross join lateral (select * from contacts where id = page.id offset 0) as c ${details ? contactLinks(sql) : sql``}), '[]')::text as contacts`;
  return row ?? { contacts: '[]', count: 0 };
}

/** The last code point: whatever starts with \`q\` sorts before \`q\` followed by it. */
const LAST = '\u{10FFFF}';

function startsWith(sql: Sql, q: string): Fragment {
  const [from, until] = [searchKey(q), searchKey(q) + LAST];
  return sql`and ((code_key >= ${from} and code_key < ${until}) or (name_key >= ${from} and name_key < ${until}))`;
}

function orderBy(sql: Sql, sort: ContactSort): Fragment {
  switch (sort) {
    case 'code':
      return sql`code_key, id`;
    case '-code':
      return sql`code_key desc, id desc`;
    case 'name':
      return sql`name_key, id`;
    case '-name':
      return sql`name_key desc, id desc`;
    case 'created_at':
      return sql`created_at, id`;
    case '-created_at':
      return sql`created_at desc, id desc`;
  }
}
