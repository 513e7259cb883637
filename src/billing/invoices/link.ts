import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { PaymentProvider } from '../provider/provider.ts';

type Row = {
  readonly amount: string;
  readonly customerName: string | null;
  readonly customerEmail: string | null;
  readonly customField1: string | null;
  readonly customField2: string;
  readonly referenceNumber: string | null;
};

/** The signed link of an invoice: the same whenever it is asked for. */
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
