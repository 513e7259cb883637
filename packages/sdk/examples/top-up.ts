/** Tops up the account, and saves the invoice: node top-up.ts 100.00 invoice.pdf */
import { writeFile } from 'node:fs/promises';
import { connect } from './connect.ts';

const [amount = '100.00', file = 'invoice.pdf'] = process.argv.slice(2);
const registry = connect();

const { data: before } = await registry.billing.balance();
console.log(`the balance is ${before.balance} ${before.currency}`);
const {
  data: { invoice },
} = await registry.billing.addCredit({ amount });
const { data: pdf } = await registry.billing.invoicePdf(invoice.invoice_number);
await writeFile(file, pdf);
console.log(`pay ${invoice.total} at ${invoice.payment_link}`);
