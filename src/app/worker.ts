import type { Clock } from '../platform/clock/clock.ts';
import { IntervalTask } from '../platform/concurrency/interval-task.ts';
import { type JobOutcome, Jobs } from '../platform/jobs/jobs.ts';
import { type DueJob, simulateUntil } from '../platform/jobs/simulate-until.ts';
import type { Metrics } from '../platform/metrics.ts';
import { type JobDefinition, type JobDependencies, type Lane, lanesOf } from './job-definitions.ts';

type Dependencies = JobDependencies & {
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** Checked before each job; while the clock is wrong none is claimed. The sandbox's clock is never wrong. */
  readonly isClockRight?: () => Promise<boolean>;
};

export type Worker = {
  schedule(now: Date): Promise<void>;
  /** Resolves once all due work is done, including work that a poll of this process had started. */
  runDue(now: Date): Promise<void>;
  /** Runs everything that falls due up to and including `end`, in order of time. */
  simulateUntil(end: Date, reach: (moment: Date) => Promise<void>): Promise<void>;
  /** Sends due mails or messages at once, without waiting for the next poll. */
  sendNow(what: 'mails' | 'messages', now: Date): Promise<void>;
  stop(): Promise<void>;
};

const isDueJob = (job: JobDefinition): job is JobDefinition & DueJob => job.next !== undefined;

/** Polls for due jobs. Many processes may do so concurrently. */
export async function startWorker(parts: Dependencies): Promise<Worker> {
  const { database, clock, log, metrics, isClockRight = async () => true } = parts;
  const start = async ({ definitions, checkIntervalMs }: Lane) => {
    const finished = ({ name, failure, seconds }: JobOutcome) => {
      metrics.jobs.observe({ job: name, outcome: failure === null ? 'done' : 'failed' }, seconds);
    };
    const jobs = new Jobs(database.writes, definitions, log, finished, isClockRight);
    const poll = async () => {
      if (await isClockRight()) await jobs.runDue(clock.now());
    };
    await jobs.schedule(clock.now());
    return { definitions, jobs, task: new IntervalTask(checkIntervalMs, log, poll).start() };
  };
  const lanes = await Promise.all(lanesOf(parts).map(start));
  const runDue = async (now: Date) => {
    for (const { jobs, task } of lanes) {
      await jobs.runDue(now);
      await task.settled();
    }
  };
  return {
    schedule: async (now) => {
      for (const { jobs } of lanes) await jobs.schedule(now);
    },
    runDue,
    simulateUntil: async (end, reach) => {
      const definitions = lanes.flatMap((lane) => lane.definitions).filter(isDueJob);
      await simulateUntil(definitions, { from: clock.now(), end, reach });
      await runDue(clock.now());
    },
    sendNow: async (what, now) => {
      const sends = ({ name }: JobDefinition) =>
        what === 'mails' ? name === 'deliver mails' : name.startsWith('deliver to ');
      for (const { definitions, task } of lanes.filter((lane) => lane.definitions.some(sends))) {
        // A message may depend on one that a poll of this process has claimed.
        await task.settled();
        for (const work of definitions) await work.run(now);
        await task.settled();
      }
    },
    stop: async () => {
      await Promise.all(lanes.map(({ task }) => task.stop()));
    },
  };
}
