import { MAX_CLOCK_DIFFERENCE_MS } from '../platform/clock/clock.ts';
import { describeLeap, readClockState } from '../platform/clock/clock-readings.ts';
import { countAhead, type DueTime } from '../platform/jobs/repair-due-times.ts';
import { listAheadJobs } from '../platform/jobs/run-jobs.ts';
import type { Sql } from '../platform/sql/executor.ts';
import { identifier, sql } from '../platform/sql/statement.ts';
import { aheadOfDate } from '../registry/zones/serial.ts';
import { type DatabaseCheck, type Finding, ok, problem, warning } from './check.ts';

/** Newest rows of each table that are looked at: a clock that is ahead writes the newest ones. */
const NEWEST_ROWS = 10_000;
const MAX_NAMES = 5;
const RUNBOOK = 'See docs/operate/clocks.md#a-wrong-clock.';

/** Tables whose rows bear the time of their writing, with the key by which they grow and what a row is called. */
const WRITTEN = [
  { table: 'history', key: 'id', column: 'at', name: 'object_name' },
  { table: 'ledger_entries', key: 'id', column: 'at', name: 'description' },
  { table: 'domains', key: 'id', column: 'created_at', name: 'name' },
  { table: 'contacts', key: 'id', column: 'created_at', name: 'code' },
  { table: 'invoices', key: 'number', column: 'issued_at', name: 'number' },
  { table: 'mails', key: 'id', column: 'created_at', name: 'id' },
] as const;

/** What a clock that is or was ahead leaves behind. */
export const timesCheck = (dueTimes: readonly DueTime[]): DatabaseCheck => ({
  name: 'times',
  async examine({ sql: db, now }) {
    const { leap } = await readClockState(db, now);
    const jobs = await listAheadJobs(db, now);
    const waiting = await countAhead(db, dueTimes, now);
    const written = await findWrittenAhead(db, now);
    const found: Finding[] = [
      ...(leap
        ? [
            problem(
              describeLeap(leap),
              `See whether the clocks are right, then confirm it or wait. ${RUNBOOK}`,
            ),
          ]
        : []),
      ...(jobs.length > 0
        ? [
            problem(
              `Jobs are due later than their intervals allow: ${jobs.join(', ')}.`,
              `Start cadastre work: it runs them at once. ${RUNBOOK}`,
            ),
          ]
        : []),
      ...waiting.map(({ what, count }) =>
        problem(
          `Wait for a time that lies too far ahead: ${what} (${count}).`,
          'Start cadastre work, or repair them at once with: cadastre job run "repair due times"',
        ),
      ),
      ...written.map(({ table, count, names }) =>
        warning(
          `Rows of ${table} were written at a time that is still to come: ${count} (${names.slice(0, MAX_NAMES).join(', ')}${names.length > MAX_NAMES ? ', …' : ''}).`,
          RUNBOOK,
        ),
      ),
    ];
    found.push(...(await examineSerials(db, now)));
    return found.length > 0 ? found : [ok('nothing waits for a time that lies too far ahead')];
  },
});

async function examineSerials(db: Sql, now: Date): Promise<Finding[]> {
  const zones = await db.rows(
    sql<{ zone: string; serial: number }>`select zone, serial from zones order by zone`,
  );
  return zones
    .filter(({ serial }) => aheadOfDate(serial, now) !== undefined)
    .map(({ zone, serial }) =>
      warning(
        `The serial of ${zone}, ${serial}, is ahead of the date.`,
        `Nothing has to be done. To lead it back to the date: cadastre zone lower ${zone}`,
      ),
    );
}

type WrittenAhead = { readonly table: string; readonly count: number; readonly names: readonly string[] };

async function findWrittenAhead(db: Sql, now: Date): Promise<WrittenAhead[]> {
  const limit = new Date(now.getTime() + MAX_CLOCK_DIFFERENCE_MS);
  const found: WrittenAhead[] = [];
  for (const { table, key, column, name } of WRITTEN) {
    const { count, names } = await db.one(sql<Omit<WrittenAhead, 'table'>>`
      with ahead as materialized (
        select name from (
          select ${identifier(column)} as time, ${identifier(name)}::text as name
          from ${identifier(table)} order by ${identifier(key)} desc limit ${NEWEST_ROWS}) as newest
        where time > ${limit})
      select (select count(*) from ahead) as count,
        array(select distinct name from ahead order by name limit ${MAX_NAMES + 1}) as names`);
    if (count > 0) found.push({ table, count, names });
  }
  return found;
}
