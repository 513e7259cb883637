import { type CandidateSet, chooseCandidates, countedSet } from '../../platform/paging/candidates.ts';
import {
  type FoundPageWithTotal,
  type FoundPage,
  findPage,
  findPageWithTotal,
  type KeysetSearch,
} from '../../platform/paging/keyset-search.ts';
import type { Order } from '../../platform/paging/order.ts';
import type { Position } from '../../platform/paging/position.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql, text } from '../../platform/sql/statement.ts';
import type { RegistrarScope } from '../actor.ts';
import type { ContactRole } from '../domains/domain.ts';
import { searchKey } from './contact-fields.ts';
import type { Ident } from './ident.ts';
import { POSTAL_ADDRESS, type PostalAddress } from './postal-address.ts';

/** Absent filters match everything. */
export type ContactFilter = {
  /** A part of the name. */
  readonly name?: string | undefined;
  /** A part of the code. */
  readonly code?: string | undefined;
  readonly ident?: string | undefined;
  /** The whole address, in capitals or not. */
  readonly email?: string | undefined;
};

const COLUMNS = {
  name: { column: sql`o.name_key`, type: 'text' },
  code: { column: sql`o.code_key`, type: 'text' },
} as const;
type Sort = keyof typeof COLUMNS;
export type ContactOrder = Order<Sort>;

export type FoundContactRow = {
  readonly code: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly ident: Ident;
  readonly createdAt: Date;
};
const IDENT = sql`json_build_object('ident', o.ident, 'type', o.ident_type, 'countryCode', o.ident_country_code)`;
const SHOWN = sql<FoundContactRow>`o.code, o.name, o.email, o.phone, ${IDENT} as ident, o.created_at as "createdAt"`;

export type ContactSearch = {
  readonly filter: ContactFilter;
  readonly order: ContactOrder;
  readonly after?: Position | undefined;
};

/** One page of a registrar's contacts. */
export const findContacts = async (
  db: Sql,
  query: ContactSearch,
  size: number,
  scope: RegistrarScope,
): Promise<FoundPage<FoundContactRow>> => findPage(db, await searchOf(db, query, scope), SHOWN, size);

/** The same; the first page with the number of all that match. */
export const findContactsWithTotal = async (
  db: Sql,
  query: ContactSearch,
  size: number,
  scope: RegistrarScope,
): Promise<FoundPageWithTotal<FoundContactRow>> =>
  findPageWithTotal(db, await searchOf(db, query, scope), SHOWN, size);

async function searchOf(
  db: Sql,
  { filter, order, after }: ContactSearch,
  { registrarId }: RegistrarScope,
): Promise<KeysetSearch<Sort>> {
  const [name, code] = [filter.name, filter.code].map((each) =>
    each === undefined ? null : searchKey(each),
  );
  const { set, ...chosen } = await chooseCandidates(
    db,
    candidateSets(filter, registrarId),
    name === null && code === null,
  );
  // What every candidate passes is not tested again.
  const ident = set?.tested === 'ident' ? null : (filter.ident ?? null);
  const email = set?.tested === 'email' ? null : (filter.email ?? null);
  return {
    table: sql`contacts`,
    registrarId,
    sort: order,
    columns: COLUMNS,
    after,
    range: sql`true`,
    entryColumns: sql`o.name_key, o.code_key`,
    entryTest: (
      of,
    ) => sql`(${name ?? null}::text is null or strpos(${of}.name_key, ${name ?? null}::text) > 0)
      and (${code ?? null}::text is null or strpos(${of}.code_key, ${code ?? null}::text) > 0)`,
    rowTest:
      ident === null && email === null
        ? undefined
        : sql`(${ident}::text is null or o.ident = ${ident}::text) and (${email}::text is null or lower(o.email) = lower(${email}::text))`,
    ...chosen,
  };
}

type FilterSet = CandidateSet & { readonly tested: 'ident' | 'email' };

function candidateSets({ ident, email }: ContactFilter, registrarId: number): FilterSet[] {
  const having = (tested: FilterSet['tested'], condition: Fragment): FilterSet => ({
    ...countedSet(sql`select id from contacts where registrar_id = ${registrarId} and ${condition}`, 1),
    tested,
  });
  return [
    ...(ident === undefined ? [] : [having('ident', sql`ident = ${ident}`)]),
    ...(email === undefined ? [] : [having('email', sql`lower(email) = lower(${email}::text)`)]),
  ];
}

export const MAX_DOMAINS_SHOWN = 50;

/** One contact as its registrar sees it at once, without its auth_info. */
export type OwnContact = FoundContactRow & {
  readonly id: number;
  /** Another one after every change. */
  readonly version: number;
  readonly updatedAt: Date;
  readonly address: PostalAddress | null;
  readonly statuses: readonly string[];
  readonly disclosedAttributes: readonly string[];
  readonly reference: string | null;
  /** The first ones, each with the contact's roles. */
  readonly domains: readonly {
    readonly name: string;
    readonly roles: readonly ('registrant' | ContactRole)[];
  }[];
  /** The first requests that wait for a registrant: this contact, or the one that it is to follow. */
  readonly requests: readonly {
    readonly domain: string;
    readonly kind: string;
    readonly isFollower: boolean;
    readonly expiresAt: string;
  }[];
};

/** Undefined if the registrar has no such contact. */
export async function readOwnContact(
  db: Sql,
  code: string,
  { registrarId }: RegistrarScope,
): Promise<OwnContact | undefined> {
  return db.maybe(sql<OwnContact>`
    select ${SHOWN}, o.id, o.version, o.updated_at as "updatedAt", o.disclosed_attributes as "disclosedAttributes", o.reference,
      (select ${POSTAL_ADDRESS} from contacts c where c.id = o.id) as address,
      array(select jsonb_object_keys(o.statuses) order by 1) as statuses,
      (select coalesce(json_agg(json_build_object('name', d.name, 'roles', used.roles) order by d.name), '[]') from (
        select domain_id, array_agg(role order by position) as roles from (
          select id as domain_id, 1 as position, 'registrant' as role from domains where registrant_id = o.id
          union all select domain_id, case role when 'admin' then 2 else 3 end, role from domain_contacts where contact_id = o.id) as link
        group by domain_id order by domain_id ${text(`limit ${MAX_DOMAINS_SHOWN}`)}) as used
        cross join lateral (select name from domains where id = used.domain_id offset 0) as d) as domains,
      (select coalesce(json_agg(json_build_object('domain', name, 'kind', kind, 'isFollower', is_follower, 'expiresAt', expires_at)
          order by expires_at, name), '[]') from (
        select d.name, q.kind, d.registrant_id <> o.id as is_follower, q.expires_at
        from registrant_requests q join domains d on d.id = q.domain_id
        where q.closed_at is null and d.registrar_id = o.registrar_id and (q.new_registrant_id = o.id or d.registrant_id = o.id)
        order by q.expires_at ${text(`limit ${MAX_DOMAINS_SHOWN}`)}) as waiting) as requests
    from contacts o where o.code_key = ${searchKey(code)} and o.registrar_id = ${registrarId}`);
}
