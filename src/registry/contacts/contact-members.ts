import { existsByKey } from '../../platform/sql/batched-lookup.ts';
import { jsonObject, pickColumns } from '../../platform/sql/columns.ts';
import { compactJsonb, constant, type Fragment, quoted, sql } from '../../platform/sql/statement.ts';

/** Of a row `c` of contacts. */
export const IDENT = {
  ident: sql`c.ident`,
  type: sql`c.ident_type`,
  countryCode: sql`c.ident_country_code`,
};

export const ADDRESS = {
  street: sql`c.street`,
  city: sql`c.city`,
  state: sql`c.state`,
  postalCode: sql`c.postal_code`,
  countryCode: sql`c.country_code`,
};

/** The members of a contact in the words of the registry, for a row `c` of contacts. */
export const CONTACT = {
  id: sql`c.id`,
  code: sql`c.code`,
  name: sql`c.name`,
  email: sql`c.email`,
  phone: sql`c.phone`,
  ident: constant(jsonObject(IDENT)),
  authInfo: sql`c.auth_info`,
  disclosedAttributes: sql`c.disclosed_attributes`,
  createdAt: sql`c.created_at`,
  updatedAt: sql`c.updated_at`,
};

/** For its sponsor alone. */
export const REFERENCE = sql`c.reference`;

/** A contact as decisions about domains see it. */
export const CONTACT_INFO = constant(
  jsonObject(pickColumns(CONTACT, 'id', 'code', 'name', 'email', 'ident')),
);

/** Whether a domain uses it. */
export const IS_LINKED =
  constant(sql`(${existsByKey(sql`select true from domains where registrant_id = c.id`)}
  or ${existsByKey(sql`select true from domain_contacts where contact_id = c.id`)})`);

/** The stored and the computed statuses with their notes; that of computed ones is JSON text. */
export const contactStatuses = (isLinked: Fragment, note: 'null' | '""'): Fragment => sql`case
  when c.statuses <> '{}' then ${compactJsonb(sql`c.statuses || case when ${isLinked} then ${quoted(`{"linked": ${note}}`)}::jsonb else '{}'::jsonb end`)}
  when ${isLinked} then ${quoted(`{"ok":${note},"linked":${note}}`)}
  else ${quoted(`{"ok":${note}}`)} end`;

/** Their names as an array. */
export const contactStatusNames = (isLinked: Fragment): Fragment => sql`
  case when c.statuses = '{}' then array['ok'] else array(select jsonb_object_keys(c.statuses) order by 1) end
    || case when ${isLinked} then array['linked'] else '{}'::text[] end`;

/** Its sponsor. */
export const ofContactSponsor = (write: (registrar: typeof REGISTRAR) => Fragment): Fragment =>
  sql`(select ${write(REGISTRAR)} from registrars r where r.id = c.registrar_id)`;
const REGISTRAR = { name: sql`r.name`, website: sql`r.website` };
