import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { type Invoice, isPayable } from '../invoices/invoice.ts';
import { lockBill } from '../invoices/invoice-store.ts';
import type { BankLine } from './bank-line.ts';
import {
  candidatesOf,
  chooseOwner,
  type ReferenceOwner,
  type UnmatchedReason,
  whyUnbookable,
} from './match-rules.ts';

/** What a line pays: an invoice, locked here, or a registrar's account by an invoice still to be issued. */
export type Purpose = { readonly invoice: Invoice } | { readonly registrarId: number };

type Money = Pick<BankLine, 'amount' | 'currency'>;

export async function findPurpose(
  db: Sql,
  line: BankLine,
  currency: string,
): Promise<Purpose | UnmatchedReason> {
  const reason = whyUnbookable(line, currency);
  if (reason) return reason;
  const owner = chooseOwner(line, await findOwners(db, line));
  if (typeof owner === 'string') return owner;
  const invoice = await lockPayable(db, (within) => numberedBy(within, owner, line));
  if (invoice) return { invoice };
  return owner.registrarId === null ? 'amount' : { registrarId: owner.registrarId };
}

/** The registrar's oldest invoice that this payment pays, locked; otherwise a new invoice is to be issued. */
export async function purposeOfRegistrar(db: Sql, registrarId: number, money: Money): Promise<Purpose> {
  const find = (within: Sql) =>
    within.maybe(sql<{ number: number }>`
    select number from invoices where registrar_id = ${registrarId} and status in ('unpaid', 'failed', 'overdue')
      and amount = ${money.amount.toString()}::bigint and currency = ${money.currency} order by issued_at, number limit 1`);
  const invoice = await lockPayable(db, find);
  return invoice ? { invoice } : { registrarId };
}

/** The owners of all reference numbers that the line may mean. */
const findOwners = (db: Sql, line: BankLine): Promise<ReferenceOwner[]> =>
  db.rows(sql<ReferenceOwner>`
    select n.number, n.initiator, n.owner, r.id as "registrarId" from reference_numbers n
    left join registrars r on n.initiator = 'registry' and r.code = n.owner
    where n.number = any(${candidatesOf(line).flat()}::text[])`);

/**
 * The owner's oldest invoice over that amount; owners migrated from an older system may have several reference numbers.
 */
const numberedBy = (db: Sql, { number, initiator, owner }: ReferenceOwner, { amount, currency }: Money) =>
  db.maybe(sql<{ number: number }>`
    select i.number from invoices i
    where i.reference_number = any(array(
        select ${number} union select n.number from reference_numbers n where n.initiator = ${initiator} and n.owner = ${owner}))
      and i.initiator = ${initiator} and i.status in ('unpaid', 'failed', 'overdue')
      and i.amount = ${amount.toString()}::bigint and i.currency = ${currency} and i.kind <> 'bulk'
    order by i.issued_at, i.number limit 1`);

/** Skips invoices that were paid by other means while this transaction waited for their lock. */
async function lockPayable(
  db: Sql,
  find: (db: Sql) => Promise<{ readonly number: number } | undefined>,
): Promise<Invoice | undefined> {
  for (;;) {
    const found = await find(db);
    if (!found) return undefined;
    const bill = await lockBill(db, found.number);
    if (bill && isPayable(bill.invoice)) return bill.invoice;
  }
}
