import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Cents } from '../../platform/values/money.ts';
import type { Policy } from '../../policy/policy.ts';
import type { PaymentProvider } from '../provider/provider.ts';
import { paymentLink } from './generate.ts';
import { insertInvoice } from './invoice-store.ts';
import { allocateNumber, dueDate } from './issue.ts';
import { lineTexts } from './line-texts.ts';
import { referenceNumberOf } from './reference-numbers.ts';
import { addVat, type Split } from './vat.ts';

export type Payer = {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly email: string | null;
};
export type TopUp = {
  readonly registrar: Payer;
  /** The net amount to credit; VAT is added to it. */
  readonly net: Cents;
  readonly automatic: boolean;
  readonly actor: string;
  /** Of the request that orders it. */
  readonly idempotencyKey?: string | null | undefined;
  readonly now: Date;
};
/** What a top-up costs, and when it is due. */
export type TopUpTerms = {
  readonly net: Cents;
  readonly vat: Cents;
  readonly total: Cents;
  readonly dueDate: string;
};
export type TopUpInvoice = TopUpTerms & { readonly number: number; readonly paymentLink: string };

export function topUpTerms(net: Cents, policy: Policy, now: Date): TopUpTerms {
  const { vat } = addVat(net, policy.billing.vatPercent);
  return { net, vat, total: net + vat, dueDate: dueDate(policy, now) };
}

/** Issues an invoice by which a registrar tops up its account. Inside the caller's transaction. */
export async function issueTopUp(
  db: Sql,
  { policy, provider }: { readonly policy: Policy; readonly provider: PaymentProvider },
  { net, ...order }: TopUp,
): Promise<TopUpInvoice> {
  const number = await insertTopUp(db, policy, { ...order, ...addVat(net, policy.billing.vatPercent) });
  return {
    number,
    ...topUpTerms(net, policy, order.now),
    paymentLink: await paymentLink(db, provider, number),
  };
}

/** Inserts the invoice over the given net amount and VAT. */
export async function insertTopUp(
  db: Sql,
  policy: Policy,
  { registrar, net, vat, automatic, actor, idempotencyKey = null, now }: TopUp & Split,
): Promise<number> {
  const { vatPercent } = policy.billing;
  const owner = {
    initiator: 'registry',
    owner: registrar.code,
    email: registrar.email ?? undefined,
  } as const;
  const referenceNumber = await referenceNumberOf(db, owner, now);
  const number = await allocateNumber(db, 'regular', 'registry', { policy, now });
  const description = `Prepayment of registrar ${registrar.code}`;
  await insertInvoice(db, {
    number,
    referenceNumber,
    vatPercent,
    description,
    automatic,
    actor,
    idempotencyKey,
    net,
    vat,
    initiator: 'registry',
    kind: 'top-up',
    currency: policy.currency,
    registrarId: registrar.id,
    buyerName: registrar.name,
    buyerEmail: registrar.email,
    issuedAt: now,
    dueDate: dueDate(policy, now),
    lines: [{ description: lineTexts.prepayment(registrar.code), quantity: 1, net }],
  });
  return number;
}

export async function findPayer(db: Sql, registrarId: number): Promise<Payer> {
  const payer = await db.one(
    sql<Payer>`select id, code, name, email from registrars where id = ${registrarId}`,
  );
  return payer;
}
