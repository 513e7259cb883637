import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isReferenceNumber } from '../../../src/billing/invoices/reference-numbers.ts';
import { Service } from '../../support/billing.ts';
import { withoutTrace } from '../../support/books.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { randomOf, seed } from '../../support/seed.ts';
import { sql } from '../../support/sql.ts';

const PATH = '/invoice_generator/reference_number_generator';

let registry: TestRegistry;
let auction: Service;
beforeAll(async () => {
  registry = await startRegistry();
  auction = new Service(registry.url);
});
afterAll(() => registry.stop());

const numberOf = async (body?: object, service = auction): Promise<string> =>
  (await service.post(PATH, body)).body.reference_number;

describe('reference_number_generator', () => {
  test('success: seven digits, the last of them the check digit', async () => {
    const { status, body } = await auction.post(PATH, {
      initiator: 'auction',
      owner: 'Mari',
      email: 'm@e.ee',
    });
    expect([status, body.message]).toEqual([201, `Reference number created; ${body.reference_number}`]);
    expect(body.reference_number).toMatch(/^[1-9]\d{6}$/);
    expect(isReferenceNumber(body.reference_number)).toBe(true);
    const [row] = await registry.sql.rows(sql`
      select initiator, owner, email from reference_numbers where number = ${body.reference_number}`);
    expect(row).toEqual({ initiator: 'auction', owner: 'Mari', email: 'm@e.ee' });
  });

  test('success: one owner has one number, also under concurrent requests', async () => {
    const numbers = await Promise.all(Array.from({ length: 16 }, () => numberOf({ owner: 'Jaan' })));
    numbers.push(await numberOf({ owner: 'Jaan', email: 'another@example.ee' }));
    expect(new Set(numbers).size).toBe(1);
    const rows = await registry.sql.rows(sql`select from reference_numbers where owner = 'Jaan'`);
    expect(rows.length).toBe(1);
  });

  test('success: owners of the same name with two initiators have two', async () => {
    const own = await numberOf({ owner: 'Peeter' });
    const other = await numberOf({ owner: 'Peeter' }, new Service(registry.url, 'eeid'));
    expect(other).not.toBe(own);
  });

  test('success: without an owner there is a new one each time, also without a body', async () => {
    const bodies = [undefined, {}, { owner: '' }, { owner: null }, { email: 'm@e.ee' }, { email: 'm@e.ee' }];
    const numbers = await Promise.all(bodies.map((body) => numberOf(body)));
    expect(new Set(numbers).size).toBe(bodies.length);
    expect(numbers.every(isReferenceNumber)).toBe(true);
  });

  test('success: an owner whose number was imported keeps it', async () => {
    await auction.post('/import_data/reference_data', [
      { reference_number: '2144032', initiator: 'auction', registrar_name: 'Old Owner' },
    ]);
    expect(await numberOf({ owner: 'Old Owner' })).toBe('2144032');
  });

  test('success: a long name in any script', async () => {
    const random = randomOf(seed);
    const wide = Array.from({ length: 127 }, () =>
      String.fromCodePoint(0x20000 + Math.floor(random() * 40000)),
    ).join('');
    expect(await numberOf({ owner: wide })).toBe(await numberOf({ owner: wide }));
  });

  test('failure: another initiator, and an owner that is not a string', async () => {
    const reply = await withoutTrace(registry, () => auction.post(PATH, { initiator: 'eeid', owner: 5 }));
    expect([reply.status, reply.body]).toEqual([
      422,
      { error: { owner: ['must be a string'], initiator: ['is not the initiator of your token'] } },
    ]);
  });
});
