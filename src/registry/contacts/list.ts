import type { Sql } from '../../platform/database/database.ts';
import { remembered, statement } from '../../platform/database/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Principal } from '../actor.ts';
import { bothWays, type ListQuery, orderBy, prefixRange, startsWith } from '../listing.ts';
import { searchKey } from './fields.ts';
import { CONTACT_LINKS, CONTACT_OBJECT } from './object.ts';

const COLUMNS = { code: 'code_key', name: 'name_key', created_at: 'created_at' } as const;
type ContactSort = keyof typeof COLUMNS;
export const contactSorts = bothWays<ContactSort>('code', 'name', 'created_at');

export type ContactList = { readonly contacts: string; readonly count: number };

/** One page of a registrar's contacts as JSON text, with the number of all that match. */
export async function listContacts(
  sql: Sql,
  { limit, offset, details, q, sort }: ListQuery<ContactSort>,
  { contacts: { domainsShown } }: Policy,
  { registrarId }: Principal,
): Promise<ContactList> {
  const list = listStatement(details, q !== undefined, sort);
  const [row] = await list(sql, {
    registrarId,
    limit,
    offset,
    domainsShown,
    ...prefixRange(q && searchKey(q)),
  });
  return row ?? { contacts: '[]', count: 0 };
}

/** What the list is made of, from indexes alone; a prefix may be one of the code or of the name. */
const ALL = 'select id, code, code_key, name_key, created_at from contacts where registrar_id = :registrarId';
const FILTERED = `${ALL} and ${startsWith('code_key')} union ${ALL} and ${startsWith('name_key')}`;

const listStatement = remembered(
  (details: boolean, filtered: boolean, sort: ContactSort | `-${ContactSort}`) => {
    const matching = `(${filtered ? FILTERED : ALL}) as matching`;
    const order = orderBy(sort, COLUMNS);
    const whole = `cross join lateral (select * from contacts where id = page.id offset 0) as c ${CONTACT_LINKS}`;
    return statement<ContactList, 'registrarId' | 'limit' | 'offset' | 'domainsShown' | 'from' | 'until'>(`
    with page as (
      select id, code, row_number() over (order by ${order}) as place from ${matching} order by ${order} limit :limit offset :offset)
    select (select count(*) from ${matching}) as count,
      coalesce((select json_agg(${details ? CONTACT_OBJECT : 'c.code'} order by place) from page ${details ? whole : 'c'}), '[]')::text as contacts`);
  },
);
