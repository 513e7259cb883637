import { expect, test } from 'vitest';
import { dueTimesOf } from '../../src/app/list-due-times.ts';
import { timesCheck } from '../../src/doctor/check-times.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { ee } from '../../src/policy/ee.ts';
import { openTestDatabase } from '../support/registry.ts';
import { sql } from '../support/sql.ts';

test('failure: the doctor says what a clock that was ahead has left; success: nothing of it', async () => {
  const { databases, close } = await openTestDatabase();
  const [database] = databases;
  if (!database) throw new Error('no database was opened');
  const db = database.writes;
  const now = new Date();
  const days = (count: number) => new Date(now.getTime() + count * 86_400_000);
  const examine = async () => {
    const check = timesCheck(dueTimesOf(ee));
    const findings = await check.examine({
      config: readConfig('sandbox', {}),
      sql: db,
      now,
      findAuthorityKey: () => expect.fail(),
    });
    return findings.map(({ state, says }) => `${state}: ${says}`);
  };
  await db.run(sql`delete from jobs`);
  await db.run(sql`insert into jobs (name, due_at, interval_ms) values ('in time', ${days(0.9)}, 86400000)`);
  expect(await examine()).toEqual(['ok: nothing waits for a time that lies too far ahead']);

  await db.run(sql`insert into jobs (name, due_at, interval_ms) values ('too late', ${days(420)}, 86400000)`);
  await db.run(sql`
    insert into mails (recipient, subject, text, html, created_at, next_attempt_at, try_until)
    values ('a@example.ee', '', '', '', ${days(420)}, ${days(420)}, ${days(423)})`);
  await db.run(sql`
    insert into history (at, object_kind, object_id, object_name, operation, actor, request_id)
    select ${days(420)}, 'domain', 1, name, 'update', 'a', 'r' from unnest(${['a.ee', 'a.ee', 'b.ee', 'c.ee', 'd.ee', 'e.ee', 'f.ee']}::text[]) as name`);
  await db.run(sql`
    insert into clock_readings (hour, leapt_from) values (date_trunc('hour', ${now}::timestamptz), date_trunc('hour', ${days(-9)}::timestamptz))`);
  await db.run(sql`insert into zones (zone, serial, published_at) values ('ee', ${Math.floor(days(420).getTime() / 1000)}::bigint, ${now})
    on conflict (zone) do update set serial = excluded.serial`);
  expect(await examine()).toEqual([
    expect.stringMatching(/^problem: No worker has run between \S+ and \S+, or the clocks/),
    'problem: Jobs are due later than their intervals allow: too late.',
    'problem: Wait for a time that lies too far ahead: mails (1).',
    'warning: Rows of history were written at a time that is still to come: 7 (a.ee, b.ee, c.ee, d.ee, e.ee, …).',
    expect.stringMatching(
      /^warning: Rows of mails were written at a time that is still to come: 1 \(\d+\)\.$/,
    ),
    expect.stringMatching(/^warning: The serial of ee, \d+, is ahead of the date\.$/),
  ]);
  await close();
});
