import type { Fragment, Sql } from '../../platform/database/database.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Principal } from '../actor.ts';
import { bothWays, type ListQuery, orderBy, startsWith } from '../listing.ts';
import { searchKey } from './fields.ts';
import { contactLinks, contactObject } from './object.ts';

const COLUMNS = { code: 'code_key', name: 'name_key', created_at: 'created_at' } as const;
type ContactSort = keyof typeof COLUMNS;
export const contactSorts = bothWays<ContactSort>('code', 'name', 'created_at');

export type ContactList = { readonly contacts: string; readonly count: number };

/** One page of a registrar's contacts as JSON text, with the number of all that match. */
export async function listContacts(
  sql: Sql,
  query: ListQuery<ContactSort>,
  policy: Policy,
  principal: Principal,
): Promise<ContactList> {
  const { limit, offset, details, q, sort } = query;
  const order = orderBy(sql, sort, COLUMNS);
  const matching = matchingContacts(sql, principal, q);
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

/** What the list is made of, from indexes alone; a prefix may be one of the code or of the name. */
function matchingContacts(sql: Sql, { registrarId }: Principal, q: string | undefined): Fragment {
  const columns = sql`select id, code_key, name_key, created_at from contacts where registrar_id = ${registrarId}`;
  if (!q) return sql`(${columns}) as matching`;
  return sql`(
    ${columns} and ${startsWith(sql, 'code_key', searchKey(q))}
    union
    ${columns} and ${startsWith(sql, 'name_key', searchKey(q))}) as matching`;
}
