import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Delivery, enqueueDeliveries } from '../../../src/billing/deliveries/document-deliveries.ts';
import { listUndelivered } from '../../../src/billing/deliveries/delivery-view.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { openTestDatabase } from '../../support/registry.ts';
import { message, plantInvoices } from '../../support/service.ts';
import { sql } from '../../support/sql.ts';

const now = new Date('2027-01-01T00:00:00Z');
const three = [
  message({ kind: 'first', invoiceNumber: 150001 }),
  message({ kind: 'second', target: 'accounting', body: 'Õ "quoted", {braced}, \\ NULL\n' }),
  message({ kind: 'third', target: 'service:business_registry' }),
];
const [first, second] = three as [Delivery, Delivery, Delivery];

let database: Database;
let close: () => Promise<void>;
beforeAll(async () => {
  const opened = await openTestDatabase();
  [database] = opened.databases as [Database];
  close = opened.close;
  await plantInvoices(database.writes, 150001);
});
afterAll(() => close());
beforeEach(async () => {
  await database.writes.run(sql`delete from deliveries`);
});

const enqueue = (deliveries: readonly Delivery[] = three) =>
  database.writes.begin((db) => enqueueDeliveries(db, deliveries, now));
const stored = () =>
  database.reads.rows(sql<Delivery>`
  select id, target, kind, invoice_number as "invoiceNumber", body from deliveries order by sequence_number`);

describe('messages of a transaction', () => {
  test('success: each is written once, in order, byte by byte', async () => {
    await enqueue();
    expect(await stored()).toEqual(three);
  });

  test('success: they are due at once and tried for three days', async () => {
    await enqueue();
    expect(
      await database.reads.rows(
        sql`select distinct created_at, next_attempt_at, try_until, attempts from deliveries`,
      ),
    ).toEqual([
      { created_at: now, next_attempt_at: now, try_until: new Date('2027-01-04T00:00:00Z'), attempts: 0 },
    ]);
  });

  test('success: an existing one is unchanged', async () => {
    await enqueue([first]);
    await database.writes.run(sql`update deliveries set delivered_at = ${now}`);
    await enqueue([{ ...first, body: 'another' }, second]);
    expect(await stored()).toEqual([first, second]);
    expect(await listUndelivered(database.reads, 10)).toMatchObject([{ id: second.id }]);
  });

  test('success: none at all', async () => {
    await enqueue([]);
    expect(await stored()).toEqual([]);
  });

  test('failure: they are rolled back with it', async () => {
    const undone = database.writes.begin(async (db) => {
      await enqueueDeliveries(db, three, now);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await stored()).toEqual([]);
  });
});
