import type { Refusal } from '../../operations/refusal.ts';
import { existsByKey } from '../../platform/sql/batched-lookup.ts';
import { namedColumns } from '../../platform/sql/columns.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { compactObject, constant, type Fragment, sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Principal, RegistrarScope } from '../actor.ts';
import type { ContactRole } from '../domains/domain.ts';
import { type ContactFields, searchKey } from './contact-fields.ts';
import { joinLinks, LINKS, writtenLinks } from './contact-links.ts';
import { CONTACT, IS_LINKED } from './contact-members.ts';
import { refusal, refuse } from './contact-refusals.ts';
import type { Ident } from './ident.ts';
import {
  type AddressInHistory,
  addressInHistory,
  POSTAL_ADDRESS,
  type PostalAddress,
} from './postal-address.ts';

/** What an operation on a contact tells: the code of the one that was made or changed. */
export type ContactResult = { readonly code: string };

/** A domain that uses a contact, and what as. */
export type LinkedDomain = {
  readonly name: string;
  readonly roles: readonly ('registrant' | ContactRole)[];
  readonly expireTime: Date;
};
/** How many domains use a contact, and the first of them. */
export type ContactLinks = { readonly domains: readonly LinkedDomain[]; readonly total: number };

/** The same with the whole contact as it was written, for its sponsor; without the auth_info. */
export type WholeContact = ContactResult & {
  readonly contact: Required<Omit<ContactFields, 'code' | 'address' | 'authInfo'>> &
    Pick<StoredContact, 'statuses'>;
  readonly links: ContactLinks;
};

/** Without auth_info: no operation reads it. */
export type StoredContact = Required<Omit<ContactFields, 'code' | 'address' | 'authInfo'>> & {
  readonly id: number;
  readonly version: number;
  readonly code: string;
  readonly address: PostalAddress | null;
  readonly statuses: Readonly<Record<string, string | null>>;
  readonly linked: boolean;
};

/** The id of a contact of this registrar. */
export async function findContactId(
  db: Sql,
  code: string,
  { registrarId }: RegistrarScope,
): Promise<number | undefined> {
  const row = await db.maybe(sql<{ id: number }>`
    select id from contacts where code_key = ${searchKey(code)} and registrar_id = ${registrarId}`);
  return row?.id;
}

/** What an operation on one contact of this registrar needs; `gone` if the registrar had it and it was deleted. */
export type FoundContact = { readonly contact: StoredContact | undefined; readonly gone: boolean };

export async function loadContact(db: Sql, code: string, principal: Principal): Promise<FoundContact> {
  const [found] = await loadContacts(db, [{ code, principal }]);
  if (!found) throw new Error('nothing was loaded for a contact');
  return found;
}

/** The same for simultaneous requests, in their order. */
export async function loadContacts(
  db: Sql,
  asked: readonly { readonly code: string; readonly principal: Principal }[],
): Promise<FoundContact[]> {
  const rows = await db.rows(sql<FoundRow>`
    select (select ${contactValue(IS_LINKED)} from contacts c where ${IS_ASKED}) as contact, ${IS_GONE} as gone
    from ${askedFor(asked)} with ordinality as asked(key, registrar_id, position)
    order by asked.position`);
  return rows.map(({ contact, gone }) => ({ contact: contact ?? undefined, gone }));
}

type FoundRow = { readonly contact: StoredContact | null; readonly gone: boolean };
type Asked = { readonly code: string; readonly principal: Principal };

const askedFor = (asked: readonly Asked[]): Fragment => sql`
  unnest(${asked.map(({ code }) => searchKey(code))}::text[], ${asked.map(({ principal }) => principal.registrarId)}::bigint[])`;
const IS_ASKED = sql`c.code_key = asked.key and c.registrar_id = asked.registrar_id`;
const IS_GONE = existsByKey(sql`select true from removed_objects
        where object_kind = 'contact' and name_key = asked.key and registrar_id = asked.registrar_id`);

const contactValue = (isLinked: Fragment): Fragment => sql`
  json_build_object('id', c.id, 'version', c.version, 'code', c.code, 'name', c.name, 'email', c.email, 'phone', c.phone,
    'ident', ${CONTACT.ident},
    'address', ${POSTAL_ADDRESS}, 'statuses', c.statuses, 'disclosedAttributes', c.disclosed_attributes, 'reference', c.reference,
    'linked', ${isLinked} or ${existsByKey(sql`select true from registrant_requests where new_registrant_id = c.id and closed_at is null`)})`;

/** What an operation needs whose answer has the whole contact. */
export type FoundWholeContact = FoundContact & { readonly links: ContactLinks };

const ROLES = { registrant: 'registrant', admin: 'admin', tech: 'tech' };
const WRITTEN_LINKS = writtenLinks(ROLES, ({ name, roles, expireTime }) =>
  compactObject(namedColumns({ name, roles, expireTime })),
);
const WHOLE = constant(sql`json_build_object(
  'contact', ${contactValue(LINKS.isLinked)}, 'domains', ${LINKS.domains}, 'total', links.total)`);
type WholeRow = {
  readonly contact: StoredContact;
  readonly domains: readonly (Omit<LinkedDomain, 'expireTime'> & { readonly expireTime: string })[];
  readonly total: number;
};

export async function loadWholeContacts(
  db: Sql,
  asked: readonly Asked[],
  { contacts: { domainsShown } }: Policy,
): Promise<FoundWholeContact[]> {
  const rows = await db.rows(sql<{ whole: WholeRow | null; gone: boolean }>`
    select (select ${WHOLE} from contacts c ${joinLinks(domainsShown, WRITTEN_LINKS)} where ${IS_ASKED}) as whole, ${IS_GONE} as gone
    from ${askedFor(asked)} with ordinality as asked(key, registrar_id, position)
    order by asked.position`);
  return rows.map(({ whole, gone }) => {
    const domains = (whole?.domains ?? []).map((domain) => ({
      ...domain,
      expireTime: new Date(domain.expireTime),
    }));
    return { contact: whole?.contact, gone, links: { domains, total: whole?.total ?? 0 } };
  });
}

/** The contact, or a refusal that does not reveal to other registrars whether it exists. */
export function requireOwnContact({ contact, gone }: FoundContact): StoredContact {
  return contact ?? refuse(gone ? 'objectGone' : 'objectMissing');
}

export function checkNoStatusAmong(
  { statuses }: Pick<StoredContact, 'statuses'>,
  prohibiting: readonly string[],
): Refusal[] {
  const found = prohibiting.filter((status) => status in statuses);
  return found.length === 0 ? [] : [refusal('statusProhibits', { status: found.join(', ') })];
}

export type ShownContact = Omit<ContactFields, 'code' | 'address' | 'authInfo'> & {
  readonly code: string;
  readonly address?: PostalAddress | null;
  readonly statuses?: StoredContact['statuses'];
};

/** A contact as stored in history: names, addresses and identification, neither secrets nor the sponsor's reference. */
export type ContactInHistory = {
  readonly code: string;
  readonly name: string | undefined;
  readonly email: string | undefined;
  readonly phone: string | undefined;
  readonly ident: IdentInHistory | undefined;
  readonly address?: AddressInHistory;
  readonly statuses?: StoredContact['statuses'];
  readonly disclosed_attributes?: readonly string[];
  /** Of a copy that a transfer made. */
  readonly copy_of?: string;
};
export type IdentInHistory = Pick<Ident, 'type'> & { readonly code: string; readonly country_code: string };

export function shownInHistory({
  code,
  name,
  email,
  phone,
  ident,
  address,
  statuses = {},
  disclosedAttributes = [],
}: ShownContact): ContactInHistory {
  return {
    code,
    name,
    email,
    phone,
    ident: ident && { code: ident.ident, type: ident.type, country_code: ident.countryCode },
    ...(address && { address: addressInHistory(address) }),
    ...(Object.keys(statuses).length > 0 && { statuses }),
    ...(disclosedAttributes.length > 0 && { disclosed_attributes: disclosedAttributes }),
  };
}
