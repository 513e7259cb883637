import { operatorOperation } from '../../operations/operator-operation.ts';
import { persistRecorded } from '../../operations/record-history.ts';
import { requireNone } from '../../operations/refusal.ts';
import { sql } from '../../platform/sql/statement.ts';
import { countries } from '../../policy/countries.ts';
import { refusal } from '../operator-refusals.ts';
import { loadRegistrar, requireRegistrar } from './require-registrar.ts';

/** Details of a registrar on its invoices, besides name and e-mail address. */
export type InvoiceDetails = {
  readonly country: string | null;
  readonly registryCode: string | null;
  readonly vatNumber: string | null;
  readonly street: string | null;
  readonly city: string | null;
  readonly postalCode: string | null;
  /** The customer code in the accounting service. */
  readonly customerCode: string | null;
};
type InvoiceDetailsChange = { readonly code: string; readonly details: InvoiceDetails };

/** Limits of the e-invoice format. */
const MAX_LENGTH: Readonly<Record<Exclude<keyof InvoiceDetails, 'country'>, number>> = {
  registryCode: 15,
  vatNumber: 15,
  street: 100,
  city: 100,
  postalCode: 10,
  customerCode: 32,
};

/** Replaces all details. */
export const setInvoiceDetails = operatorOperation(
  {
    name: 'set invoice details',
    right: 'registrars',
    refusals: ['countryUnknown', 'textTooLong', 'registrarMissing'],
  },
  {
    load: (db, { code }: InvoiceDetailsChange) => loadRegistrar(db, code),

    decide(found, { code, details }) {
      requireNone(checkInvoiceDetails(details));
      return { answer: { code, details }, registrar: requireRegistrar(found, code) };
    },

    persist(db, { answer, registrar }, context) {
      const { country, registryCode, vatNumber, street, city, postalCode, customerCode } = answer.details;
      const changed = sql`
        insert into registrar_invoice_details (registrar_id, country, registry_code, vat_number, street, city, postal_code, customer_code)
        values (${registrar.id}, ${country}, ${registryCode}, ${vatNumber}, ${street}, ${city}, ${postalCode}, ${customerCode})
        on conflict (registrar_id) do update set country = excluded.country, registry_code = excluded.registry_code, vat_number = excluded.vat_number,
          street = excluded.street, city = excluded.city, postal_code = excluded.postal_code, customer_code = excluded.customer_code
        returning registrar_id as id, ${answer.code}::text as name`;
      const entry = {
        objectKind: 'registrar',
        operation: 'set invoice details',
        registrarId: registrar.id,
        after: answer.details,
      };
      return persistRecorded(db, { changed }, entry, { answer, context });
    },
  },
);

function checkInvoiceDetails({ country, ...texts }: InvoiceDetails) {
  const isCountry = country === null || countries.has(country);
  return [
    ...(isCountry ? [] : [refusal('countryUnknown', { country })]),
    ...Object.entries(MAX_LENGTH).flatMap(([member, most]) => {
      const text = texts[member as keyof typeof texts];
      return text !== null && text.length > most ? [refusal('textTooLong', { text, most })] : [];
    }),
  ];
}
