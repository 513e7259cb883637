import type { Invoice } from '../../src/billing/invoices/invoice.ts';

/** An invoice of the auction over 124.00 that nobody has paid, as a value: no database is behind it. */
export const invoiceOf = (changes: Partial<Invoice> = {}): Invoice => ({
  number: 150_005,
  initiator: 'auction',
  kind: 'invoice',
  status: 'unpaid',
  currency: 'EUR',
  amount: 12_400n,
  net: 10_000n,
  description: '',
  customField: null,
  registrarId: null,
  paidBy: null,
  depositDomain: null,
  depositUser: null,
  depositEmail: null,
  ...changes,
});
