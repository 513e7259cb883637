import { inTransaction } from '../../operations/in-transaction.ts';
import { type Outcome, runOperation } from '../../operations/run-operation.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { type Cents, toDecimal } from '../../platform/values/money.ts';
import { refuse } from '../billing-refusals.ts';
import type { Billing, Caller } from '../context.ts';
import { type PaymentProvider, ProviderUnavailable } from '../provider/provider.ts';
import { isPayableByLink } from './invoice.ts';
import { heldAmong } from './invoice-store.ts';
import type { InvoiceView } from './invoice-view.ts';
import { issueGross } from './issue.ts';
import { lineTexts } from './line-texts.ts';

export type GenerateInput = {
  readonly invoiceNumber: number;
  readonly amount: Cents;
  readonly customerName: string | null;
  readonly customerEmail: string | null;
  readonly customField1: string | null;
  readonly referenceNumber: string | null;
  readonly reservedDomainNames: readonly string[];
};

const DEFAULT_DESCRIPTION = 'reload balance';

export type GeneratedInvoice = { readonly paymentLink: string };

/**
 * POST invoice_generator: issues an invoice under a number assigned to the caller and returns the signed payment link.
 */
export function generateInvoice(
  { database, policy, provider }: Billing,
  caller: Caller,
  input: GenerateInput,
): Promise<Outcome<GeneratedInvoice>> {
  const { invoiceNumber: number, amount, customerName, customerEmail, customField1, referenceNumber } = input;
  return runOperation(
    database,
    inTransaction({
      transact: async (db) => {
        const bound = await db.maybe(sql`
        select from invoice_numbers where number = ${number} and initiator = ${caller.initiator}`);
        if (!bound) refuse('numberNotYours', { at: ['number'] });
        await issueGross(db, policy, caller, {
          number,
          amount,
          referenceNumber,
          kind: 'invoice',
          description: descriptionOf(input),
          customField: customField1,
          buyerName: customerName,
          buyerEmail: customerEmail,
          lineTexts: lineTextsOf(input),
        });
        const issued = await db.one(
          sql<{ amount: string }>`select amount::text as amount from invoices where number = ${number}`,
        );
        if (issued.amount !== amount.toString())
          refuse('issuedOverOther', {
            at: ['amount'],
            amount: toDecimal(BigInt(issued.amount)),
          });
        if ((await heldAmong(db, [number])).length > 0) refuse('invoiceHeld', { at: ['number'] });
        return { paymentLink: await paymentLink(db, provider, number) };
      },
    }),
    caller,
  );
}

function descriptionOf({ customField1, reservedDomainNames }: GenerateInput): string {
  if (reservedDomainNames.length === 0) return customField1 ?? DEFAULT_DESCRIPTION;
  return `Reserved domain names: ${reservedDomainNames.join(', ')}; User unique id: ${customField1 ?? ''}`;
}

/** A line for each reserved name; more names than cents would make lines of nothing. */
function lineTextsOf({ customField1, reservedDomainNames: names, amount }: GenerateInput): string[] {
  if (names.length === 0) return [customField1 ?? lineTexts.reload];
  return BigInt(names.length) > amount ? [names.join(', ')] : names.map(lineTexts.reservedName);
}

type Row = {
  readonly amount: string;
  readonly customerName: string | null;
  readonly customerEmail: string | null;
  readonly customField1: string | null;
  readonly customField2: string;
  readonly referenceNumber: string | null;
};

/**
 * The signed link, as long as it can be used; a bulk invoice has only the links of its attempts. Without a provider there
 * is none, and the invoice can be read nevertheless.
 */
export async function usableLink(
  db: Sql,
  provider: PaymentProvider,
  invoice: Pick<InvoiceView, 'number' | 'kind' | 'status' | 'held'>,
): Promise<string | null> {
  if (!isPayableByLink(invoice) || invoice.kind === 'bulk') return null;
  try {
    return await paymentLink(db, provider, invoice.number);
  } catch (error) {
    if (error instanceof ProviderUnavailable) return null;
    throw error;
  }
}

/** The signed link of an invoice; deterministic. */
export async function paymentLink(
  db: Sql,
  provider: PaymentProvider,
  invoiceNumber: number,
): Promise<string> {
  const row = await db.one(sql<Row>`
    select amount::text as amount, buyer_name as "customerName", buyer_email as "customerEmail", custom_field as "customField1",
      initiator as "customField2", reference_number as "referenceNumber"
    from invoices where number = ${invoiceNumber}`);
  return provider.link({ ...row, invoiceNumber, amount: BigInt(row.amount) });
}
