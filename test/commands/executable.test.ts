import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  type DroppableDatabase,
  openProductionDatabase,
  productionDatabase,
  spawnCadastre,
} from '../support/cadastre.ts';
import { sql } from '../support/sql.ts';
import { expect } from '../support/this-test.ts';

/** Other tests run commands within their own process; here it is the executable, with its exit codes and streams. */
let database: DroppableDatabase;
beforeAll(async () => {
  database = await openProductionDatabase();
});
afterAll(() => database.drop());

const env = () => ({ DATABASE_URL: database.url });

describe.concurrent('the executable', { timeout: 60_000 }, () => {
  test('success: 0 and the output of the command', async () => {
    const outcome = await spawnCadastre(['registrar', 'list', '--json'], { env: env() });
    expect(outcome).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
  });

  test('failure: 1 and the reason on standard error, 2 for a usage error', async () => {
    const [refused, misused] = await Promise.all([
      spawnCadastre(['registrar', 'show', 'NOBODY'], { env: env() }),
      spawnCadastre(['registrar', 'burn'], { env: env() }),
    ]);
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toMatch(/^[^\n]*NOBODY[^\n]*\n$/);
    expect([misused.code, misused.stdout]).toEqual([2, '']);
  });

  test('failure: a closed pipe ends it, silently and immediately', async () => {
    const child = spawn(fileURLToPath(new URL('../../cadastre', import.meta.url)), ['help']);
    child.stdout.destroy();
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect({ stderr, code }).toEqual({ stderr: '', code: 141 });
  });

  test('success: its standard input is read', async () => {
    const { url, sql: db } = await productionDatabase();
    const env = { DATABASE_URL: url };
    await spawnCadastre(['registrar', 'create', 'GAMMA', '--name', 'Gamma'], { env });
    const created = await spawnCadastre(
      ['user', 'create', 'gamma', '--registrar', 'GAMMA', '--password-stdin'],
      {
        env,
        stdin: 'a-password-of-ours\n',
      },
    );
    expect(created).toMatchObject({ code: 0, stderr: '' });
    expect(await db.rows(sql`select username from api_users`)).toEqual([{ username: 'gamma' }]);
  });

  test.each([
    [['doctor']],
    [['job', 'run', 'domain lifecycle']],
    [['ca', 'init', '--name', 'Test', '--dry-run']],
    [['statement', 'list']],
  ])('success: %j leaves nothing open that would keep the process running', async (args) => {
    const { code, stdout } = await spawnCadastre(args, { env: env() });
    expect(code).not.toBeNull();
    expect(stdout).not.toBe('');
  });
});
