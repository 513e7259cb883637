import { runTransaction } from '../../operations/in-transaction.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { Logger } from '../../platform/logging.ts';
import type { Database } from '../../platform/sql/database.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import { type PaymentProvider, type ProviderPayment, ProviderUnavailable } from '../provider/provider.ts';
import { applyPaymentUpdate, type Effects } from './apply-payment-update.ts';
import {
  claimDuePollLeases,
  claimPollLease,
  closePollLease,
  forgetUnknown,
  type PollLease,
  postponePoll,
} from './poll-leases.ts';
import { claimUnknown, leaveQueue } from './unknown-payments.ts';

export type PollDependencies = Effects & {
  readonly database: Database;
  readonly provider: PaymentProvider;
  readonly clock: Clock;
  readonly log: Logger;
  readonly policy: Policy;
};
export type PollOutcome = 'applied' | 'unknown' | 'away' | 'busy';

const ACTOR = 'payment provider';

/** Polls the provider about one payment and brings our books to its report. */
export async function pollPayment(parts: PollDependencies, reference: string): Promise<PollOutcome> {
  const question = await claimPollLease(parts.database.writes, reference, parts.clock.now());
  return question ? ask(parts, question) : 'busy';
}

/** Polls all due payments, a few at a time, until none is due. */
export async function pollDuePayments(parts: PollDependencies): Promise<void> {
  for (;;) {
    const questions = await claimDuePollLeases(parts.database.writes, parts.clock.now());
    if (questions.length === 0) return;
    await askAll(parts, questions);
  }
}

/** Polls references known only from callbacks, within the rate limit that all processes share. */
export async function pollUnknownPayments(parts: PollDependencies, perSecond: number): Promise<void> {
  for (;;) {
    const questions = await claimUnknown(parts.database.writes, parts.clock.now(), perSecond);
    if (questions.length === 0) return;
    await askAll(parts, questions);
  }
}

async function askAll(parts: PollDependencies, questions: readonly PollLease[]): Promise<void> {
  const ends = await Promise.allSettled(questions.map((question) => ask(parts, question)));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

async function ask(parts: PollDependencies, question: PollLease): Promise<PollOutcome> {
  const { database, provider, clock, log } = parts;
  let answer: ProviderPayment | undefined;
  try {
    answer = await provider.payment(question.reference);
  } catch (error) {
    await postponePoll(database.writes, question, clock.now());
    if (!(error instanceof ProviderUnavailable)) throw error;
    log.warn({ payment: question.reference, attempts: question.attempts }, 'the provider does not answer');
    return 'away';
  }
  if (!answer) {
    await runTransaction(database.writes, clock.now(), async (db) => {
      await forgetUnknown(db, question);
      await closePollLease(db, question);
    });
    return 'unknown';
  }
  await applyProviderReport(parts, question, answer);
  return 'applied';
}

/** Applies the provider's answer in one transaction. */
export async function applyProviderReport(
  parts: PollDependencies,
  question: PollLease,
  answer: ProviderPayment,
  refund?: number,
): Promise<void> {
  const { database, clock } = parts;
  await runTransaction(database.writes, clock.now(), (db) => hearOnce(db, parts, question, answer, refund));
}

async function hearOnce(
  db: Sql,
  parts: PollDependencies,
  question: PollLease,
  answer: ProviderPayment,
  refund: number | undefined,
): Promise<void> {
  const { provider, clock, policy } = parts;
  const { reference } = question;
  const at = clock.now();
  const heard = await applyPaymentUpdate(
    db,
    {
      ...{ reference, at, actor: ACTOR, currency: policy.currency, question: question.number },
      ...(refund !== undefined && { refund }),
      invoiceNumber: question.invoiceNumber ?? invoiceNumberOf(answer.orderReference),
      told: { ...answer, toOurAccount: answer.accountName === provider.accountName },
    },
    parts,
  );
  if (!heard) return;
  if (question.unprompted && heard.payment.state !== answer.state)
    await db.run(sql`
      insert into payment_differences (payment_reference, invoice_number, known_state, found_state, known_amount, found_amount, at)
      values (${reference}, ${question.invoiceNumber}, ${heard.payment.state}, ${answer.state}, ${heard.payment.standingAmount}, ${answer.standingAmount.toString()}, ${at})`);
  await leaveQueue(db, question, answer.state === 'settled', at);
  await closePollLease(db, question);
}

/** The invoice number in our order reference: `150005`, or `Ref:150007, 150005, 150006` of a bulk payment. */
export function invoiceNumberOf(orderReference: string): number | undefined {
  const [, digits] = /^(?:Ref:)?\s*(\d{1,15})(?:,|$)/.exec(orderReference) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
