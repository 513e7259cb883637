import type { AccountingExport } from '../../billing/exports/accounting/export-to-accounting.ts';
import type { GeneratedInvoice } from '../../billing/invoices/generate.ts';
import type { Imported } from '../../billing/invoices/import-invoices.ts';
import type { StartedPayment } from '../../billing/payments/payment-attempt.ts';

/** Results of operations as this API shows them: each has a message. */

export const renderInvoiceNumber = (number: number) => ({
  message: `Number created; ${number}`,
  invoice_number: number,
});

export const renderReferenceNumber = (number: string) => ({
  message: `Reference number created; ${number}`,
  reference_number: number,
});

export const renderGenerated = ({ paymentLink }: GeneratedInvoice) => ({
  message: 'Link created',
  everypay_link: paymentLink,
});

export const renderPayment = ({ link }: StartedPayment) => ({
  message: 'Link created',
  oneoff_redirect_link: link,
});

export const renderStatusUpdated = () => ({ message: 'Status updated' });

const RECEIVED = 'Invoice data received';

export const renderAccountingExport = ({ xml }: AccountingExport) =>
  xml === undefined ? { message: RECEIVED } : { message: RECEIVED, xml };

export const renderEInvoice = () => ({ message: RECEIVED, status: 'created' });

const WHY = 'What was skipped is known already, or cannot be read.';

const renderImported =
  (what: string, member: string) =>
  ({ added, skipped }: Imported) => ({
    message: `Added ${added} ${what}, skipped ${skipped.length}. ${WHY}`,
    skipped: skipped.map(({ entry, given, reason }) => ({ entry, [member]: given, reason })),
  });

export const renderImportedInvoices = renderImported('invoices', 'invoice_number');
export const renderImportedReferences = renderImported('reference numbers', 'reference_number');
