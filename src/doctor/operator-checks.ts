import { type CheckKind, listChecks, type RecordedCheck } from '../platform/operator-checks.ts';
import { type DatabaseCheck, type Finding, ok, warning } from './check.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type Regular = { readonly what: string; readonly maxAgeMs: number; readonly todo: string };

/** Ages as in the alerts; the doctor itself needs no finding of its own age. */
const REGULAR: Readonly<Partial<Record<CheckKind, Regular>>> = {
  backup: {
    what: 'backup',
    maxAgeMs: 30 * HOUR_MS,
    todo: 'Run cadastre backup create daily; deploy/systemd has a timer for it.',
  },
  restore: {
    what: 'drill of a restore',
    maxAgeMs: 10 * DAY_MS,
    todo: 'Run cadastre backup drill weekly; deploy/systemd has a timer for it.',
  },
  ledger: {
    what: 'check of the ledger',
    maxAgeMs: 30 * HOUR_MS,
    todo: 'Run cadastre ledger check daily; deploy/systemd has a timer for it.',
  },
};

/** Whether backups, drills and checks of the ledger are made, and when they last succeeded. */
export const operatorChecksCheck: DatabaseCheck = {
  name: 'operator checks',
  async examine({ sql: db, config, now }) {
    // A sandbox has nothing to lose.
    const recorded = config.mode === 'sandbox' ? undefined : await listChecks(db);
    if (!recorded) return [];
    const found = Object.entries(REGULAR).flatMap(([kind, regular]) =>
      findingsOf(
        regular,
        recorded.find((check) => check.kind === kind),
        now,
      ),
    );
    return found.length > 0 ? found : [ok('backups, drills and checks of the ledger are recent')];
  },
};

function findingsOf(
  { what, maxAgeMs, todo }: Regular,
  last: RecordedCheck | undefined,
  now: Date,
): Finding[] {
  if (!last) return [warning(`There was never a ${what}.`, todo)];
  const { succeeded, succeededAt, at, detail } = last;
  if (!succeeded) return [warning(`The last ${what} failed at ${at.toISOString()}: ${detail}.`, todo)];
  return succeededAt && now.getTime() - succeededAt.getTime() <= maxAgeMs
    ? []
    : [warning(`The last ${what} is of ${succeededAt?.toISOString()}.`, todo)];
}
