import { createServer } from 'node:net';
import { describe, test } from 'vitest';
import { type PaymentProvider, ProviderUnavailable } from '../../src/billing/provider/provider.ts';
import { exceptInCopies } from '../../src/billing/provider/staging-provider.ts';
import { describeMove } from '../../src/platform/installation-copy.ts';
import {
  cadastre,
  type Environment,
  type ProductionDatabase,
  productionDatabase,
  startServe,
  startWork,
} from '../support/cadastre.ts';
import { freePort } from '../support/free-port.ts';
import { sql } from '../support/sql.ts';
import { expect, onTestFinished } from '../support/this-test.ts';

/** All external services at one address, which counts the callers. */
async function startOutside() {
  const port = await freePort();
  const outside = { calls: 0 };
  const server = createServer((socket) => {
    outside.calls += 1;
    socket.on('error', () => {}).destroy();
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${port}`;
  const env: Environment = {
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'registry@example.ee',
    PROVIDER_URL: url,
    PROVIDER_LINK_URL: url,
    PROVIDER_USER: 'user',
    PROVIDER_SECRET: 'a secret of the provider',
    PROVIDER_ACCOUNT: 'EUR1',
    PROVIDER_LINK_TOKEN: 'token',
    AUCTION_URL: url,
    BILLING_SECRET_AUCTION: 'a secret of the auction',
    ACCOUNTING_URL: url,
    EINVOICE_URL: url,
    EINVOICE_AUTH_PHRASE: 'phrase',
  };
  return { outside, env };
}

/** A mail, a message to a service, a payment to poll and a refund, all due. */
const fillOutbox = ({ sql: db }: ProductionDatabase) =>
  db.script(`
    insert into mails (recipient, subject, text, html, created_at, next_attempt_at, try_until)
    values ('a@example.ee', 's', 't', 'h', now(), now(), now() + interval '1 day');
    insert into deliveries (id, target, kind, body, created_at, next_attempt_at, try_until)
    values (gen_random_uuid(), 'service:auction', 'invoice-paid', '{}', now(), now(), now() + interval '1 day');
    insert into payments (reference, created_at, poll_at) values ('one', now(), now());
    insert into refunds (payment_reference, amount, reason, actor, created_at, next_attempt_at)
    values ('one', 100, 'r', 'a', now(), now());`);

const attempts = ({ sql: db }: ProductionDatabase) =>
  db.one(sql`
    select (select attempts from mails) as mail, (select attempts from deliveries) as delivery,
      (select attempts from refunds) as refund, (select poll_number from payments) as payment`);

/** Positions in the feed of events are those of one database server: of another one they are of a new era. */
const erasOf = async ({ sql: db }: ProductionDatabase): Promise<number> =>
  (await db.rows(sql`select from event_eras`)).length;

const run = (database: ProductionDatabase, ...args: string[]) =>
  cadastre(args, { env: { DATABASE_URL: database.url } });

/** A repair of the original is in the backup too, and none of the copy. */
async function expectRepairRequired(database: ProductionDatabase) {
  await database.sql.run(sql`
    insert into recoveries (recovery_point, at, actor, reason, repaired)
    select copy_since - interval '2 days', copy_since - interval '1 day', 'anna', null, '{}' from installation`);
  expect(await run(database, 'recovery', 'confirm', '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Run cadastre recovery repair first, or add --without-repair'),
  });
  expect((await run(database, 'recovery', 'confirm', '--without-repair', '--dry-run')).code).toBe(0);
  const advice = 'needs cadastre recovery repair, which was not run since';
  expect((await run(database, 'doctor')).stdout).toContain(advice);
  expect((await run(database, 'recovery', 'repair', '--yes')).code).toBe(0);
  expect((await run(database, 'doctor')).stdout).not.toContain(advice);
}

describe.concurrent('a copy', () => {
  test('success: nothing leaves a staging copy, and it is marked as one everywhere', async () => {
    const database = await productionDatabase();
    await fillOutbox(database);
    const { outside, env } = await startOutside();
    expect(await run(database, 'staging', 'on', '--yes', '--reason', 'a test')).toEqual({
      code: 0,
      stdout: `${database.name} is a staging copy: nothing leaves it.\n`,
      stderr: '',
    });
    expect(await erasOf(database)).toBe(1);
    const worker = await startWork(database.url, env);
    // They are scheduled before the worker says that it has started.
    const names = (await database.sql.rows(sql<{ name: string }>`select name from jobs`)).map(
      ({ name }) => name,
    );
    expect(names.filter((name) => /deliver|poll|refund|export|import/.test(name))).toEqual([]);
    expect(worker.output()).toContain('staging: no mail, no payment, no message leaves this copy');
    const job = await cadastre(['job', 'run', 'deliver mails'], {
      env: { DATABASE_URL: database.url, ...env },
    });
    expect(job).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no job deliver mails') });
    const doctor = await cadastre(['doctor'], { env: { DATABASE_URL: database.url, ...env } });
    expect(doctor.stdout).toContain('This is a copy for staging');
    expect(await attempts(database)).toEqual({ mail: 0, delivery: 0, refund: 0, payment: 0 });
    expect(outside.calls).toBe(0);

    const server = await startServe(database.url, env);
    onTestFinished(async () => void (await server.stop()));
    for (const page of ['health', 'ready'])
      expect(await (await fetch(`${server.url}/${page}`)).json()).toMatchObject({ copy: 'staging' });
    expect(await (await fetch(server.url)).text()).toContain('A copy of a domain registry for tests');
    expect(await (await fetch(`${server.url}/console/login`)).text()).toContain(
      '<span class="badge">Staging</span>',
    );
    expect(JSON.parse((await run(database, 'staging', 'status', '--json')).stdout)).toMatchObject({
      copy: 'staging',
      reason: 'a test',
    });
  });

  test('success: the same settings and rows reach every service where it is no copy', async () => {
    const database = await productionDatabase();
    await fillOutbox(database);
    const { env } = await startOutside();
    await startWork(database.url, env);
    await expect
      .poll(async () => Object.values(await attempts(database)).every((count) => Number(count) > 0))
      .toBe(true);
  });

  test('failure: a restored one neither serves nor works before it is declared', async () => {
    const database = await productionDatabase();
    await database.sql.run(sql`
      update installation set copy_state = 'unconfirmed', copy_since = now(), copy_reason = 'restored from a backup'`);
    const refused = {
      code: 1,
      stderr: expect.stringContaining('was restored from a backup, and may be a copy'),
    };
    expect(await run(database, 'serve')).toMatchObject(refused);
    expect(await run(database, 'work')).toMatchObject(refused);
    expect(await run(database, 'job', 'run', 'domain lifecycle')).toMatchObject(refused);
    expect((await run(database, 'doctor')).stdout).toContain('was restored from a backup, and may be a copy');
    await expectRepairRequired(database);
    expect(await run(database, 'recovery', 'confirm')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('add --yes if it is meant'),
    });
    expect(await erasOf(database)).toBe(0);
    expect(await run(database, 'recovery', 'confirm', '--yes')).toMatchObject({ code: 0, stderr: '' });
    expect(await erasOf(database)).toBe(1);
    await startWork(database.url);
    expect((await run(database, 'doctor')).stdout).toContain('the registry itself, not a copy');
  });

  test('failure: an undeclared one is recognised by its cluster and its database', async () => {
    const database = await productionDatabase();
    const worker = await startWork(database.url);
    await worker.stop();
    const recorded = await database.sql.one(sql`
      select system_identifier, database_oid, database_hosts from installation`);
    expect(recorded).toEqual({
      system_identifier: expect.stringMatching(/^\d+$/),
      database_oid: expect.any(Number),
      database_hosts: [],
    });
    await database.sql.run(sql`update installation set database_oid = database_oid + 1`);
    for (const command of ['serve', 'work'])
      expect(await run(database, command)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('This may be a copy of the registry: it was the database with oid'),
      });
    await database.sql.run(sql`update installation set system_identifier = '1'`);
    expect((await run(database, 'work')).stderr).toContain('it was on the PostgreSQL cluster 1 and is on');
    expect((await run(database, 'doctor')).stdout).toContain('This may be a copy');
    expect((await run(database, 'staging', 'on', '--yes')).code).toBe(0);
    await startWork(database.url);
  });

  test('failure: a worker stops as soon as its database is declared a copy, permanently', async () => {
    const database = await productionDatabase();
    const worker = await startWork(database.url);
    expect(await run(database, 'staging', 'on')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not known to be a copy'),
    });
    await run(database, 'staging', 'on', '--yes');
    await expect.poll(worker.output).toContain('the installation was declared as something else');
    expect(await run(database, 'recovery', 'confirm', '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('This is a staging copy'),
    });
  });

  test('failure: no command accepts a half-restored database', async () => {
    const database = await productionDatabase();
    await database.sql.run(sql`delete from installation`);
    for (const command of [['serve'], ['work'], ['registrar', 'list'], ['staging', 'on', '--yes']])
      expect(await run(database, ...command)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('The database has no schema yet'),
      });
    expect((await run(database, 'migrate')).stderr).toContain('not empty and was not made by Cadastre');
  });

  test('failure: the payment provider is not called by a copy, even if it becomes one while it runs', async () => {
    let isCopy = false;
    const called: string[] = [];
    const real: PaymentProvider = {
      accountName: 'EUR1',
      payment: async (reference) => void called.push(reference),
      oneoff: () => Promise.reject(new Error('called')),
      refund: () => Promise.reject(new Error('called')),
      link: () => 'https://pay.example',
    };
    const provider = exceptInCopies(real, () => isCopy);
    const order = { reference: 'r', amount: 100n, nonce: 'n' };
    const link = { invoiceNumber: 1, amount: 100n, customerName: null, customerEmail: null };
    const linkOrder = { ...link, customField1: null, customField2: null, referenceNumber: null };
    await provider.payment('known');
    expect(provider.link(linkOrder)).toBe('https://pay.example');
    await expect(provider.refund(order)).rejects.toThrow('called');
    isCopy = true;
    await expect(provider.payment('again')).rejects.toBeInstanceOf(ProviderUnavailable);
    await expect(provider.refund(order)).rejects.toBeInstanceOf(ProviderUnavailable);
    const oneoff = { amount: 100n, orderReference: '1', customerUrl: '', referenceNumber: null };
    await expect(provider.oneoff(oneoff)).rejects.toBeInstanceOf(ProviderUnavailable);
    expect(() => provider.link(linkOrder)).toThrow(ProviderUnavailable);
    expect(called).toEqual(['known']);
  });

  test('success: hosts are compared where they are significant', () => {
    const place = (hosts: string[], systemIdentifier: string | null = '7') => ({
      systemIdentifier,
      databaseOid: 5,
      hosts,
    });
    expect(describeMove(place(['db1', 'db2']), place(['db2', 'db3']))).toBeUndefined();
    expect(describeMove(place(['db1']), place([]))).toBeUndefined();
    expect(describeMove(place([]), place(['db1']))).toBeUndefined();
    expect(describeMove(place(['db1'], null), place(['db1']))).toBeUndefined();
    expect(describeMove(place(['db1']), place(['copy']))).toBe('it was at db1 and is at copy');
  });
});
