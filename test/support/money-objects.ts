import { alpha } from './client.ts';
import type { TestRegistry } from './registry.ts';
import { sql } from './sql.ts';

/** A month that no job makes a statement of. */
const MONTH = '2020-02';

/** An unpaid invoice of ALPHA and a statement of its account, as parameters of the console's addresses. */
export async function moneyObjects({
  url,
  sql: db,
}: Pick<TestRegistry, 'url' | 'sql'>): Promise<{ readonly number: string; readonly month: string }> {
  const { status, body } = await alpha(url).post('/invoices/add_credit', { invoice: { amount: '100.00' } });
  if (status !== 200) throw new Error(`the invoice was answered with ${status}`);
  await db.run(sql`
    with made as (
      insert into monthly_statements (registrar_id, month, currency, opening, net_change, closing, opening_debt, debt_incurred, debt_repaid, closing_debt, created_at)
      select id, ${`${MONTH}-01`}, 'EUR', 12345, -900, 11445, 0, 700, 200, 500, now() from registrars where code = 'ALPHA' returning registrar_id, month)
    insert into monthly_statement_lines (registrar_id, month, position, kind, zone, months, count, sum)
    select registrar_id, month, 1, 'renew', 'ee', 12, 1, -900 from made`);
  const { invoice } = body.data as { invoice: { invoice_number: number } };
  return { number: String(invoice.invoice_number), month: MONTH };
}
