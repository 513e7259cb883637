import {
  deliverDue,
  deliverTo,
  deliverUntil,
  reachable,
  type Senders,
} from '../billing/deliveries/deliver.ts';
import type { DeliveryTarget } from '../billing/deliveries/outbox.ts';
import { issueAutomaticTopUps } from '../billing/invoices/automatic.ts';
import { followDueDates } from '../billing/invoices/overdue.ts';
import { type AskParts, askDue } from '../billing/payments/ask.ts';
import { forgetStrayEvents } from '../billing/payments/callback.ts';
import { askAboutOpen } from '../billing/payments/questions.ts';
import { refundDue } from '../billing/payments/refunds.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { forgetOldKeys } from '../platform/idempotency.ts';
import { type Job, Jobs } from '../platform/jobs.ts';
import type { Logger } from '../platform/logging.ts';
import { deliverMails } from '../platform/mail/deliver.ts';
import type { Mailer } from '../platform/mail/mailer.ts';
import { forgetOldMails } from '../platform/mail/overview.ts';
import type { Metrics } from '../platform/metrics.ts';
import { Pulse } from '../platform/pulse.ts';
import type { Policy } from '../policy/policy.ts';
import { archiveContacts } from '../registry/lifecycle/archive-contacts.ts';
import { momentOf, nextDue, runLifecycle } from '../registry/lifecycle/lifecycle.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const LOOK_EVERY_MS = 5_000;
/** Mails and messages go out at once: somebody waits for them. A look costs less than a notification in every transaction. */
const LOOK_INTO_OUTBOX_EVERY_MS = 1_000;
/** Below the time between two looks, so that each of them finds the job due. */
const OUTBOX_DUE_EVERY_MS = 500;

type Parts = {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly policy: Policy;
  /** Without one mails wait. */
  readonly mailer: Mailer | undefined;
  readonly senders: Senders;
  readonly billing: AskParts;
  /** What the outside services that the sandbox plays do by themselves. */
  readonly simulate?: (now: Date) => Promise<void>;
  /** How long mails are kept that were sent or given up; for good when undefined. */
  readonly mailsKeptForDays: number | undefined;
};
export type Worker = {
  schedule(now: Date): Promise<void>;
  /** Resolves once everything that was due is done, also what a look of this process had begun. */
  runDue(now: Date): Promise<void>;
  /** Lets the hours in which something falls due come to pass, one after the other, up to and with `end`. */
  liveUntil(end: Date, reach: (moment: Date) => Promise<void>): Promise<void>;
  /** The same for mails alone, whenever the last look was. */
  sendMails(now: Date): Promise<void>;
  /** The same for messages to other services. */
  sendDeliveries(now: Date): Promise<void>;
  stop(): Promise<void>;
};

/** All work that falls due by time. Many processes may run it at once. */
function jobList({ database, policy, billing, mailsKeptForDays: days }: Parts): Job[] {
  const { writes } = database;
  return [
    {
      name: 'domain lifecycle',
      everyMs: MINUTE_MS,
      run: (now) => runLifecycle(database, now, policy),
    },
    {
      name: 'archive contacts',
      everyMs: DAY_MS,
      run: (now) => archiveContacts(database, momentOf(now, policy)),
    },
    {
      name: 'follow due dates',
      everyMs: HOUR_MS,
      run: (now) => followDueDates(database, policy, now),
    },
    {
      name: 'issue top-ups',
      everyMs: MINUTE_MS,
      run: (now) => issueAutomaticTopUps(billing, now),
    },
    {
      name: 'reconcile payments',
      everyMs: 10 * MINUTE_MS,
      run: async (now) => {
        await askAboutOpen(writes, now);
      },
    },
    {
      name: 'forget stray events',
      everyMs: DAY_MS,
      run: (now) => untilNoneIsLeft(() => forgetStrayEvents(writes, now)),
    },
    {
      name: 'forget old idempotency keys',
      everyMs: HOUR_MS,
      run: (now) => untilNoneIsLeft(() => forgetOldKeys(writes, now)),
    },
    ...(days === undefined
      ? []
      : [
          {
            name: 'forget old mails',
            everyMs: HOUR_MS,
            run: (now: Date) => untilNoneIsLeft(() => forgetOldMails(writes, now, days)),
          },
        ]),
  ];
}

/** Apart from the others: a mail server that is slow to answer holds up mails only. */
const mailJobs = (run: Job['run']): Job[] => [{ name: 'deliver mails', everyMs: OUTBOX_DUE_EVERY_MS, run }];
/** Each target apart, for the same reason. */
const deliveryJobs = (target: DeliveryTarget, run: Job['run']): Job[] => [
  { name: `deliver to ${target}`, everyMs: OUTBOX_DUE_EVERY_MS, run },
];

/** What the payment provider knows; apart, since he may be slow. What he owes us is asked for after what he knows. */
const paymentJobs = ({ billing, simulate }: Parts): Job[] => [
  ...(simulate ? [{ name: 'simulate', everyMs: OUTBOX_DUE_EVERY_MS, run: simulate }] : []),
  { name: 'ask about payments', everyMs: OUTBOX_DUE_EVERY_MS, run: () => askDue(billing) },
  { name: 'refund payments', everyMs: OUTBOX_DUE_EVERY_MS, run: () => refundDue(billing) },
];

export async function startWorker(parts: Parts): Promise<Worker> {
  const { database, clock, log, metrics, policy, mailer, senders } = parts;
  const outgoing = { sql: database.writes, senders, log };
  const startLane = async (list: readonly Job[], everyMs: number) => {
    const jobs = new Jobs(database.writes, list, log, ({ name, failed, seconds }) => {
      metrics.jobs.observe({ job: name, outcome: failed ? 'failed' : 'done' }, seconds);
    });
    await jobs.schedule(clock.now());
    return { jobs, pulse: new Pulse(everyMs, log, () => jobs.runDue(clock.now())).start() };
  };
  const send = async (now: Date) => {
    if (mailer) await deliverMails({ sql: database.writes, mailer, log }, now);
  };
  const others = await startLane(jobList(parts), LOOK_EVERY_MS);
  const payments = await startLane(paymentJobs(parts), LOOK_INTO_OUTBOX_EVERY_MS);
  const mails = await startLane(mailer ? mailJobs(send) : [], LOOK_INTO_OUTBOX_EVERY_MS);
  const deliveries = await Promise.all(
    reachable(senders).map((target) =>
      startLane(
        deliveryJobs(target, (now) => deliverTo(outgoing, target, now)),
        LOOK_INTO_OUTBOX_EVERY_MS,
      ),
    ),
  );
  const deliveriesSettled = () => Promise.all(deliveries.map(({ pulse }) => pulse.settled()));
  // What the others write is sent afterwards.
  const lanes = [others, payments, mails, ...deliveries];
  const runDue = async (now: Date) => {
    for (const { jobs, pulse } of lanes) {
      await jobs.runDue(now);
      await pulse.settled();
    }
  };
  return {
    schedule: async (now) => {
      for (const { jobs } of lanes) await jobs.schedule(now);
    },
    runDue,
    liveUntil: async (end, reach) => {
      let reached = clock.now();
      for (;;) {
        const next = await nextDue(database, policy);
        // What falls due within an hour is done together, as a worker that looks now and then would.
        const stop = next && new Date(Math.max(next.getTime(), reached.getTime()) + HOUR_MS);
        if (!stop || stop > end) break;
        await deliverUntil(outgoing, { from: reached, end: stop, reach });
        await reach(stop);
        await runLifecycle(database, stop, policy);
        reached = stop;
      }
      await deliverUntil(outgoing, { from: reached, end, reach });
      await reach(end);
      await runLifecycle(database, end, policy);
      await runDue(clock.now());
    },
    sendMails: async (now) => {
      await send(now);
      await mails.pulse.settled();
    },
    sendDeliveries: async (now) => {
      // A message may wait for one about the same invoice that a look of this process has taken.
      await deliveriesSettled();
      await deliverDue(outgoing, now);
      await deliveriesSettled();
    },
    stop: async () => {
      await Promise.all(lanes.map(({ pulse }) => pulse.stop()));
    },
  };
}

async function untilNoneIsLeft(removeSome: () => Promise<number>): Promise<void> {
  while ((await removeSome()) > 0);
}
