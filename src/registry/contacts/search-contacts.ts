import {
  BEYOND_HASHED,
  type CandidateSet,
  chooseCandidates,
  countedSet,
} from '../../platform/paging/candidates.ts';
import {
  type FoundPageWithTotal,
  type FoundPage,
  findPage,
  findPageWithTotal,
  type KeysetSearch,
} from '../../platform/paging/keyset-search.ts';
import type { Order } from '../../platform/paging/order.ts';
import type { Position } from '../../platform/paging/position.ts';
import { matches, type TextPattern } from '../../platform/paging/text-pattern.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql, text } from '../../platform/sql/statement.ts';
import type { RegistrarScope } from '../actor.ts';
import type { ContactRole } from '../domains/domain.ts';
import { searchKey } from './contact-fields.ts';
import type { Ident } from './ident.ts';
import { matchingContacts } from './matching-contacts.ts';
import { POSTAL_ADDRESS, type PostalAddress } from './postal-address.ts';

const FILTERS = ['name', 'code', 'ident', 'email'] as const;
type FilterName = (typeof FILTERS)[number];
/** Absent filters match everything. */
export type ContactFilter = Readonly<Partial<Record<FilterName, TextPattern | undefined>>>;

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

export type ListedContact = FoundContactRow & {
  readonly updatedAt: Date;
  readonly reference: string | null;
};
const LISTED = sql<ListedContact>`${SHOWN}, o.updated_at as "updatedAt", o.reference`;

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
): Promise<FoundPageWithTotal<ListedContact>> =>
  findPageWithTotal(db, await searchOf(db, query, scope), LISTED, size);

async function searchOf(
  db: Sql,
  { filter, order, after }: ContactSearch,
  { registrarId }: RegistrarScope,
): Promise<KeysetSearch<Sort>> {
  const { set, ...chosen } = await chooseCandidates(
    db,
    candidateSets(filter, registrarId),
    Object.values(filter).filter((pattern) => pattern !== undefined).length === 1,
  );
  // What every candidate passes is not tested again.
  const tested: ContactFilter = set ? { ...filter, [set.tested]: undefined } : filter;
  const { name, code, ident, email } = tested;
  return {
    table: sql`contacts`,
    registrarId,
    sort: order,
    columns: COLUMNS,
    after,
    range: sql`true`,
    entryColumns: sql`o.name_key, o.code_key`,
    entryTest: (of) => sql`${matches(sql`${of}.name_key`, name)} and ${matches(sql`${of}.code_key`, code)}`,
    rowTest:
      ident || email
        ? sql`${matches(sql`lower(o.ident)`, ident)} and ${matches(sql`lower(o.email)`, email)}`
        : undefined,
    ...chosen,
  };
}

type FilterSet = CandidateSet & { readonly tested: FilterName };

/** Parts of names and codes are found by a walk along an index that has both. */
function candidateSets(filter: ContactFilter, registrarId: number): FilterSet[] {
  return FILTERS.flatMap((tested): FilterSet[] => {
    const pattern = filter[tested];
    if (!pattern || ((tested === 'name' || tested === 'code') && pattern.beginning === '')) return [];
    const { ids, isBeyond } = matchingContacts(tested, pattern, registrarId);
    const set = countedSet(ids, 1);
    return [{ ...set, size: sql`case when ${isBeyond} then ${BEYOND_HASHED} else ${set.size} end`, tested }];
  });
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
