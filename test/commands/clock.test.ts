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
  });
  expect(await confirm('--dry-run')).toMatchObject({ code: 0, stderr: '' });
  expect(await shown()).toMatchObject({ leaptFrom: expect.any(String) });
  const { code, stdout } = await confirm();
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^The leap to \S+ is confirmed\.\n$/)]);
  expect(await shown()).toMatchObject({ leaptFrom: null, waitsUntil: null });
  expect(await db.rows(sql`select reason from clock_readings where confirmed_by is not null`)).toEqual([
    { reason: 'the machine was off' },
  ]);
});
