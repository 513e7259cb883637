import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { type Cents, toDecimal } from '../../platform/values/money.ts';
import type { Policy } from '../../policy/policy.ts';
import type { PaymentProvider } from '../provider/provider.ts';
import { dueDate } from './issue.ts';
import { paymentLink } from './link.ts';
import { takeNumber } from './numbers.ts';
import { referenceNumberOf } from './references.ts';
import { insertInvoice } from './store.ts';
import { addVat, type Split } from './vat.ts';

export type Payer = {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly email: string | null;
};
export type TopUp = {
  readonly registrar: Payer;
  /** What the account is to gain; VAT is added to it. */
  readonly net: Cents;
  readonly automatic: boolean;
  readonly actor: string;
  readonly now: Date;
};
export type TopUpInvoice = {
  readonly invoice_number: number;
  readonly amount: string;
  readonly vat: string;
  readonly total: string;
  readonly due_date: string;
  readonly payment_link: string;
};

export const amountsOf = (net: Cents, policy: Policy, now: Date) => {
  const { vat } = addVat(net, policy.billing.vatPercent);
  return {
    amount: toDecimal(net),
    vat: toDecimal(vat),
    total: toDecimal(net + vat),
    due_date: dueDate(policy, now),
  };
};

/** An invoice by which a registrar pays money onto his account. Inside the caller's transaction. */
export async function issueTopUp(
  db: Sql,
  { policy, provider }: { readonly policy: Policy; readonly provider: PaymentProvider },
  { net, ...order }: TopUp,
): Promise<TopUpInvoice> {
  const number = await insertTopUp(db, policy, { ...order, ...addVat(net, policy.billing.vatPercent) });
  return {
    invoice_number: number,
    ...amountsOf(net, policy, order.now),
    payment_link: await paymentLink(db, provider, number),
  };
}

/** The invoice itself, over a net amount and its VAT however the two came about. */
export async function insertTopUp(
  db: Sql,
  policy: Policy,
  { registrar, net, vat, automatic, actor, now }: TopUp & Split,
): Promise<number> {
  const { vatPercent } = policy.billing;
  const owner = {
    initiator: 'registry',
    owner: registrar.code,
    email: registrar.email ?? undefined,
  } as const;
  const referenceNumber = await referenceNumberOf(db, owner, now);
  const number = await takeNumber(db, 'regular', 'registry', { policy, now });
  const description = `Prepayment of registrar ${registrar.code}`;
  await insertInvoice(db, {
    ...{ number, referenceNumber, vatPercent, description, automatic, actor, net, vat },
    ...{ initiator: 'registry', kind: 'top-up', currency: policy.currency, registrarId: registrar.id },
    ...{
      buyerName: registrar.name,
      buyerEmail: registrar.email,
      issuedAt: now,
      dueDate: dueDate(policy, now),
    },
    lines: [{ description, quantity: 1, net }],
  });
  return number;
}

export async function findPayer(db: Sql, registrarId: number): Promise<Payer> {
  const payer = await db.one(
    sql<Payer>`select id, code, name, email from registrars where id = ${registrarId}`,
  );
  return payer;
}
