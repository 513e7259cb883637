import { expect, test } from 'vitest';
import { jobsCheck } from '../../src/doctor/check-jobs.ts';
import { confirmClock } from '../../src/installation/confirm-clock.ts';
import { carryOut } from '../../src/operations/operator-operation.ts';
import { describeLeap, readClockState } from '../../src/platform/clock/clock-readings.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { operator } from '../support/operator.ts';
import { openTestDatabase } from '../support/registry.ts';
import { sql } from '../support/sql.ts';

test('failure: jobs that wait because the time has leapt are one finding, and others one each; success: once they have run', async () => {
  const { databases, close } = await openTestDatabase();
  const [database] = databases;
  if (!database) throw new Error('no database was opened');
  const db = database.writes;
  const now = new Date();
  const examine = () =>
    jobsCheck.examine({
      config: readConfig('sandbox', {}),
      sql: db,
      now,
      findAuthorityKey: () => expect.fail(),
    });
  await db.run(sql`
    insert into clock_readings (hour, leapt_from)
    values (date_trunc('hour', ${now}::timestamptz), date_trunc('hour', ${now}::timestamptz - interval '9 days'))`);
  const { leap } = await readClockState(db, now);
  if (!leap) throw new Error('the time has not leapt');
  await db.run(sql`delete from jobs`);
  await db.run(sql`
    insert into jobs (name, due_at, interval_ms, started_at, finished_at, failures, last_failure)
    select name, ${now}, 60000, ${now}, ${now}, failures, failure
    from unnest(${['archive contacts', 'deliver mails', 'domain lifecycle', 'publish zones']}::text[], ${[2, 3, 2, 0]}::int[],
      ${[describeLeap(leap), 'away', describeLeap(leap), null]}::text[]) as job(name, failures, failure)`);
  const others = {
    state: 'problem',
    says: 'deliver mails has failed 3 times in a row (away).',
    todo: expect.stringContaining('cadastre job run "deliver mails"'),
  };
  expect(await examine()).toEqual([
    {
      state: 'problem',
      says: 'The time has leapt, and these jobs wait for a day or for confirmation: archive contacts, domain lifecycle.',
      todo: 'See whether the clocks are right: cadastre clock show',
    },
    others,
  ]);
  await carryOut(db, confirmClock, {}, operator({ now }));
  expect(await examine()).toEqual([
    {
      state: 'problem',
      says: 'These jobs have not run since the time had leapt: archive contacts, domain lifecycle.',
      todo: 'They run at their next time, or now, for instance: cadastre job run "archive contacts"',
    },
    others,
  ]);
  await db.run(sql`update jobs set failures = 0`);
  expect(await examine()).toEqual([{ state: 'ok', says: '4 jobs run when they are due' }]);
  await close();
});
