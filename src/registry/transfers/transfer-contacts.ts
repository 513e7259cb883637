import { insertHistory } from '../../operations/record-history.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import { searchKey } from '../contacts/contact-fields.ts';
import { CONTACT_INFO } from '../contacts/contact-members.ts';
import { generateAuthInfo, generateContactCode } from '../contacts/create-contact.ts';
import { ADDRESS_IN_HISTORY } from '../contacts/postal-address.ts';
import type { ContactInfo, Domain } from '../domains/domain.ts';
import { authorOf, WANTED_AUTHORS } from '../history/read-history.ts';
import type { Context } from '../operation.ts';

/** A domain, and the request by which its registrar is changed. */
export type Gain = { readonly domain: Domain; readonly context: Context };

/** The contact of the gaining registrar that takes the place of an original one; null where it must be copied. */
export type MappedContact = { readonly original: number; readonly contact: ContactInfo | null };
type Match = MappedContact & {
  readonly registrarId: number;
  /** Represents all originals that are identical. */
  readonly first: number;
};
type Copy = MappedContact & { readonly registrarId: number; readonly contact: ContactInfo };

/** By the gaining registrar, and by the id of the original. */
export type Counterparts = ReadonlyMap<number, ReadonlyMap<number, ContactInfo>>;

/**
 * Maps each contact of the domains to a contact of the gaining registrar: its own contact stays; otherwise an identical
 * one of that registrar, or a copy, which identical originals share. Transfers to one registrar that copy are
 * serialised, so that no contact is copied twice.
 */
export async function mapContactsToRegistrars(db: Sql, gains: readonly Gain[]): Promise<Counterparts> {
  const registrars = new Map(gains.map(({ context }) => [context.principal.registrarId, context]));
  await lockTransfersTo(db, [...registrars.keys()]);
  const found = await findIdentical(db, gains);
  const missing = found.flatMap(({ contact, original, first, registrarId }) => {
    const context = registrars.get(registrarId);
    return contact === null && original === first && context ? [{ original, context }] : [];
  });
  const copies = missing.length === 0 ? [] : await copyContacts(db, missing);
  const copyOf = counterpartsOf(copies);
  return counterpartsOf(
    found.map(({ registrarId, original, first, contact }) => ({
      registrarId,
      original,
      contact: contact ?? copyOf.get(registrarId)?.get(first) ?? null,
    })),
  );
}

export function counterpartsOf(
  mapped: readonly (MappedContact & { readonly registrarId: number })[],
): Counterparts {
  const all = new Map<number, Map<number, ContactInfo>>();
  for (const { registrarId, original, contact } of mapped) {
    const own = all.get(registrarId) ?? new Map<number, ContactInfo>();
    all.set(registrarId, own);
    if (contact) own.set(original, contact);
  }
  return all;
}

const contactIdsOf = ({ registrant, contacts }: Domain): number[] => [
  ...new Set([registrant.id, ...contacts.map(({ id }) => id)]),
];

/** In one order, so that two statements cannot deadlock. */
async function lockTransfersTo(db: Sql, registrars: readonly number[]): Promise<void> {
  await db.run(sql`
    select pg_advisory_xact_lock(hashtextextended('transfers to ' || r.id, 0))
    from (select id from unnest(${registrars}::bigint[]) as id order by id) as r`);
}

/** A JSON value: the contact of a registrar that is the contact `o`, or identical to it; null if there is none. */
export const identicalContact = (registrarId: Fragment): Fragment => sql`coalesce(
  (select ${CONTACT_INFO} from contacts c where c.id = o.id and c.registrar_id = ${registrarId}),
  (select ${CONTACT_INFO} from contacts c
    where c.registrar_id = ${registrarId} and c.ident = o.ident and c.ident_type = o.ident_type and c.ident_country_code = o.ident_country_code
      and c.name_key = o.name_key and c.name = o.name and c.email = o.email and c.phone = o.phone
      and (c.street, c.city, c.state, c.postal_code, c.country_code) is not distinct from (o.street, o.city, o.state, o.postal_code, o.country_code)
      -- A transfer must not publish what its contact keeps hidden, or the other way round.
      and c.disclosed_attributes = o.disclosed_attributes
    order by c.id limit 1))`;

async function findIdentical(db: Sql, gains: readonly Gain[]): Promise<Match[]> {
  const pairs = gains.flatMap(({ domain, context }) =>
    contactIdsOf(domain).map((id) => ({ id, registrarId: context.principal.registrarId })),
  );
  return db.rows(sql<Match>`
    select p.registrar_id as "registrarId", o.id as original, ${identicalContact(sql`p.registrar_id`)} as contact,
      min(o.id) over (partition by p.registrar_id, o.ident, o.ident_type, o.ident_country_code, o.name, o.email, o.phone,
        o.street, o.city, o.state, o.postal_code, o.country_code, o.disclosed_attributes) as first
    from (select distinct registrar_id, id from unnest(${pairs.map(({ registrarId }) => registrarId)}::bigint[], ${pairs.map(({ id }) => id)}::bigint[])
      as asked(registrar_id, id)) as p
    join contacts o on o.id = p.id`);
}

const RECORD_COPIES = insertHistory(
  {
    objectKind: 'contact',
    objectId: sql`c.id`,
    objectName: sql`c.code`,
    operation: 'copy',
    registrarId: sql`w.registrar_id`,
    after: sql`
      jsonb_build_object('code', c.code, 'name', c.name, 'email', c.email, 'phone', c.phone, 'copy_of', w.original_code,
          'ident', jsonb_build_object('code', c.ident, 'type', c.ident_type, 'country_code', c.ident_country_code))
          || ${ADDRESS_IN_HISTORY}
          || case when c.disclosed_attributes = '{}' then '{}' else jsonb_build_object('disclosed_attributes', c.disclosed_attributes) end`,
  },
  WANTED_AUTHORS,
  sql`from copied c join wanted w on w.code = c.code`,
);

type Missing = { readonly original: number; readonly context: Context };

async function copyContacts(db: Sql, missing: readonly Missing[]): Promise<Copy[]> {
  const rows = missing.map(({ original, context }) => ({
    ...authorOf(context),
    original,
    registrarId: context.principal.registrarId,
    code: generateContactCode(context.principal.registrarCode),
  }));
  return db.rows(sql<Copy>`
    with wanted as materialized (
      select w.*, o.code as original_code
      from unnest(${rows.map(({ original }) => original)}::bigint[], ${rows.map(({ registrarId }) => registrarId)}::bigint[],
        ${rows.map(({ code }) => code)}::text[], ${rows.map(({ code }) => searchKey(code))}::text[], ${rows.map(generateAuthInfo)}::text[],
        ${rows.map(({ actor }) => actor)}::text[], ${rows.map(({ requestId }) => requestId)}::text[],
        ${rows.map(({ clientTransactionId }) => clientTransactionId ?? null)}::text[],
        ${rows.map(({ idempotencyKey }) => idempotencyKey ?? null)}::text[], ${rows.map(({ now }) => now.toISOString())}::timestamptz[])
        as w(original, registrar_id, code, code_key, auth_info, actor, request_id, client_transaction_id, idempotency_key, at)
      join contacts o on o.id = w.original),
    copied as (
      insert into contacts (registrar_id, code, code_key, name, name_key, email, phone, ident, ident_type, ident_country_code,
        street, city, state, postal_code, country_code, auth_info, disclosed_attributes, created_at, updated_at)
      select w.registrar_id, w.code, w.code_key, o.name, o.name_key, o.email, o.phone, o.ident, o.ident_type, o.ident_country_code,
        o.street, o.city, o.state, o.postal_code, o.country_code, w.auth_info, o.disclosed_attributes, w.at, w.at
      from wanted w join contacts o on o.id = w.original
      returning *),
    recorded as (${RECORD_COPIES})
    select w.original, w.registrar_id as "registrarId", ${CONTACT_INFO} as contact from copied c join wanted w on w.code = c.code`);
}
