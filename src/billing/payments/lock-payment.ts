import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { KnownPayment } from './decide.ts';

export type LoadedPayment = KnownPayment & {
  readonly isExternal: boolean;
  readonly isOneoff: boolean;
  readonly answeredPollNumber: number;
  readonly standingAmount: string | null;
  readonly settledAt: Date | null;
  readonly otherAttempts: readonly string[];
};

type Row = {
  readonly reference: string;
  readonly isExternal: boolean;
  readonly isOneoff: boolean;
  readonly state: string | null;
  readonly booked: string;
  readonly surplus: string;
  readonly reversed: boolean;
  readonly returnedExternally: string;
  readonly resolvedAmount: string | null;
  readonly answeredPollNumber: number;
  readonly standingAmount: string | null;
  readonly settledAt: Date | null;
};
type Around = {
  readonly shares: readonly { readonly number: number; readonly booked: string }[];
  readonly refunds: readonly {
    readonly id: number;
    readonly amount: string;
    readonly invoiceNumber: number | null;
  }[];
  readonly attempts: readonly string[];
};

/** Locks the payment and loads all data for a decision. Its invoices must be locked before. */
export async function lockPayment(
  db: Sql,
  reference: string,
  invoiceNumber: number | undefined,
): Promise<LoadedPayment | undefined> {
  const row = await db.maybe(sql<Row>`
    select reference, external as "isExternal", link is not null as "isOneoff", state, booked::text as booked, surplus::text as surplus, reversed,
      returned_externally::text as "returnedExternally", resolved_amount::text as "resolvedAmount", answered_poll_number as "answeredPollNumber",
      standing_amount::text as "standingAmount", settled_at as "settledAt"
    from payments where reference = ${reference} for update`);
  if (!row) return undefined;
  const around = await db.one(sql<Around>`
    select
      (select coalesce(json_agg(json_build_object('number', invoice_number, 'booked', booked::text)), '[]')
        from payment_shares where payment_reference = ${reference}) as shares,
      (select coalesce(json_agg(json_build_object('id', id, 'amount', amount::text, 'invoiceNumber', invoice_number) order by sent_at desc nulls last, id), '[]')
        from refunds where payment_reference = ${reference} and state = 'waiting') as refunds,
      (select coalesce(json_agg(state), '[]') from payments
        where invoice_number = ${invoiceNumber ?? null} and reference <> ${reference} and state is not null) as attempts`);
  return {
    ...row,
    booked: BigInt(row.booked),
    surplus: BigInt(row.surplus),
    returnedExternally: BigInt(row.returnedExternally),
    resolvedAmount: row.resolvedAmount === null ? null : BigInt(row.resolvedAmount),
    shares: around.shares.map(({ number, booked }) => ({ invoiceNumber: number, booked: BigInt(booked) })),
    refunds: around.refunds.map((refund) => ({ ...refund, amount: BigInt(refund.amount) })),
    otherAttempts: around.attempts,
  };
}
