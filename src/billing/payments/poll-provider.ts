import { runTransaction } from '../../operations/in-transaction.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { Logger } from '../../platform/logging.ts';
import { attemptAll, attemptDue } from '../../platform/outbox/outbox.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import { type PaymentProvider, type ProviderPayment, ProviderUnavailable } from '../provider/provider.ts';
import { applyPaymentUpdate, type Effects } from './apply-payment-update.ts';
import { invoiceNumberOf } from './payment-owner.ts';
import {
  claimDuePollLeases,
  claimPollLease,
  closePollLease,
  deleteUnknown,
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
  const lease = await claimPollLease(parts.database.writes, reference, parts.clock.now());
  return lease ? poll(parts, lease) : 'busy';
}

/** Polls all due payments, a few at a time. */
export const pollDuePayments = (parts: PollDependencies): Promise<void> =>
  attemptDue(
    () => claimDuePollLeases(parts.database.writes, parts.clock.now()),
    (lease) => poll(parts, lease),
  );

/**
 * Polls references known only from callbacks, as many as the rate limit that all processes share allows now. Not until
 * none is left: with a slow provider the limit always allows the next, and a process could not stop during a flood.
 */
export async function pollUnknownPayments(parts: PollDependencies, perSecond: number): Promise<void> {
  const leases = await claimUnknown(parts.database.writes, parts.clock.now(), perSecond);
  await attemptAll(leases, (lease) => poll(parts, lease));
}

async function poll(parts: PollDependencies, lease: PollLease): Promise<PollOutcome> {
  const { database, provider, clock, log } = parts;
  let answer: ProviderPayment | undefined;
  try {
    answer = await provider.payment(lease.reference);
  } catch (error) {
    await postponePoll(database.writes, lease, clock.now());
    if (!(error instanceof ProviderUnavailable)) throw error;
    log.warn({ payment: lease.reference, attempts: lease.attempts }, 'the provider does not answer');
    return 'away';
  }
  if (!answer) {
    await runTransaction(database.writes, clock.now(), async (db) => {
      await deleteUnknown(db, lease);
      await closePollLease(db, lease);
    });
    return 'unknown';
  }
  await applyProviderReport(parts, lease, answer);
  return 'applied';
}

/** Applies the provider's answer in one transaction. */
export async function applyProviderReport(
  parts: PollDependencies,
  lease: PollLease,
  answer: ProviderPayment,
  refund?: number,
): Promise<void> {
  const { database, clock } = parts;
  await runTransaction(database.writes, clock.now(), (db) => applyOnce(db, parts, lease, answer, refund));
}

async function applyOnce(
  db: Sql,
  parts: PollDependencies,
  lease: PollLease,
  answer: ProviderPayment,
  refund: number | undefined,
): Promise<void> {
  const { provider, clock, policy } = parts;
  const { reference } = lease;
  const at = clock.now();
  const applied = await applyPaymentUpdate(
    db,
    {
      reference,
      at,
      actor: ACTOR,
      currency: policy.currency,
      question: lease.number,
      ...(refund !== undefined && { refund }),
      invoiceNumber: lease.invoiceNumber ?? invoiceNumberOf(answer.orderReference),
      report: { ...answer, toOurAccount: answer.accountName === provider.accountName },
    },
    parts,
  );
  if (!applied) return;
  if (lease.isScheduled && applied.payment.state !== answer.state)
    await db.run(sql`
      insert into payment_differences (payment_reference, invoice_number, known_state, found_state, known_amount, found_amount, at)
      values (${reference}, ${lease.invoiceNumber}, ${applied.payment.state}, ${answer.state}, ${applied.payment.standingAmount}, ${answer.standingAmount.toString()}, ${at})`);
  await leaveQueue(db, lease, answer.state === 'settled', at);
  await closePollLease(db, lease);
}
