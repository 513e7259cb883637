import { isLeapFailure, readClockState } from '../platform/clock/clock-readings.ts';
import { type JobRecord, listJobs } from '../platform/jobs/run-jobs.ts';
import { type DatabaseCheck, type Finding, ok, problem } from './check.ts';

/** Workers poll every few seconds, but may be busy with a preceding run. */
const LATE_AFTER_MS = 5 * 60_000;

export const jobsCheck: DatabaseCheck = {
  name: 'jobs',
  async examine({ sql: db, now }) {
    const jobs = await listJobs(db);
    const late = jobs.filter(({ next }) => now.getTime() - next.getTime() > LATE_AFTER_MS);
    const failing = jobs.filter(({ failures }) => failures > 0);
    const leapt = failing.filter(({ lastFailure }) => isLeapFailure(lastFailure));
    const stopped = jobs.filter(({ stops }) => stops.length > 0);
    if (jobs.length === 0) return [problem('No worker has ever run.', 'Start cadastre work.')];
    return [
      ...(late.length > 0 ? [lateFinding(late)] : []),
      ...(leapt.length > 0 ? [leaptFinding(leapt, (await readClockState(db, now)).leap !== undefined)] : []),
      ...failing.filter((job) => !leapt.includes(job)).map(failingFinding),
      ...stopped.map(stoppedFinding),
      ...(late.length + failing.length + stopped.length === 0
        ? [ok(`${jobs.length} jobs run when they are due`)]
        : []),
    ];
  },
};

const lateFinding = (late: readonly JobRecord[]): Finding =>
  problem(
    `Nobody has run what was due more than five minutes ago: ${late.map(({ name }) => name).join(', ')}.`,
    'Start cadastre work, with the settings that these jobs need.',
  );

/** One cause, whose text is a finding of the times. */
function leaptFinding(leapt: readonly JobRecord[], isWaiting: boolean): Finding {
  const names = leapt.map(({ name }) => name);
  return isWaiting
    ? problem(
        `The time has leapt, and these jobs wait for a day or for confirmation: ${names.join(', ')}.`,
        'See whether the clocks are right: cadastre clock show',
      )
    : problem(
        `These jobs have not run since the time had leapt: ${names.join(', ')}.`,
        `They run at their next time, or now, for instance: cadastre job run "${names[0]}"`,
      );
}

const failingFinding = ({ name, failures, lastFailure }: JobRecord): Finding =>
  problem(
    `${name} has failed ${failures} times in a row (${lastFailure ?? 'no reason was kept'}).`,
    `See its history in the log of cadastre work, and try it with: cadastre job run "${name}"`,
  );

const stoppedFinding = ({ name, stops }: JobRecord): Finding =>
  problem(
    `${name} has stopped, since it would do more than policy allows (${stops.join('. ')}).`,
    `See whether that is right; if it is meant: cadastre job approve "${name}"`,
  );
