import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Delivery, enqueueDeliveries } from '../../../src/billing/deliveries/document-deliveries.ts';
import { listDeliveries, listUndelivered } from '../../../src/billing/deliveries/delivery-view.ts';
import { retryDeliveries } from '../../../src/billing/deliveries/retry-deliveries.ts';
import { carryOut } from '../../../src/operations/operator-operation.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { operator } from '../../support/operator.ts';
import { openTestDatabase } from '../../support/registry.ts';
import { message, plantInvoices } from '../../support/service.ts';
import { sql } from '../../support/sql.ts';

const now = new Date('2027-01-01T00:00:00Z');
const later = new Date('2027-02-01T00:00:00Z');
const three = [
  message({ kind: 'first', invoiceNumber: 150001 }),
  message({ kind: 'second', target: 'accounting', body: 'Õ "quoted", {braced}, \\ NULL\n' }),
  message({ kind: 'third', target: 'service:business_registry' }),
];
const [first, second, third] = three as [Delivery, Delivery, Delivery];

let database: Database;
let close: () => Promise<void>;
const retry = (...ids: string[]) =>
  carryOut(database.writes, retryDeliveries, { ids }, operator({ now: later }));
beforeAll(async () => {
  const opened = await openTestDatabase();
  [database] = opened.databases as [Database];
  close = opened.close;
  await plantInvoices(database.writes, 150001);
});
afterAll(() => close());

describe('the list of deliveries', () => {
  beforeEach(async () => {
    await database.writes.run(sql`delete from deliveries`);
    await enqueueDeliveries(database.writes, three, now);
    await database.writes.run(sql`
      update deliveries set attempts = 80, gave_up_at = ${now}, last_error = 'Answered 503' where id = ${second.id}`);
    await database.writes.run(
      sql`update deliveries set attempts = 1, delivered_at = ${now} where id = ${third.id}`,
    );
  });

  test('success: all of them, the newest first', async () => {
    expect(await listDeliveries(database.reads, 10)).toEqual([
      { ...third, status: 'delivered', attempts: 1 },
      { ...second, status: 'failed', attempts: 80 },
      { ...first, status: 'retrying', attempts: 0 },
    ]);
    expect(await listDeliveries(database.reads, 1)).toMatchObject([{ id: third.id }]);
  });

  test('success: undelivered ones, the oldest first, without their content', async () => {
    const facts = { createdAt: now };
    const { body: _first, ...waiting } = first;
    const { body: _second, ...givenUp } = second;
    expect(await listUndelivered(database.reads, 10)).toEqual([
      { ...waiting, ...facts, attempts: 0, nextAttemptAt: now, gaveUpAt: null, lastError: null },
      { ...givenUp, ...facts, attempts: 80, nextAttemptAt: null, gaveUpAt: now, lastError: 'Answered 503' },
    ]);
  });

  test('success: one that was given up is due again, and its attempts go on being counted', async () => {
    expect(await retry(second.id, message().id)).toEqual({ due: [second.id], missing: [expect.any(String)] });
    expect(await listUndelivered(database.reads, 10)).toMatchObject([
      { id: first.id },
      { id: second.id, attempts: 80, nextAttemptAt: later, gaveUpAt: null },
    ]);
    const [row] = await database.reads.rows(sql`select try_until from deliveries where id = ${second.id}`);
    expect(row).toEqual({ try_until: new Date('2027-02-04T00:00:00Z') });
  });

  test('failure: a delivered or unknown one is not', async () => {
    for (const id of [third.id, message().id])
      await expect(retry(id)).rejects.toThrow(`There is no undelivered message with the id ${id}`);
  });
});
