import { expect, test } from 'vitest';
import { cadastre, productionDatabase } from '../support/cadastre.ts';
import { sql } from '../support/sql.ts';

test('success: a leap is shown and confirmed; failure: without one', async () => {
  const { url, sql: db } = await productionDatabase();
  const run = (...args: string[]) => cadastre(['clock', ...args], { env: { DATABASE_URL: url } });
  const confirm = (...args: string[]) => run('confirm', '--reason', 'the machine was off', '--yes', ...args);
  expect(await confirm()).toMatchObject({
    code: 1,
    stderr: 'The time has not leapt: nothing waits for it.\n',
  });
  await db.run(sql`
    insert into clock_readings (hour, leapt_from)
    values (date_trunc('hour', now() - interval '3 days'), null), (date_trunc('hour', now()), date_trunc('hour', now() - interval '3 days'))`);
  const shown = async () => JSON.parse((await run('show', '--json')).stdout);
  expect(await shown()).toMatchObject({
    leaptFrom: expect.any(String),
    waitsUntil: expect.any(String),
    deletesWhatWasOver: expect.any(String),
    advice: expect.stringMatching(/^The time has leapt\. If it is right: cadastre clock confirm\./),
  });
  expect(await confirm('--dry-run')).toMatchObject({ code: 0, stderr: '' });
  expect(await shown()).toMatchObject({ leaptFrom: expect.any(String) });
  const { code, stdout } = await confirm();
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^The leap to \S+ is confirmed\.\n$/)]);
  expect(await shown()).toMatchObject({ leaptFrom: null, waitsUntil: null, advice: null });
  expect(await db.rows(sql`select reason from clock_readings where confirmed_by is not null`)).toEqual([
    { reason: 'the machine was off' },
  ]);
});

test('failure: clocks that disagree are shown with their difference and what to do; success: none if they agree', async () => {
  const { url, sql: db, name } = await productionDatabase();
  const shown = async () => {
    const { code, stdout } = await cadastre(['clock', 'show', '--json'], { env: { DATABASE_URL: url } });
    expect(code).toBe(0);
    return JSON.parse(stdout);
  };
  expect(await shown()).toMatchObject({ databaseTime: expect.any(String), advice: null });
  await db.script(`
    create function clock_timestamp() returns timestamptz language sql as
      $$ select pg_catalog.clock_timestamp() - interval '1 day' $$;
    alter database ${name} set search_path = public, pg_catalog`);
  const { now, databaseTime, offsetMs, advice } = await shown();
  expect(Math.round(offsetMs / 60_000)).toBe(24 * 60);
  expect(Date.parse(now) - Date.parse(databaseTime)).toBe(offsetMs);
  expect(advice).toMatch(
    /^The clock of this machine is 86[34]\d\d(\.\d+)? s ahead of the database's: serve, work and commands that change something refuse\. Compare both with a third one: .* Correct the wrong one \(timedatectl, chronyc tracking\)/,
  );
});
