import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportedDocuments } from '../../../src/billing/exports/export-view.ts';
import { initiators } from '../../../src/billing/invoices/invoice.ts';
import { Service } from '../../support/billing.ts';
import { DocumentReceivers } from '../../support/documents.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let takers: DocumentReceivers;
beforeAll(async () => {
  registry = await startRegistry();
  takers = new DocumentReceivers(registry.url);
});
afterAll(() => registry.stop());

const FAULTS = ['down', 'error', 'nonsense', 'half', 'lost'];
const AMOUNTS = ['0.01', '0.02', '1.00', '9.99', '10.01', '20.00', '33.33', '99.95', '124.00', '1234.56'];

/** Pays an invoice and requests both documents, while both services fail in this way. */
async function sell(service: Service, amount: string, fault: string): Promise<number> {
  const { number, link } = await service.invoice(amount);
  await takers.pay(link);
  await takers.invoice(number);
  await takers.fault('accounting', fault, 1);
  await takers.fault('einvoice', fault, 1);
  const buyer = { buyer_name: 'Ostja', buyer_reg_no: '12345678' };
  await service.post('/directo/directo', { invoice_data: [{ number }] });
  await service.post('/e_invoice/e_invoice', { invoice: { number, ...buyer } });
  await takers.deliveries();
  return number;
}

test('success: whatever fails, the sums of both services equal what was paid and booked, to the cent', async () => {
  const services = initiators.map((initiator) => new Service(registry.url, initiator));
  const numbers: number[] = [];
  for (const [index, amount] of AMOUNTS.entries()) {
    const service = services[index % services.length] as Service;
    numbers.push(await sell(service, amount, FAULTS[index % FAULTS.length] ?? 'down'));
  }
  await takers.advance('PT1H');
  // Rejected documents are requested once more.
  for (const [index, number] of numbers.entries()) {
    const service = services[index % services.length] as Service;
    await service.post('/directo/directo', { invoice_data: [{ number }] });
    await service.post('/e_invoice/e_invoice', { invoice: { number } });
  }
  await takers.deliveries();
  const exported = await exportedDocuments(registry.sql);
  const sumOf = (target: string, part: 'net' | 'vat' | 'total') =>
    exported
      .filter((one) => one.target === target)
      .reduce((sum, one) => sum + one[part], 0n)
      .toString();
  const [booked] = await registry.sql.rows(sql`
    select sum(e.amount) filter (where c.kind = 'sales')::text as net, sum(e.amount) filter (where c.kind = 'vat')::text as vat, sum(e.amount)::text as total
    from ledger_entries e join ledger_accounts c on c.id = e.credit_account where e.invoice_number = any(${numbers}::bigint[])`);
  const [bank] = await registry.sql.rows(
    sql`select sum(standing_amount)::text as total from provider_simulator.payments`,
  );
  for (const target of ['accounting', 'einvoice']) {
    const sums = { net: sumOf(target, 'net'), vat: sumOf(target, 'vat'), total: sumOf(target, 'total') };
    expect({ target, ...sums }).toEqual({ target, ...booked });
    expect(sums.total).toBe(bank?.total);
  }
  expect(exported.map(({ number }) => number).toSorted()).toEqual([...numbers, ...numbers].toSorted());
  const taken = await takers.taken('accounting');
  expect(taken.map(({ number }) => Number(number)).toSorted()).toEqual(numbers.toSorted());
});
