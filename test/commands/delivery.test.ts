import { describe, test } from 'vitest';
import { type Delivery, enqueueDeliveries } from '../../src/billing/deliveries/document-deliveries.ts';
import type { Sql } from '../../src/platform/sql/executor.ts';
import {
  cadastre,
  type Environment,
  productionDatabase,
  startWork,
  startWorkProcess,
} from '../support/cadastre.ts';
import { holdTimeouts } from '../support/held-timeouts.ts';
import { samplesAt } from '../support/metrics.ts';
import { message, openService, type TestService } from '../support/service.ts';
import { sql } from '../support/sql.ts';
import { expect } from '../support/this-test.ts';
import { NOTICED } from '../support/waiting.ts';

/** Several processes start at once. */
const PROCESSES = { timeout: 60_000 };
const SECRET = 'a-secret-of-the-auction-service';

const write = async (db: Sql, ...messages: Partial<Delivery>[]) => {
  const deliveries = messages.map(message);
  await enqueueDeliveries(db, deliveries, new Date());
  return deliveries.map(({ id }) => id);
};
const undelivered = async (db: Sql) =>
  (
    await db.rows(
      sql<{ count: number }>`select count(*)::int as count from deliveries where delivered_at is null`,
    )
  )[0]?.count;

const deliveringTo = ({ url }: TestService): Environment => ({
  AUCTION_URL: `${url}/payment_status`,
  BILLING_SECRET_AUCTION: SECRET,
});

describe.concurrent('cadastre work', PROCESSES, () => {
  test('success: two workers deliver each message once, soon after it was written, and do not log it', async () => {
    const { url, sql: db } = await productionDatabase();
    const service = await openService();
    const workers = await Promise.all([
      startWork(url, deliveringTo(service)),
      startWork(url, deliveringTo(service)),
    ]);
    const [first] = await write(db, {});
    await expect.poll(() => service.received.map(({ id }) => id)).toEqual([first]);
    await write(db, ...Array.from({ length: 80 }, () => ({ body: '"Words"' })));
    await expect.poll(() => undelivered(db), { timeout: 20_000 }).toBe(0);
    expect(service.received).toHaveLength(81);
    for (const worker of workers) expect(await worker.stop()).toBe(0);
    const logged = workers.map((worker) => worker.output()).join('');
    expect(logged.match(/"msg":"delivered"/g)).toHaveLength(81);
    expect(logged).not.toMatch(new RegExp(`Words|${SECRET}|Bearer`));
  });

  test('success: killed between delivery and its record, the next worker delivers it again under the same id', async () => {
    const { url, sql: db } = await productionDatabase();
    const service = await openService();
    const worker = await startWorkProcess(url, deliveringTo(service));
    service.answer = () => {
      worker.child.kill('SIGKILL');
      return 200;
    };
    const [id] = await write(db, {});
    await worker.closed;
    service.answer = () => 200;
    expect(await db.rows(sql`select attempts, delivered_at, gave_up_at from deliveries`)).toEqual([
      { attempts: 1, delivered_at: null, gave_up_at: null },
    ]);
    await startWork(url, deliveringTo(service));
    await db.run(sql`update deliveries set next_attempt_at = next_attempt_at - interval '2 minutes'`);
    await expect.poll(() => undelivered(db)).toBe(0);
    expect(service.received.map((received) => received.id)).toEqual([id, id]);
  });
});

describe.concurrent('cadastre delivery', PROCESSES, () => {
  test('success: waiting and given-up messages, until they are retried', async () => {
    const { url, sql: db } = await productionDatabase();
    const service = await openService();
    const run = (...args: string[]) => cadastre(['delivery', ...args], { env: { DATABASE_URL: url } });
    expect(await run('list')).toEqual({ code: 0, stdout: '(none)\n', stderr: '' });

    service.answer = () => 401;
    const [lost, refused, withoutAddress] = await write(db, {}, {}, { target: 'service:eeid' });
    await db.run(sql`
      update deliveries set attempts = 82, created_at = now() - interval '20 days', try_until = now() - interval '17 days',
        gave_up_at = now() - interval '17 days', last_error = 'Answered 503' where id = ${lost as string}`);
    const worker = await startWork(url, deliveringTo(service));
    await expect.poll(() => db.rows(sql`select from deliveries where last_error is null`)).toEqual([]);
    // Retried by the command, and not by the worker, which would do it after five seconds.
    await db.run(sql`update deliveries set next_attempt_at = next_attempt_at + interval '1 hour'`);
    expect(JSON.parse((await run('list', '--json')).stdout)).toMatchObject([
      { id: lost, attempts: 82, nextAttemptAt: null, lastError: 'Answered 503' },
      {
        id: refused,
        target: 'service:auction',
        kind: 'invoice-paid',
        gaveUpAt: null,
        lastError: 'Answered 401',
      },
      { id: withoutAddress, target: 'service:eeid', gaveUpAt: null, lastError: 'EEID_URL is not set' },
    ]);
    expect((await run('list')).stdout).toMatch(
      /^ID +TARGET +KIND +INVOICE.*\n[0-9a-f-]{36} +service:auction /,
    );
    expect((await run('list')).stdout).not.toContain('150001');
    const counts = async () => {
      const samples = await samplesAt(worker.metrics);
      return [samples.get('cadastre_deliveries_waiting'), samples.get('cadastre_deliveries_given_up')];
    };
    await expect.poll(counts, NOTICED).toEqual([2, 1]);

    service.answer = () => 200;
    expect(await run('retry', lost as string, refused as string)).toEqual({
      code: 0,
      stdout: `Message ${lost} is due.\nMessage ${refused} is due.\n`,
      stderr: '',
    });
    await expect.poll(() => undelivered(db)).toBe(1);
    await expect.poll(counts, NOTICED).toEqual([1, 0]);
    expect((await run('retry', lost as string)).stderr).toBe(
      `There is no undelivered message with the id ${lost}.\n`,
    );
  });

  test.each([
    ['0b6d2c1e-8a3f-4f57-9a41-6f0c2f4f7a10', /^There is no undelivered message with the id 0b6d2c1e-/],
    ['7', /^7 is no id of a message\.$/],
    ["x'; drop table deliveries", /is no id of a message\.$/],
  ])('failure: retry %s', async (id, sentence) => {
    const { url } = await productionDatabase();
    const { code, stdout, stderr } = await cadastre(['delivery', 'retry', id], {
      env: { DATABASE_URL: url },
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.trim()).toMatch(sentence);
  });
});

// Not concurrent: the time limits of all requests of this process are held.
describe('cadastre work, alone', PROCESSES, () => {
  test('success: a service that does not answer delays no other', async () => {
    holdTimeouts(); // it is waited for until the others have been served
    const { url, sql: db } = await productionDatabase();
    const [dead, alive] = [await openService(), await openService()];
    dead.answer = () => 'silence';
    const eeid = { EEID_URL: alive.url, BILLING_SECRET_EEID: SECRET };
    await startWork(url, { ...deliveringTo(dead), ...eeid });
    await write(db, {});
    await expect.poll(() => dead.received.length).toBe(1);
    for (const count of [1, 2, 3]) {
      await write(db, { target: 'service:eeid' });
      await expect.poll(() => alive.received.length).toBe(count);
    }
    expect(await db.rows(sql`select from deliveries where last_error is not null`)).toEqual([]);
  });
});
