import { expect, test } from 'vitest';
import { cadastre, productionDatabase } from '../../support/cadastre.ts';
import { holdTime } from '../../support/held-time.ts';
import { sql } from '../../support/sql.ts';

const COMMANDS = 10;

test('success: a command that changes something opens one session', async () => {
  const { url, sql: db } = await productionDatabase();
  const sessions = async (): Promise<number> => {
    const { count } = await db.one(sql<{ count: number }>`
      select sessions::int as count from pg_stat_database where datname = current_database()`);
    return count;
  };
  // Where an answer takes long, a session of its own asks whether the server still answers: no time passes here.
  holdTime();
  const before = await sessions();
  for (let number = 0; number < COMMANDS; number++) {
    const words = ['registrar', 'create', `REG${number}`, '--name', `Registrar ${number}`];
    expect(await cadastre(words, { env: { DATABASE_URL: url } })).toMatchObject({ code: 0, stderr: '' });
  }
  // A session is counted when it ends, which is soon after its command has.
  await expect.poll(async () => (await sessions()) - before).toBeGreaterThanOrEqual(COMMANDS);
  expect((await sessions()) - before).toBeLessThanOrEqual(COMMANDS + 1);
});
