import type { Clock } from '../platform/clock/clock.ts';
import { IntervalTask } from '../platform/concurrency/interval-task.ts';
import { GatheredFailures } from '../platform/gathered-failures.ts';
import { type JobOutcome, Jobs, listDue } from '../platform/jobs/run-jobs.ts';
import { type DueJob, simulateUntil } from '../platform/jobs/simulate-until.ts';
import type { Metrics } from '../platform/metrics.ts';
import { causeOf, RepeatedFailures } from '../platform/repeated-failures.ts';
import { type JobDefinition, type JobDependencies, lanesOf } from './job-definitions.ts';

type Dependencies = JobDependencies & {
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** Checked before each job; while the clock is wrong none is claimed. The sandbox's clock is never wrong. */
  readonly isClockRight?: () => Promise<boolean>;
};

type Sent = 'mails' | 'messages' | 'webhooks';

/** Whether a job sends it, by its name. */
const SENDERS: Readonly<Record<Sent, (job: string) => boolean>> = {
  mails: (job) => job === 'deliver mails',
  messages: (job) => job.startsWith('deliver to '),
  webhooks: (job) => job === 'deliver webhooks',
};

export type Worker = {
  schedule(now: Date): Promise<void>;
  /** Runs everything that falls due up to and including `end`, in order of time, after what a poll had started. */
  simulateUntil(end: Date, reach: (moment: Date) => Promise<void>): Promise<void>;
  /** Sends what is due at once, without waiting for the next poll. */
  sendNow(what: Sent, now: Date): Promise<void>;
  stop(): Promise<void>;
};

const isDueJob = (job: JobDefinition): job is JobDefinition & DueJob => job.next !== undefined;

/** Polling costs less than a NOTIFY in every transaction. Zones are published within half a second. */
const POLL_INTERVAL_MS = 250;
const RUN_TASK = 'run due jobs';

/** The jobs that run one after the other in this process. A run never overlaps another; a failure is logged, while it lasts at intervals. */
class LaneRunner {
  readonly definitions: readonly JobDefinition[];
  readonly jobs: Jobs;
  readonly #gathered: GatheredFailures;
  readonly #failures = new RepeatedFailures();
  #underWay: Promise<void> | undefined;

  constructor(definitions: readonly JobDefinition[], jobs: Jobs, gathered: GatheredFailures) {
    this.definitions = definitions;
    this.jobs = jobs;
    this.#gathered = gathered;
  }

  /** Runs what is due, unless a run is under way: what it misses is found by the next poll. */
  start(now: Date): void {
    this.#underWay ??= this.jobs
      .runDue(now)
      .then(
        () => this.#failures.end(RUN_TASK),
        (error: unknown) => this.#reportFailure(error),
      )
      .finally(() => {
        this.#underWay = undefined;
      });
  }

  /** Resolves when the current run has ended; at once if there is none. */
  async settled(): Promise<void> {
    await this.#underWay;
  }

  #reportFailure(error: unknown): void {
    const repeated = this.#failures.add(RUN_TASK, causeOf(error));
    if (repeated !== undefined)
      this.#gathered.add({ error, jobs: this.definitions.map(({ name }) => name), repeated });
  }
}

/** Polls for due jobs. Many processes may do so concurrently. */
export async function startWorker(parts: Dependencies): Promise<Worker> {
  const { database, clock, log, metrics, isClockRight = async () => true } = parts;
  const finished = ({ name, failure, seconds }: JobOutcome) => {
    metrics.jobs.observe({ name, outcome: failure === null ? 'done' : 'failed' }, seconds);
  };
  const jobsOf = (definitions: readonly JobDefinition[]) =>
    new Jobs(database.writes, definitions, log, finished, isClockRight);
  const failures = new GatheredFailures(log, RUN_TASK);
  const lanes = lanesOf(parts).map(
    (definitions) => new LaneRunner(definitions, jobsOf(definitions), failures),
  );
  const definitions = lanes.flatMap((lane) => lane.definitions);
  const jobs = jobsOf(definitions);
  const schedule = (now: Date) => jobs.schedule(now);
  await schedule(clock.now());
  let simulations = 0;
  const polling = new IntervalTask('find due jobs', POLL_INTERVAL_MS, log, async () => {
    if (simulations > 0 || !(await isClockRight())) return;
    const now = clock.now();
    // Not among short reads: it passes over every mark of a zone that an open transaction has made.
    const due = await listDue(database.lists, definitions, now);
    for (const lane of lanes) if (lane.definitions.some(({ name }) => due.has(name))) lane.start(now);
  }).start();
  return {
    schedule,
    simulateUntil: async (end, reach) => {
      // A run that a poll began meanwhile would miss what this work enqueues, and keep it from being claimed.
      simulations += 1;
      try {
        await polling.settled();
        for (const lane of lanes) await lane.settled();
        await simulateUntil(definitions.filter(isDueJob), { from: clock.now(), end, reach });
        await jobs.runDueTogether(clock.now());
      } finally {
        simulations -= 1;
      }
    },
    sendNow: async (what, now) => {
      const sends = SENDERS[what];
      for (const lane of lanes.filter(({ definitions }) => definitions.some(({ name }) => sends(name)))) {
        // A message may depend on one that a poll of this process has claimed.
        await lane.settled();
        for (const work of lane.definitions) await work.run(now);
        await lane.settled();
      }
    },
    stop: async () => {
      await polling.stop();
      await Promise.all(lanes.map((lane) => lane.settled()));
      failures.flush();
    },
  };
}
