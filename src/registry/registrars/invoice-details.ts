import type { Sql } from '../../platform/sql/executor.ts';
import { json, sql } from '../../platform/sql/statement.ts';
import type { Change } from './operator.ts';

/** Who a registrar is on documents about his invoices, beyond his name and e-mail address. */
export type InvoiceDetails = {
  readonly country: string | null;
  readonly registryCode: string | null;
  readonly vatNumber: string | null;
  readonly street: string | null;
  readonly city: string | null;
  readonly postalCode: string | null;
  /** Under which the accounting service knows him. */
  readonly customerCode: string | null;
};

/** Replaces all that was known. False when there is no such registrar. */
export async function setInvoiceDetails(
  db: Sql,
  code: string,
  details: InvoiceDetails,
  { actor, at, reason }: Change,
): Promise<boolean> {
  const rows = await db.rows(sql`
    with registrar as (select id, code as name from registrars where code = ${code}),
    changed as (
      insert into registrar_invoice_details (registrar_id, country, registry_code, vat_number, street, city, postal_code, customer_code)
      select id, ${details.country}, ${details.registryCode}, ${details.vatNumber}, ${details.street}, ${details.city}, ${details.postalCode}, ${details.customerCode}
      from registrar
      on conflict (registrar_id) do update set country = excluded.country, registry_code = excluded.registry_code, vat_number = excluded.vat_number,
        street = excluded.street, city = excluded.city, postal_code = excluded.postal_code, customer_code = excluded.customer_code
      returning registrar_id as id)
    insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor, reason, after)
    select ${at}, 'registrar', id, name, 'set invoice details', id, ${actor}, ${reason ?? null}, ${json(details)}
    from registrar join changed using (id) returning 1`);
  return rows.length === 1;
}
