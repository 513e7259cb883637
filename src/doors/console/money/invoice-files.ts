import { readUbl } from '../../../billing/exports/ubl.ts';
import { invoicePdf, printed } from '../../../billing/invoices/print-invoice.ts';
import { type ConsoleExport, wholeFile } from '../console-page.ts';
import { findInvoice, linkOf } from './invoice-page.ts';

/** The invoice as a document to print, and by the European standard. */
export const invoiceFiles: readonly ConsoleExport[] = [
  {
    path: '/invoices/:number/pdf',
    right: 'money',
    download: async (parts, visit, input) => {
      const invoice = await findInvoice(parts, visit, input);
      if (!invoice) return undefined;
      const { policy } = parts;
      const shown = printed(invoice, await linkOf(parts, invoice), policy);
      const bytes = await invoicePdf(shown, policy.billing.seller);
      return wholeFile(`invoice-${invoice.number}.pdf`, 'application/pdf', bytes);
    },
  },
  {
    path: '/invoices/:number/ubl',
    right: 'money',
    download: async (parts, visit, input) => {
      const invoice = await findInvoice(parts, visit, input);
      const document = invoice && (await readUbl(parts.database.reads, invoice.number, parts.policy));
      if (document === undefined) return undefined;
      return wholeFile(`invoice-${input.params.number}.xml`, 'application/xml', document);
    },
  },
];
