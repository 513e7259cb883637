import { runTransaction } from '../../operations/in-transaction.ts';
import { composeMail } from '../../platform/mail/compose-mail.ts';
import { enqueueMails, type Mail } from '../../platform/mail/enqueue-mails.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { type Cents, toDecimal } from '../../platform/values/money.ts';
import type { Policy } from '../../policy/policy.ts';
import type { PollDependencies } from '../payments/poll-provider.ts';
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

type Details = TopUpInvoice & { readonly to: string; readonly registrar: string; readonly currency: string };

/** The mail to a registrar whose balance has fallen to its threshold. */
function topUpMail({
  to,
  registrar,
  currency,
  number,
  dueDate: due,
  paymentLink: link,
  ...terms
}: Details): Mail {
  const [amount, vat, total] = [terms.net, terms.vat, terms.total].map(toDecimal);
  return composeMail({
    to,
    about: [],
    link,
    subject: { et: `Arve ${number} konto täiendamiseks`, en: `Invoice ${number} to top up your account` },
    paragraphs: {
      et: [
        `Registripidaja ${registrar} kontojääk on langenud seatud piirini.`,
        `Arve ${number}: ${amount} ${currency}, käibemaks ${vat}, kokku ${total}, tasuda hiljemalt ${due}. Konto täieneb, kui arve on tasutud.`,
      ],
      en: [
        `The balance of registrar ${registrar} has fallen to the threshold that was set.`,
        `Invoice ${number}: ${amount} ${currency}, VAT ${vat}, in all ${total}, due on ${due}. The account is topped up when the invoice is paid.`,
      ],
    },
  });
}

const ACTOR = 'registry';

type Due = Payer & { readonly net: string };

/**
 * Issues an invoice to every registrar whose balance has fallen to its configured threshold. While an automatic invoice
 * is payable no second one is issued.
 */
export async function issueAutomaticTopUps(
  { database, policy, provider }: PollDependencies,
  now: Date,
): Promise<void> {
  const due = await database.lists.rows(sql<{ id: number }>`
    select r.id from registrars r join ledger_accounts a on a.registrar_id = r.id and a.kind = 'registrar'
    where r.top_up_threshold is not null and a.balance <= r.top_up_threshold order by r.id`);
  for (const { id } of due) {
    await runTransaction(database.writes, now, async (db) => {
      const registrar = await db.maybe(sql<Due>`
        select r.id, r.code, r.name, r.email, r.top_up_amount::text as net from registrars r
        join ledger_accounts a on a.registrar_id = r.id and a.kind = 'registrar'
        where r.id = ${id} and r.top_up_threshold is not null and a.balance <= r.top_up_threshold
          and not exists (select from invoices i where i.registrar_id = r.id and i.automatic and i.status in ('unpaid', 'failed', 'overdue'))
        for update of r`);
      if (!registrar) return;
      const net = BigInt(registrar.net);
      const invoice = await issueTopUp(
        db,
        { policy, provider },
        { registrar, net, now, automatic: true, actor: ACTOR },
      );
      if (registrar.email === null) return;
      const mail = topUpMail({
        ...invoice,
        to: registrar.email,
        registrar: registrar.name,
        currency: policy.currency,
      });
      await enqueueMails(db, [mail], now);
    });
  }
}
