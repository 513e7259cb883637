import type { Seller } from '../../../policy/policy.ts';
import type { PrintedInvoice } from '../printed.ts';
import { drawClose, drawFeet } from './close.ts';
import { drawHead } from './head.ts';
import { drawLines } from './lines.ts';
import { bytesOf, newSheet } from './sheet.ts';
import { labels, printable, statusMarks } from './words.ts';

/** Nothing in the bytes tells when or where they were made; pdfkit makes the document's ID from what stands here. */
export function drawInvoice(invoice: PrintedInvoice, seller: Seller): Promise<Buffer> {
  const sheet = newSheet({
    Title: `${labels.invoice} ${invoice.number}`,
    Subject: statusMarks[invoice.status].text,
    Author: printable(seller.name, 200),
    Creator: 'Cadastre',
    Producer: 'Cadastre',
    CreationDate: new Date(`${invoice.issuedOn}T00:00:00Z`),
  });
  const belowHead = drawHead(sheet, invoice, seller);
  const belowLines = drawLines(sheet, invoice, belowHead);
  drawClose(sheet, invoice, seller, belowLines);
  drawFeet(sheet, invoice);
  return bytesOf(sheet);
}
