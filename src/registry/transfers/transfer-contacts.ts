import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { searchKey } from '../contacts/contact-fields.ts';
import { generateAuthInfo, generateContactCode } from '../contacts/create.ts';
import { ADDRESS_IN_HISTORY } from '../contacts/postal-address.ts';
import type { ContactInfo, Domain } from '../domains/domain.ts';
import { contactInfo } from '../domains/load.ts';
import { authorOf } from '../history/history.ts';
import type { Context } from '../operation.ts';

type MappedContact = { readonly original: number; readonly contact: ContactInfo | null };
/** `first` represents all originals that are identical. */
type Match = MappedContact & { readonly first: number };

/**
 * Maps each original contact id to a contact of the gaining registrar: its own contact stays; otherwise an identical
 * one of that registrar, or a copy, which identical originals share. Transfers to one registrar are serialised, so that
 * no contact is copied twice.
 */
export async function mapContactsToRegistrar(
  db: Sql,
  domains: readonly Domain[],
  context: Context,
): Promise<ReadonlyMap<number, ContactInfo>> {
  const { registrarId } = context.principal;
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${`transfers to ${registrarId}`}, 0))`);
  const ids = domains.flatMap(({ registrant, contacts }) => [registrant.id, ...contacts.map(({ id }) => id)]);
  const found = await findIdentical(db, [...new Set(ids)], registrarId);
  const missing = found
    .filter(({ contact, original, first }) => contact === null && original === first)
    .map(({ original }) => original);
  const copies = missing.length === 0 || context.dryRun ? [] : await copyContacts(db, missing, context);
  const copyOf = new Map(copies.map(({ original, contact }) => [original, contact]));
  return new Map(
    found.flatMap(({ original, first, contact }) => {
      const own = contact ?? copyOf.get(first);
      return own ? [[original, own]] : [];
    }),
  );
}

async function findIdentical(db: Sql, ids: readonly number[], registrarId: number): Promise<Match[]> {
  return db.rows(sql<Match>`
    select o.id as original, coalesce(
        (select ${contactInfo()} from contacts c where c.id = o.id and c.registrar_id = ${registrarId}),
        (select ${contactInfo()} from contacts c
          where c.registrar_id = ${registrarId} and c.ident = o.ident and c.ident_type = o.ident_type and c.ident_country_code = o.ident_country_code
            and c.name_key = o.name_key and c.name = o.name and c.email = o.email and c.phone = o.phone
            and (c.street, c.city, c.state, c.postal_code, c.country_code) is not distinct from (o.street, o.city, o.state, o.postal_code, o.country_code)
          order by c.id limit 1)) as contact,
      min(o.id) over (partition by o.ident, o.ident_type, o.ident_country_code, o.name, o.email, o.phone,
        o.street, o.city, o.state, o.postal_code, o.country_code) as first
    from contacts o where o.id = any(${ids as number[]}::bigint[])`);
}

async function copyContacts(db: Sql, ids: readonly number[], context: Context): Promise<MappedContact[]> {
  const { principal } = context;
  const { actor, registrarId, requestId, clientTransactionId = null, now } = authorOf(context);
  const codes = ids.map(() => generateContactCode(principal.registrarCode));
  return db.rows(sql<MappedContact>`
    with wanted as materialized (
      select w.original, w.code, w.code_key, w.auth_info, o.code as original_code
      from unnest(${ids as number[]}::bigint[], ${codes}::text[], ${codes.map(searchKey)}::text[],
        ${ids.map(generateAuthInfo)}::text[]) as w(original, code, code_key, auth_info)
      join contacts o on o.id = w.original),
    copied as (
      insert into contacts (registrar_id, code, code_key, name, name_key, email, phone, ident, ident_type, ident_country_code,
        street, city, state, postal_code, country_code, auth_info, disclosed_attributes, created_at, updated_at)
      select ${registrarId}, w.code, w.code_key, o.name, o.name_key, o.email, o.phone, o.ident, o.ident_type, o.ident_country_code,
        o.street, o.city, o.state, o.postal_code, o.country_code, w.auth_info, o.disclosed_attributes, ${now}, ${now}
      from wanted w join contacts o on o.id = w.original
      returning *),
    recorded as (
      insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor, request_id, client_transaction_id, after)
      select ${now}, 'contact', c.id, c.code, 'copy', ${registrarId}, ${actor}, ${requestId}, ${clientTransactionId},
        jsonb_build_object('code', c.code, 'name', c.name, 'email', c.email, 'phone', c.phone, 'copy_of', w.original_code,
          'ident', jsonb_build_object('code', c.ident, 'type', c.ident_type, 'country_code', c.ident_country_code))
          || ${ADDRESS_IN_HISTORY}
      from copied c join wanted w on w.code = c.code)
    select w.original, ${contactInfo()} as contact from copied c join wanted w on w.code = c.code`);
}
