import { describe, test } from 'vitest';
import { seedDatabase } from '../../src/app/seed.ts';
import { migrate } from '../../src/platform/migrations/migrate.ts';
import { programSchema } from '../../src/platform/migrations/migration.ts';
import { ee } from '../../src/policy/ee.ts';
import { Service } from '../support/billing.ts';
import { cadastre, emptyDatabase, startServe, startWork } from '../support/cadastre.ts';
import { freshName } from '../support/domains.ts';
import { freePort } from '../support/free-port.ts';
import { Portal } from '../support/portal.ts';
import { makeEveryCall, makeTraffic } from '../support/production-set-up.ts';
import { sql } from '../support/sql.ts';
import { expect, onTestFinished } from '../support/this-test.ts';
import { askWhois } from '../support/whois.ts';

const SETTINGS = {
  BILLING_SECRET_AUCTION: 'auction-sandbox-secret',
  PORTAL_ALLOWED_IPS: '127.0.0.0/8',
  DNS_PORT: '0',
  PROVIDER_URL: 'http://127.0.0.1:1',
  PROVIDER_LINK_URL: 'http://127.0.0.1:1',
  PROVIDER_USER: 'user',
  PROVIDER_SECRET: 'a secret of the provider',
  PROVIDER_ACCOUNT: 'EUR1',
  PROVIDER_LINK_TOKEN: 'token',
};

const ACTIVITY = sql`
  select pid, state, wait_event_type, wait_event, now() - xact_start as since, left(query, 200) as query from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend' and state <> 'idle'`;

describe('this program on the schema of the release before', () => {
  test('success: registrations, renewals, transfers, a reservation, an invoice and jobs, and then the migration', async () => {
    const { url, sql: db } = await emptyDatabase();
    const { migrations, oldest } = programSchema();
    const earlier = migrations.filter(({ version }) => version <= oldest);
    expect(earlier.length).toBeLessThan(migrations.length);
    await migrate(db, 'production', new Date(), earlier);
    await seedDatabase(db, ee, new Date());
    const whoisPort = await freePort();
    const server = await startServe(url, { ...SETTINGS, WHOIS_PORT: String(whoisPort) });
    onTestFinished(async () => void (await server.stop()));
    const isReady = async () => (await fetch(`${server.url}/ready`)).status;
    expect(await isReady()).toBe(200);

    const whois = () => askWhois(whoisPort, 'vaba.ee\r\n');
    expect(await whois()).toContain('Domain not found');

    await makeEveryCall(server.url);
    await makeTraffic(server.url, 3);
    expect((await new Portal(server.url).reserve(freshName())).status).toBe(201);
    const auction = new Service(server.url);
    expect(await auction.status((await auction.invoice()).number)).toBe('unpaid');

    const run = (...args: string[]) => cadastre(args, { env: { DATABASE_URL: url } });
    expect((await run('registrar', 'create', 'GAMMA', '--name', 'Gamma')).code).toBe(0);
    expect((await run('registrar', 'update', 'GAMMA', '--phone', '+372.6123456')).code).toBe(0);
    const gamma = JSON.parse((await run('registrar', 'show', 'GAMMA', '--json')).stdout);
    expect(gamma).toMatchObject({ email: null, phone: '+372.6123456' });

    const lookUp = async () => (await fetch(`${server.url}/rdap/entity/GAMMA`)).status;
    expect(await lookUp()).toBe(200);

    const { name } = await db.one(sql<{ name: string }>`
      select min(name) as name from domains where statuses = '{}'`);
    const causes = async () =>
      (
        await db.one(
          sql<{ causes: string[] }>`select hold_causes as causes from domains where name = ${name}`,
        )
      ).causes;
    const hold = () => run('domain', 'set-status', name, 'serverHold');
    const release = () => run('domain', 'cancel-status', name, 'serverHold');
    expect((await hold()).code).toBe(0);
    expect(await causes()).toEqual(['registry']);
    expect((await release()).code).toBe(0);
    expect((await hold()).code).toBe(0);

    const worker = await startWork(url);
    const unfinished = async () => {
      const jobs = await db.rows(
        sql`select name, started_at, failures, last_failure from jobs where finished_at is null or failures > 0`,
      );
      // What the database and the worker are doing says why a job has not finished.
      const reasons = [...(await db.rows(ACTIVITY)), worker.output().slice(-2_000)];
      return jobs.length === 0 ? [] : [...jobs, ...reasons];
    };
    // Every job once, of a process that has just started: on a busy machine that takes half a minute.
    await expect.poll(unfinished, { timeout: 60_000, interval: 500 }).toEqual([]);

    expect(await cadastre(['migrate'], { env: { DATABASE_URL: url } })).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(await isReady()).toBe(200);
    expect(await whois()).toContain('Domain not found');
    expect(await lookUp()).toBe(200);
    expect((await release()).code).toBe(0);
    expect(await causes()).toEqual([]);
    await makeTraffic(server.url, 3);
    await worker.stop();
  }, 120_000);
});
