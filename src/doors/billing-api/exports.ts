import type { Billing } from '../../billing/context.ts';
import { exportToAccounting } from '../../billing/exports/accounting/export.ts';
import { exportAsEInvoice } from '../../billing/exports/einvoice/export.ts';
import type { Wish } from '../../billing/exports/request.ts';
import { readEInvoice } from './e-invoice-fields.ts';
import { Fields, invoiceNumberOf } from './fields.ts';
import type { BillingRoute } from './route.ts';

const MOST_INVOICES = 1_000;

/** What sends invoices on as documents. Sums and lines are ours: of what a caller says only who buys is taken. */
export function exportRoutes(billing: Billing): BillingRoute[] {
  return [
    {
      path: '/directo/directo',
      status: 201,
      handle: async (body, caller) => {
        const fields = new Fields(body);
        fields.initiator('initiator', caller.initiator);
        const wishes = fields.objects('invoice_data', MOST_INVOICES).map(readWish);
        const dry = fields.flag('dry', false);
        return exportToAccounting(billing, caller, fields.done({ wishes: eachOnce(wishes), dry }));
      },
    },
    {
      path: '/e_invoice/e_invoice',
      status: 200,
      handle: async (body, caller) => {
        const fields = new Fields(body);
        fields.initiator('initiator', caller.initiator);
        return exportAsEInvoice(billing, caller, fields.done(readEInvoice(fields)));
      },
    },
  ];
}

/** The sender of a monthly summary wraps it. */
function readWish(entry: Fields): Wish {
  const invoice = entry.has('summary') ? entry.object('summary') : entry;
  const customer = invoice.object('customer');
  const buyer = {
    customerCode: customer.shortText('code', 32),
    name: customer.shortText('name', 255),
    country: customer.country('destination'),
    vatNumber: customer.shortText('vat_reg_no', 15),
  };
  return { number: invoiceNumberOf(invoice), details: { buyer } };
}

/** An invoice that is named twice goes once. */
const eachOnce = (wishes: readonly Wish[]): Wish[] => [
  ...new Map(wishes.map((wish) => [wish.number, wish])).values(),
];
