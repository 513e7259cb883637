import { MAX_CLOCK_DIFFERENCE_MS } from '../platform/clock/clock.ts';
import {
  type CheckKind,
  listChecks,
  listUnfinished,
  MAX_CHECK_MS,
  type RecordedCheck,
} from '../platform/recorded-checks.ts';
import { type DatabaseCheck, type Finding, ok, warning } from './check.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type Regular = {
  readonly what: string;
  readonly maxAgeMs: number;
  readonly command: string;
  readonly interval: 'daily' | 'weekly';
};

/** Ages as in the alerts; the doctor itself needs no finding of its own age. */
const REGULAR: Readonly<Partial<Record<CheckKind, Regular>>> = {
  backup: {
    what: 'backup',
    maxAgeMs: 30 * HOUR_MS,
    command: 'cadastre backup create',
    interval: 'daily',
  },
  restore: {
    what: 'drill of a restore',
    maxAgeMs: 10 * DAY_MS,
    command: 'cadastre backup drill',
    interval: 'weekly',
  },
  ledger: {
    what: 'check of the ledger',
    maxAgeMs: 30 * HOUR_MS,
    command: 'cadastre ledger check',
    interval: 'daily',
  },
};

/** Whether backups, drills and checks of the ledger are made, and when they last succeeded. */
export const operatorChecksCheck: DatabaseCheck = {
  name: 'operator checks',
  async examine({ sql: db, config, now }) {
    // A sandbox has nothing to lose.
    if (config.mode === 'sandbox') return [];
    const recorded = await listChecks(db);
    const unfinished = await listUnfinished(db);
    const found = Object.entries(REGULAR).flatMap(([kind, regular]) => {
      const begun = unfinished.find((check) => check.kind === kind);
      return [
        ...findingsOf(
          regular,
          recorded.find((check) => check.kind === kind),
          now,
        ),
        ...(begun && now.getTime() - begun.begunAt.getTime() > MAX_CHECK_MS
          ? [unfinishedFinding(regular, begun.begunAt)]
          : []),
      ];
    });
    return found.length > 0 ? found : [ok('backups, drills and checks of the ledger are recent')];
  },
};

const unfinishedFinding = ({ what, command }: Regular, begunAt: Date): Finding =>
  warning(
    `The ${what} that began at ${begunAt.toISOString()} has not ended.`,
    `If it does not run any more, see in its log why it died, and run ${command} again.`,
  );

function findingsOf(
  { what, maxAgeMs, command, interval }: Regular,
  last: RecordedCheck | undefined,
  now: Date,
): Finding[] {
  const todo = `Run ${command} ${interval}; deploy/systemd has a timer for it.`;
  if (!last) return [warning(`There was never a ${what}.`, todo)];
  const { succeeded, succeededAt, at, detail } = last;
  if (!succeeded)
    return [
      warning(
        `The last ${what} failed at ${at.toISOString()}: ${detail.replace(/\.$/, '')}.`,
        `It ran and failed: remove the cause that the message names, and run ${command} again.`,
      ),
    ];
  if (succeededAt && succeededAt.getTime() > now.getTime() + MAX_CLOCK_DIFFERENCE_MS)
    return [
      warning(`The last ${what} was recorded by a wrong clock, as of ${succeededAt.toISOString()}.`, todo),
    ];
  return succeededAt && now.getTime() - succeededAt.getTime() <= maxAgeMs
    ? []
    : [warning(`The last ${what} is of ${succeededAt?.toISOString()}.`, todo)];
}
