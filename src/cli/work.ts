import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { type Job, Jobs } from '../platform/jobs.ts';
import type { Logger } from '../platform/logging.ts';
import type { Metrics } from '../platform/metrics.ts';
import { Pulse } from '../platform/pulse.ts';
import { forgetOldKeys } from '../registry/idempotency.ts';

const HOUR_MS = 3_600_000;
const LOOK_EVERY_MS = 5_000;

type Parts = {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
};
export type Worker = {
  schedule(now: Date): Promise<void>;
  runDue(now: Date): Promise<void>;
  stop(): Promise<void>;
};

/** All work that falls due by time. Many processes may run it at once. */
function jobList({ writes }: Database): Job[] {
  return [
    {
      name: 'forget old idempotency keys',
      everyMs: HOUR_MS,
      run: async (now) => {
        while ((await forgetOldKeys(writes, now)) > 0);
      },
    },
  ];
}

export async function startWorker({ database, clock, log, metrics }: Parts): Promise<Worker> {
  const jobs = new Jobs(database.writes, jobList(database), log, ({ name, failed, seconds }) => {
    metrics.jobs.observe({ job: name, outcome: failed ? 'failed' : 'done' }, seconds);
  });
  await jobs.schedule(clock.now());
  const pulse = new Pulse(LOOK_EVERY_MS, log, () => jobs.runDue(clock.now())).start();
  return {
    schedule: (now) => jobs.schedule(now),
    runDue: (now) => jobs.runDue(now),
    stop: () => pulse.stop(),
  };
}
