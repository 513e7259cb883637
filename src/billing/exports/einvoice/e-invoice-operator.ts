import { type Cents, parseDecimal } from '../../../platform/values/money.ts';
import { childAt, readXml, textAt, writeXml, type Xml, xml } from '../../../platform/values/xml.ts';
import type { Sender } from '../../deliveries/deliver.ts';
import { sum } from '../../payments/decide.ts';
import type { ReadBack } from '../accounting/read-accounting-xml.ts';
import { acceptedBy, type ExportOutcome, rejectedFor, settleExports } from '../export-outcome.ts';
import { post } from '../post-document.ts';
import { notifyEInvoiceAccepted } from './export-as-e-invoice.ts';

export type EInvoiceOperator = {
  /** The complete URL; in the sandbox it is known only once the server listens. */
  readonly url: () => string | undefined;
  /** Authenticates us to the operator. */
  readonly authPhrase: string | undefined;
  /** Names of the two settings, for error messages. */
  readonly settings: { readonly url: string; readonly authPhrase: string };
  readonly timeoutMs?: number;
};

export const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/';
export const ERP = 'http://e-arvetekeskus.eu/erp';
const TIMEOUT_MS = 30_000;

/** Sends an e-invoice to its operator: SOAP 1.1, one request. */
export function eInvoiceSender(operator: EInvoiceOperator): Sender {
  const { url, authPhrase, settings, timeoutMs = TIMEOUT_MS } = operator;
  return async (delivery) => {
    const address = url();
    if (address === undefined) throw new Error(`${settings.url} is not set`);
    if (authPhrase === undefined) throw new Error(`${settings.authPhrase} is not set`);
    const document = await readXml(delivery.body);
    const number = Number(childAt(document, 'Invoice')?.attributes.invoiceId);
    if (!document || !Number.isSafeInteger(number)) throw new Error('What was to be sent cannot be read');
    const { status, bytes } = await post({
      url: address,
      headers: { 'content-type': 'text/xml; charset=utf-8', soapaction: '""' },
      body: await writeXml(envelope(document, authPhrase)),
      timeoutMs,
    });
    const outcome = await readOperatorAnswer(number, status, bytes).catch((error: Error) => {
      throw new Error(error.message.replaceAll(authPhrase, '…'));
    });
    return {
      invoices: [number],
      write: async (db, now) => {
        await settleExports(db, delivery.id, [outcome], now);
        if (outcome.accepted) await notifyEInvoiceAccepted(db, number, now);
      },
    };
  };
}

const envelope = (document: Xml, authPhrase: string): Xml =>
  xml('soap:Envelope', { 'xmlns:soap': SOAP, 'xmlns:erp': ERP }, [
    xml('soap:Body', {}, [xml('erp:EInvoiceRequest', { authPhrase }, [document])]),
  ]);

const MAX_ANSWER_LENGTH = 200;
const TAKEN = '0';

/**
 * The operator's answer about an invoice. A SOAP fault is a transport failure and is retried; a code other than 0 is a
 * final rejection of the document.
 */
export async function readOperatorAnswer(
  number: number,
  status: number,
  bytes: Uint8Array,
): Promise<ExportOutcome> {
  const root = await readXml(bytes);
  const body = root?.name === 'Envelope' ? childAt(root, 'Body') : undefined;
  const fault = childAt(body, 'Fault');
  if (fault)
    throw new Error(`Answered a fault: ${(textAt(fault, 'faultstring') ?? '').slice(0, MAX_ANSWER_LENGTH)}`);
  if (status < 200 || status > 299) throw new Error(`Answered ${status}`);
  const response = childAt(body, 'EInvoiceResponse');
  const code = textAt(response, 'ErrorCode')?.trim();
  if (code === undefined || !/^-?\d+$/.test(code)) throw new Error('Answered something that cannot be read');
  if (code === TAKEN) return acceptedBy(number);
  return rejectedFor(number, `${textAt(response, 'Message') ?? ''} (${code})`);
}

/** Reads the invoice back from an e-invoice, using nothing but the document. */
export async function readEInvoiceXml(text: string): Promise<ReadBack> {
  const invoice = childAt(await readXml(text), 'Invoice');
  const sums = childAt(invoice, 'InvoiceSumGroup');
  const items = childAt(invoice, 'InvoiceItem', 'InvoiceItemGroup')?.children ?? [];
  const net = sum(items.map((item) => cents(item, 'ItemSum')));
  const vat = sum(items.map((item) => cents(item, 'VAT', 'VATSum')));
  const total = cents(sums, 'TotalSum');
  const number = Number(invoice?.attributes.invoiceId);
  if (net !== cents(sums, 'InvoiceSum') || vat !== cents(sums, 'TotalVATSum') || net + vat !== total)
    throw new Error(`the items of ${number} come to another sum`);
  return { number, net, vat, total, currency: textAt(sums, 'Currency') ?? '' };
}

/** Amounts have two or four decimals; with four, the last two must be zero. */
function cents(element: Xml | undefined, ...path: readonly string[]): Cents {
  const text = textAt(element, ...path) ?? '';
  const read = parseDecimal(text.replace(/^(-?\d+\.\d\d)00$/, '$1'));
  if (read === undefined) throw new Error(`${text} is no amount`);
  return read;
}
