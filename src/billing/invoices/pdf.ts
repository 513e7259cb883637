import type { Seller } from '../../policy/policy.ts';
import type { PrintedInvoice } from './printed.ts';

/** The invoice on A4. The same invoice always gives the same bytes. */
export async function invoicePdf(invoice: PrintedInvoice, seller: Seller): Promise<Buffer> {
  // Loaded by the first invoice: pdfkit and its fonts would slow the start of every command that prints none.
  const { drawInvoice } = await import('./pdf/draw.ts');
  return drawInvoice(invoice, seller);
}
