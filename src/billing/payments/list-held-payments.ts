import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { HoldKind } from './decide.ts';

export type HeldPayment = {
  readonly id: number;
  readonly reference: string;
  readonly invoiceNumber: number | null;
  readonly kind: HoldKind;
  readonly detail: string;
  readonly at: Date;
};

export function listHeld(db: Sql): Promise<HeldPayment[]> {
  return db.rows(sql<HeldPayment>`
    select id, payment_reference as reference, invoice_number as "invoiceNumber", kind, detail, at from held_payments
    where closed_at is null order by id`);
}
