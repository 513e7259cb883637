import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deliverTo, reachable, type Sender, type Senders } from '../../../src/billing/deliveries/deliver.ts';
import {
  type Delivery,
  type DeliveryTarget,
  deliveriesTo,
  enqueueDeliveries,
} from '../../../src/billing/deliveries/document-deliveries.ts';
import { serviceSender } from '../../../src/billing/deliveries/service-sender.ts';
import { simulateUntil } from '../../../src/platform/jobs/simulate-until.ts';
import { createLog } from '../../../src/platform/logging.ts';
import { nextDue } from '../../../src/platform/outbox/queue.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import type { Pool } from '../../../src/platform/sql/executor.ts';
import { freePort } from '../../support/free-port.ts';
import { holdTimeouts } from '../../support/held-timeouts.ts';
import { openTestDatabase } from '../../support/registry.ts';
import { randomOf, seed } from '../../support/seed.ts';
import { message, openService, plantInvoices, type TestService } from '../../support/service.ts';
import { sql } from '../../support/sql.ts';

const start = new Date('2027-01-01T00:00:00Z');
const after = (seconds: number) => new Date(start.getTime() + seconds * 1000);
const DAY = 24 * 3600;
const FIRST = 150001;
const SECOND = 150002;
const lines: string[] = [];
const log = createLog(
  'info',
  new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  }),
);

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  opened = await openTestDatabase(2);
  await plantInvoices(db(), FIRST, SECOND);
});
afterAll(() => opened.close());
beforeEach(async () => {
  lines.length = 0;
  await db().run(sql`delete from deliveries`);
});

const db = (node = 0): Pool => (opened.databases[node] as Database).writes;
const enqueue = async (...messages: Partial<Delivery>[]) => {
  const deliveries = messages.map(message);
  await enqueueDeliveries(db(), deliveries, start);
  return deliveries.map(({ id }) => id);
};
const run = async (senders: Senders, now: Date, node = 0): Promise<void> => {
  const parts = { sql: db(node), senders, log };
  await Promise.all(reachable(senders).map((target) => deliverTo(parts, target, now)));
};
const auction = (sender: Sender): Senders => ({ 'service:auction': sender });
const senderTo = ({ url }: TestService) =>
  serviceSender({
    url: () => url,
    secrets: ['auction-sandbox-secret'],
    settings: { url: 'AUCTION_URL', secret: 'BILLING_SECRET_AUCTION' },
  });
const rows = () =>
  db().rows(sql`
  select target, attempts, next_attempt_at as next, delivered_at as delivered, gave_up_at as "gaveUp", last_error as error
  from deliveries order by sequence_number`);
const row = async () => (await rows())[0];
const idsOf = ({ received }: TestService) => received.map(({ id }) => id);
const broken: Sender = () => Promise.reject(new Error('not now'));

describe('what is due is delivered', () => {
  test('success: everything due is delivered once and recorded', async () => {
    const service = await openService();
    const ids = await enqueue(...Array.from({ length: 35 }, () => ({})));
    await run(auction(senderTo(service)), start);
    await run(auction(senderTo(service)), after(DAY));
    expect(idsOf(service).sort()).toEqual(ids.sort());
    expect(
      await db().rows(sql`select distinct attempts, delivered_at, gave_up_at, last_error from deliveries`),
    ).toEqual([{ attempts: 1, delivered_at: start, gave_up_at: null, last_error: null }]);
  });

  test('success: not before its time', async () => {
    const service = await openService();
    await enqueue({});
    await run(auction(senderTo(service)), after(-1));
    expect(service.received).toEqual([]);
  });

  test('success: many concurrent workers deliver each message once', async () => {
    const service = await openService();
    service.answer = async () => {
      await sleep(2);
      return 200;
    };
    const ids = await enqueue(
      ...Array.from({ length: 120 }, (_, n) => ({ invoiceNumber: n % 3 ? null : FIRST })),
    );
    await Promise.all([0, 1, 0, 1, 0, 1].map((node) => run(auction(senderTo(service)), start, node)));
    await run(auction(senderTo(service)), start);
    expect(idsOf(service).sort()).toEqual(ids.sort());
  });

  test('success: messages without a sender wait unchanged', async () => {
    await enqueue({ target: 'accounting' }, { target: 'service:eeid' });
    await run(auction(broken), after(10 * DAY));
    expect(await rows()).toMatchObject([
      { attempts: 0, gaveUp: null },
      { attempts: 0, gaveUp: null },
    ]);
  });

  test('success: the content of messages is not logged', async () => {
    await enqueue({ body: '{"email":"mari@example.ee"}' }, { body: 'broken', target: 'service:eeid' });
    await run({ 'service:auction': async () => {}, 'service:eeid': broken }, start);
    expect(lines.map((line) => JSON.parse(line).msg).sort()).toEqual([
      'delivered',
      'delivery is tried again',
    ]);
    expect(lines.join('')).not.toMatch(/mari|not now/);
  });
});

describe('retries', () => {
  test.each([400, 401, 404, 409, 422, 302, 500, 503])(
    'success: after a %i, which the receiver may repair',
    async (status) => {
      const service = await openService();
      service.answer = () => status;
      await enqueue({});
      await run(auction(senderTo(service)), start);
      expect(await row()).toMatchObject({
        attempts: 1,
        next: after(5),
        gaveUp: null,
        error: `Answered ${status}`,
      });
      expect(service.received).toHaveLength(1); // a redirection is not followed
      service.answer = () => 200;
      await run(auction(senderTo(service)), after(5));
      expect(await row()).toMatchObject({ attempts: 2, delivered: after(5), error: null });
    },
  );

  test('success: after 5 seconds, then with exponential backoff', async () => {
    await enqueue({});
    for (const [second, next] of [
      [0, 5],
      [5, 15],
      [15, 35],
    ] as const) {
      await run(auction(broken), after(second - 0.01));
      await run(auction(broken), after(second));
      expect(await row()).toMatchObject({ next: after(next), delivered: null, gaveUp: null });
    }
    expect(await row()).toMatchObject({ attempts: 3, error: 'not now' });
  });

  test('success: connection refused at first', async () => {
    const service = await openService(await freePort());
    await service.close();
    const [id] = await enqueue({});
    await run(auction(senderTo(service)), start);
    expect(await row()).toMatchObject({ attempts: 1, error: 'No answer (ECONNREFUSED)' });
    const opened = await openService(Number(new URL(service.url).port));
    await run(auction(senderTo(opened)), after(5));
    expect(idsOf(opened)).toEqual([id]);
  });

  test('failure: given up after three days, with a last attempt at the end', async () => {
    await enqueue({});
    const attempts: Date[] = [];
    for (let next = start; (await row())?.gaveUp === null; next = (await row())?.next) {
      attempts.push(next);
      await run(auction(broken), next);
    }
    expect(attempts.at(-1)).toEqual(after(3 * DAY));
    expect(await row()).toMatchObject({ gaveUp: after(3 * DAY), error: 'not now', delivered: null });
    expect(attempts).toHaveLength((await row())?.attempts);
    await run(
      auction(async () => {}),
      after(30 * DAY),
    );
    expect(await row()).toMatchObject({ delivered: null });
  });
});

describe('order', () => {
  test('success: messages about one invoice arrive in order, messages about others may overtake them', async () => {
    const service = await openService();
    const [one, two, three, other] = await enqueue(
      { invoiceNumber: FIRST },
      { invoiceNumber: FIRST },
      { invoiceNumber: FIRST },
      { invoiceNumber: SECOND },
    );
    service.answer = ({ id }) => (id === one && service.received.length <= 2 ? 503 : 200);
    await run(auction(senderTo(service)), start);
    expect(idsOf(service).sort()).toEqual([one, other].sort());
    expect((await rows()).map(({ attempts }) => attempts)).toEqual([1, 0, 0, 1]);
    await run(auction(senderTo(service)), after(5));
    expect(idsOf(service).slice(2)).toEqual([one, two, three]);
  });

  test('success: the order holds with many concurrent workers', async () => {
    const service = await openService();
    const random = randomOf(seed);
    service.answer = async () => {
      await sleep(random() * 10);
      return 200;
    };
    const ids = await enqueue(...Array.from({ length: 20 }, () => ({ invoiceNumber: FIRST })));
    while ((await db().rows(sql`select from deliveries where delivered_at is null`)).length > 0)
      await Promise.all([0, 1, 0, 1].map((node) => run(auction(senderTo(service)), start, node)));
    expect(idsOf(service)).toEqual(ids);
  });

  test('success: messages to another target do not wait', async () => {
    const service = await openService();
    const [, second] = await enqueue(
      { invoiceNumber: FIRST },
      { invoiceNumber: FIRST, target: 'accounting' },
    );
    await run({ 'service:auction': broken, accounting: senderTo(service) }, start);
    expect(idsOf(service)).toEqual([second]);
  });

  test('success: a message that was given up does not block the next', async () => {
    const service = await openService();
    const [, second] = await enqueue({ invoiceNumber: FIRST }, { invoiceNumber: FIRST });
    await db().run(sql`update deliveries set gave_up_at = ${start} where id <> ${second as string}`);
    await run(auction(senderTo(service)), start);
    expect(idsOf(service)).toEqual([second]);
  });
});

test('success: a target that does not answer delays no other', async () => {
  const timeouts = holdTimeouts();
  const [dead, alive] = [await openService(), await openService()];
  dead.answer = () => 'silence';
  const late = serviceSender({
    url: () => dead.url,
    secrets: ['x'.repeat(16)],
    settings: { url: '', secret: '' },
  });
  const eeid = Array.from({ length: 50 }, (): { target: DeliveryTarget } => ({ target: 'service:eeid' }));
  await enqueue({}, {}, {}, ...eeid);
  const running = run({ 'service:auction': late, 'service:eeid': senderTo(alive) }, start);
  await expect.poll(() => alive.received.length, { interval: 20 }).toBe(50);
  expect(
    await db().rows(sql`select from deliveries where target = 'service:auction' and last_error is not null`),
  ).toEqual([]);
  timeouts.expire();
  await running;
  expect(await row()).toMatchObject({ attempts: 1, error: 'No answer (time is up)' });
});

describe('a worker that dies', () => {
  /** The message is delivered, and the process dies before it records that: as after kill -9. */
  const dying = (sender: Sender): Promise<never> =>
    new Promise((_, reject) => {
      const died: Sender = (delivery) =>
        sender(delivery).then(() => {
          reject(new Error('killed'));
          return new Promise<undefined>(() => {});
        });
      run(auction(died), start).catch(reject);
    });

  test('success: between delivery and its record: delivered again later, under the same id, before the next one', async () => {
    const service = await openService();
    const [one, two] = await enqueue({ invoiceNumber: FIRST }, { invoiceNumber: FIRST });
    await expect(dying(senderTo(service))).rejects.toThrow('killed');
    await run(auction(senderTo(service)), after(60), 1);
    expect(idsOf(service)).toEqual([one]); // its lease has not expired
    await run(auction(senderTo(service)), after(120), 1);
    expect(idsOf(service)).toEqual([one, one, two]);
    expect(await row()).toMatchObject({ attempts: 2, delivered: after(120) });
  });

  test('failure: an attempt whose lease has expired does not affect the next one when it fails', async () => {
    await enqueue({});
    const freed = Promise.withResolvers<undefined>();
    const late = run(
      auction(() => freed.promise),
      start,
    );
    await expect.poll(async () => (await row())?.attempts).toBe(1);
    const second = Promise.withResolvers<undefined>();
    const next = run(
      auction(() => second.promise),
      after(120),
      1,
    );
    await expect.poll(async () => (await row())?.attempts).toBe(2);
    freed.reject(new Error('too late'));
    await late;
    expect(await row()).toMatchObject({ error: null, next: after(240) });
    second.resolve(undefined);
    await next;
    expect(await row()).toMatchObject({ attempts: 2, delivered: after(120) });
  });
});

describe('a clock that is moved', () => {
  const passed: Date[] = [];
  const pass = async (sender: Sender, from: Date, end: Date) => {
    passed.length = 0;
    const reach = async (moment: Date) => void passed.push(moment);
    const work = {
      next: () => nextDue(db(), deliveriesTo('service:auction')),
      run: (now: Date) => run(auction(sender), now),
    };
    await simulateUntil([work], { from, end, reach });
    passed.pop();
  };
  const failing = (times: number): Sender => {
    let left = times;
    return async () => {
      left -= 1;
      if (left >= 0) throw new Error('not now');
    };
  };

  test('success: attempts that fall due meanwhile are made, each at its time', async () => {
    await enqueue({ invoiceNumber: FIRST }, { invoiceNumber: FIRST });
    await pass(failing(3), start, after(3600));
    expect((await rows()).map(({ attempts }) => attempts)).toEqual([4, 1]);
    expect(passed).toEqual([...passed].sort((a, b) => a.getTime() - b.getTime()));
    const last = passed.at(-1) ?? expect.fail('no moment was reached');
    expect(last.getTime() - start.getTime()).toBeLessThan(60_000);
  });

  test('success: attempts due later are left', async () => {
    await enqueue({});
    await pass(failing(3), start, after(10));
    expect(await row()).toMatchObject({ attempts: 2, delivered: null });
  });

  test('failure: given up after three days, however many wait', async () => {
    await enqueue(...Array.from({ length: 20 }, () => ({ id: randomUUID() })));
    await pass(broken, start, after(4 * DAY));
    expect(await db().rows(sql`select from deliveries where gave_up_at is null`)).toEqual([]);
    expect(passed.length).toBeLessThan(100);
  });
});
