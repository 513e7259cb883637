import type { Database } from '../../platform/sql/database.ts';
import { compactList, compactObject, sql } from '../../platform/sql/statement.ts';
import { requireTransferCode, type WrongCodes, wrongCodesOf } from '../access/wrong-codes.ts';
import type { Context } from '../operation.ts';
import { refuseMissing } from '../removed.ts';

type Row = {
  readonly id: number;
  readonly registrarId: number;
  readonly transferCode: string;
  readonly wrongCodes: WrongCodes;
  readonly data: string;
};

/** Information on a domain for a registrar that intends to transfer it, as the JSON text of `data`. */
export async function readTransferInfo(
  database: Database,
  { name, authCode }: { readonly name: string; readonly authCode: string | undefined },
  context: Context,
): Promise<string> {
  const { principal } = context;
  const row = await find(database, name, context);
  if (!row) return refuseMissing(database.reads, 'domain', name, principal);
  const given = { code: authCode, what: 'Auth-Code', field: 'Auth-Code' };
  await requireTransferCode(database.writes, { ...row, name }, given, context);
  return row.data;
}

async function find(
  { reads: db }: Database,
  name: string,
  { now, principal: { registrarId } }: Context,
): Promise<Row | undefined> {
  const person =
    compactObject(sql`c.code, c.phone, c.email, c.ident, c.ident_type, c.name, c.ident_country_code,
    c.city, array_to_string(c.street, ', ') as street, c.postal_code as zip, c.country_code,
    case when c.statuses = '{}' then array['ok'] else array(select s from jsonb_object_keys(c.statuses) as s order by s) end || 'linked'::text as statuses`);
  const inRole = (role: string) => sql`(
    select coalesce(${compactList(person, sql`c.id`)}, '[]') from domain_contacts l join contacts c on c.id = l.contact_id
    where l.domain_id = d.id and l.role = ${role})`;
  return db.maybe(sql<Row>`
    select d.id, d.registrar_id as "registrarId", d.transfer_code as "transferCode", ${wrongCodesOf(name, { registrarId, now })} as "wrongCodes",
      ${compactObject(sql`d.name as domain, (select ${person} from contacts c where c.id = d.registrant_id) as registrant,
        ${inRole('admin')} as admin_contacts, ${inRole('tech')} as tech_contacts`)}::text as data
    from domains d where d.name = ${name}`);
}
