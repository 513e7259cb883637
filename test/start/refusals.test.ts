import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'vitest';
import { cadastre, emptyDatabase, productionDatabase } from '../support/cadastre.ts';
import { sql } from '../support/sql.ts';
import { expect, onTestFinished } from '../support/this-test.ts';
import { homeForThisTest, postmasterOf, sandboxOn } from './processes.ts';

/** A refused start must neither leave a process running nor announce an address. */
async function refused(home: string, env: Record<string, string>): Promise<string> {
  const outcome = await cadastre(['sandbox'], {
    env: { CADASTRE_HOME: home, PORT: '0', METRICS_PORT: '0', ...env },
  });
  expect(outcome).toMatchObject({ code: 1, stdout: '' });
  expect(postmasterOf(home)).toBeUndefined();
  expect(outcome.stderr).not.toMatch(/^ +at /m);
  return outcome.stderr;
}

describe.concurrent('a start that is refused', { timeout: 60_000 }, () => {
  test('failure: HOST=0.0.0.0 or METRICS_HOST=:: without --expose', async () => {
    const home = homeForThisTest(false);
    expect(await refused(home, { HOST: '0.0.0.0' })).toMatch(/^HOST is \S+: the sandbox .* --expose\.\n$/);
    expect(await refused(home, { METRICS_HOST: '::' })).toMatch(
      /^METRICS_HOST is ::: the sandbox .* --expose\.\n$/,
    );
    expect(existsSync(path.join(home, 'postgres'))).toBe(false);
  });

  test('failure: an invalid PORT', async () => {
    expect(await refused(homeForThisTest(false), { PORT: '65536' })).toBe(
      'PORT must be a whole number from 0 to 65535, not "65536".\n',
    );
  });

  test('failure: all invalid values at once, and only the name of a secret', async () => {
    const settings = {
      PORT: 'abc',
      LOG_LEVEL: 'loud',
      TRUSTED_PROXIES: '10.0.0.0/33',
      PUBLIC_URL: 'registry.example',
      DATABASE_URL: 'mysql://app:very-secret-word@db.example/x',
    };
    const complaints = await refused(homeForThisTest(false), settings);
    expect(
      complaints
        .trimEnd()
        .split('\n')
        .map((line) => line.split(' ')[0])
        .sort(),
    ).toEqual(['DATABASE_URL', 'LOG_LEVEL', 'PORT', 'PUBLIC_URL', 'TRUSTED_PROXIES']);
    expect(complaints).not.toContain('very-secret-word');
  });

  test.each([
    ['no server listens', 'postgres://app:very-secret-word@127.0.0.1:1/registry'],
    ['the address is half encoded', 'postgres://app:very-secret-word%@127.0.0.1:1/registry'],
    ['there is no such server', 'postgres://app:very-secret-word@no-such-host.invalid/registry'],
  ])('failure: DATABASE_URL where %s, without its password in the message', async (_what, url) => {
    const home = homeForThisTest(false);
    const complaint = await refused(home, { DATABASE_URL: url, LOG_LEVEL: 'trace' });
    expect(complaint).toMatch(/^(The database|DATABASE_URL) .*\.\n$/);
    expect(complaint + everythingLoggedIn(home)).not.toMatch(/very-secret-word/);
  });
});

describe.concurrent('the file that CADASTRE_CONFIG names', { timeout: 60_000 }, () => {
  function configFile(text: string): string {
    const directory = homeForThisTest(false);
    mkdirSync(directory, { recursive: true });
    const file = path.join(directory, 'cadastre.conf');
    writeFileSync(file, text);
    onTestFinished(() => rmSync(file, { force: true }));
    return file;
  }

  test('success: it sets values, and the environment takes precedence', async () => {
    const env = {
      CADASTRE_CONFIG: configFile('# how we run it\nPORT=9001\nLOG_LEVEL="warn"\nREAD_CONNECTIONS=7\n'),
      READ_CONNECTIONS: '8',
    };
    const { stdout } = await cadastre(['settings', '--json'], { env });
    const values = Object.fromEntries(
      JSON.parse(stdout).map(({ setting, value }: { setting: string; value: string }) => [setting, value]),
    );
    expect(values).toMatchObject({ PORT: '9001', LOG_LEVEL: 'warn', READ_CONNECTIONS: '8' });
  });

  test('failure: an unknown name, an invalid value, and a missing file', async () => {
    const file = configFile('PROT=9001\nLOG_LEVEL=loud\n');
    expect(await refused(homeForThisTest(false), { CADASTRE_CONFIG: file })).toBe(
      `${file} sets PROT, which is no setting of Cadastre.\n` +
        'LOG_LEVEL must be one of trace, debug, info, warn, error, silent, not "loud".\n',
    );
    expect(await refused(homeForThisTest(false), { CADASTRE_CONFIG: `${file}.gone` })).toBe(
      `CADASTRE_CONFIG names the file ${file}.gone, which cannot be read (ENOENT).\n`,
    );
  });
});

describe.concurrent('DATABASE_URL instead of the embedded database', { timeout: 60_000 }, () => {
  test('success: an empty database is marked as a sandbox and reused by the next start', async () => {
    const { url, sql: db } = await emptyDatabase();
    const home = homeForThisTest(false);
    const first = await sandboxOn(home, { DATABASE_URL: url });
    expect(await db.rows(sql`select kind from installation`)).toEqual([{ kind: 'sandbox' }]);
    expect(existsSync(path.join(home, 'postgres'))).toBe(false);
    await first.stop();
    const second = await sandboxOn(home, { DATABASE_URL: url });
    expect((await fetch(`${second.url}/health`)).status).toBe(200);
    expect(await db.rows(sql`select count(*)::int as count from registrars`)).toEqual([{ count: 3 }]);
    await second.stop();
  });

  test('failure: a database of another program and that of a production installation stay untouched', async () => {
    const [foreign, production] = [await emptyDatabase(), await productionDatabase()];
    await foreign.sql.run(sql`create table somebody_elses (id int)`);
    expect(await refused(homeForThisTest(false), { DATABASE_URL: foreign.url })).toMatch(
      /nothing was changed in it\.\n$/,
    );
    expect(await foreign.sql.rows(sql`select tablename from pg_tables where schemaname = 'public'`)).toEqual([
      { tablename: 'somebody_elses' },
    ]);
    expect(await refused(homeForThisTest(false), { DATABASE_URL: production.url })).toMatch(
      /^The database belongs to a production installation.*\.\n$/,
    );
    expect(await production.sql.rows(sql`select count(*)::int as count from registrars`)).toEqual([
      { count: 0 },
    ]);
  });
});

function everythingLoggedIn(home: string): string {
  const logs = path.join(home, 'logs');
  if (!existsSync(logs)) return '';
  return readdirSync(logs)
    .map((file) => readFileSync(path.join(logs, file), 'utf8'))
    .join('\n');
}
