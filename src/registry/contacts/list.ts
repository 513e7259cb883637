import { remembered, statement } from '../../platform/database/statement.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Principal } from '../actor.ts';
import {
  bothWays,
  endOfPage,
  isAfter,
  type ListQuery,
  orderBy,
  type Position,
  prefixRange,
  readPosition,
  SHOWN,
  sortColumn,
  startsWith,
} from '../listing.ts';
import { searchKey } from './fields.ts';
import { CONTACT_LINKS, CONTACT_OBJECT } from './object.ts';

export const CONTACT_COLUMNS = {
  code: { column: 'code_key', type: 'text' },
  name: { column: 'name_key', type: 'text' },
  created_at: { column: 'created_at', type: 'time' },
} as const;
type ContactSort = keyof typeof CONTACT_COLUMNS;
export const contactSorts = bothWays<ContactSort>('code', 'name', 'created_at');

type Row = { readonly contacts: string; readonly count: number; readonly next: string | null };
export type ContactList = Omit<Row, 'next'> & { readonly next: Position | undefined };

/** One page of a registrar's contacts as JSON text, with the number of all that match. */
export async function listContacts(
  db: Sql,
  { limit, offset, details, q, sort, after }: ListQuery<ContactSort>,
  { contacts: { domainsShown } }: Policy,
  { registrarId }: Principal,
): Promise<ContactList> {
  const list = listStatement(details, q !== undefined, sort, after !== undefined);
  const [row] = await list(db, {
    registrarId,
    limit,
    offset,
    domainsShown,
    afterKey: after?.key,
    afterId: after?.id,
    ...prefixRange(q && searchKey(q)),
  });
  return row ? { ...row, next: readPosition(row.next) } : { contacts: '[]', count: 0, next: undefined };
}

/** What the list is made of, from indexes alone; a prefix may be one of the code or of the name. */
const ALL = 'select id, code, code_key, name_key, created_at from contacts where registrar_id = :registrarId';
const FILTERED = `${ALL} and ${startsWith('code_key')} union ${ALL} and ${startsWith('name_key')}`;

const listStatement = remembered(
  (details: boolean, filtered: boolean, sort: ContactSort | `-${ContactSort}`, continued: boolean) => {
    const matching = `(${filtered ? FILTERED : ALL}) as matching`;
    const order = orderBy(sort, CONTACT_COLUMNS);
    const { column, type } = sortColumn(sort, CONTACT_COLUMNS);
    const further = continued ? `where ${isAfter(sort, CONTACT_COLUMNS)}` : '';
    const whole = `cross join lateral (select * from contacts where id = page.id offset 0) as c ${CONTACT_LINKS}`;
    type Names =
      | ('registrarId' | 'limit' | 'offset' | 'domainsShown')
      | ('from' | 'until' | 'afterKey' | 'afterId');
    return statement<Row, Names>(`
    with page as (
      select id, code, ${column} as key, row_number() over (order by ${order}) as place from ${matching} ${further}
      order by ${order} limit :limit::bigint + 1 offset :offset::bigint)
    select (select count(*) from ${matching}) as count,
      coalesce((select json_agg(${details ? CONTACT_OBJECT : 'c.code'} order by place) from ${SHOWN} as ${details ? `page ${whole}` : 'c'}), '[]')::text as contacts, ${endOfPage(type)} as next`);
  },
);
