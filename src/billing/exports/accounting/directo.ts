import { toDecimal } from '../../../platform/values/money.ts';
import { readXml, writeXml, type Xml, xml } from '../../../platform/values/xml.ts';
import type { Policy } from '../../../policy/policy.ts';
import type { Sender } from '../../deliveries/deliver.ts';
import { acceptedBy, type ExportOutcome, rejectedFor, settleExports } from '../export-outcome.ts';
import { type InvoiceDocument, type PricedLine, pricedLines } from '../invoice-documents.ts';
import { post } from '../post-document.ts';
import { notifyAccountingResult } from './accounting-messages.ts';
import { numbersIn } from './read-accounting-xml.ts';
import { invoicedVatCode } from './vat-codes.ts';

export type AccountingService = {
  /** The complete URL; in the sandbox it is known only once the server listens. */
  readonly url: () => string | undefined;
  /** Name of the setting, for error messages. */
  readonly setting: string;
  readonly timeoutMs?: number;
};

/** Directo books the whole batch before it answers. */
const TIMEOUT_MS = 60_000;

/** Sends invoices to Directo: a form with the document, answered per invoice. */
export function accountingSender({ url, setting, timeoutMs = TIMEOUT_MS }: AccountingService): Sender {
  return async (delivery) => {
    const address = url();
    if (address === undefined) throw new Error(`${setting} is not set`);
    const numbers = await numbersIn(delivery.body);
    const { status, bytes } = await post({
      url: address,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ put: '1', what: 'invoice', xmldata: delivery.body }).toString(),
      timeoutMs,
    });
    if (status < 200 || status > 299) throw new Error(`Answered ${status}`);
    const outcomes = await readAccountingAnswer(bytes, numbers, { repeated: delivery.attempts > 1 });
    return {
      invoices: numbers,
      write: async (db, now) => {
        await settleExports(db, delivery.id, outcomes, now);
        await notifyAccountingResult(db, delivery, { outcomes, answer: bytes.toString() }, now);
      },
    };
  };
}

/** The invoices in Directo's XML, with sums and lines from our own books. */
export function accountingXml(invoices: readonly InvoiceDocument[], policy: Policy): Promise<string> {
  return writeXml(
    xml(
      'invoices',
      {},
      invoices.map((invoice) => invoiceOf(invoice, policy)),
    ),
  );
}

function invoiceOf(invoice: InvoiceDocument, policy: Policy): Xml {
  const { accounting } = policy.billing;
  const { buyer } = invoice;
  const country = buyer.country ?? policy.country;
  const attributes = {
    Number: String(invoice.number),
    InvoiceDate: invoice.issuedOn,
    PaymentTerm: accounting.paymentTerm,
    CustomerCode: buyer.customerCode ?? accounting.privateCustomer,
    CustomerName: buyer.name,
    Destination: country,
    VATregNo: buyer.vatNumber,
    Currency: invoice.currency,
    SalesAgent: accounting.salesAgent,
    TotalVAT: toDecimal(invoice.vat),
    TotalWoVAT: toDecimal(invoice.net),
    TransactionDate: invoice.paidOn,
  };
  return xml(
    'invoice',
    // The only attribute that may be empty, which means the seller's own language.
    { ...filled(attributes), Language: country === policy.country ? '' : 'ENG' },
    pricedLines(invoice).map((line, index) => lineOf(line, index + 1, invoice, policy)),
  );
}

function lineOf(line: PricedLine, position: number, { initiator }: InvoiceDocument, policy: Policy): Xml {
  const attributes = {
    RN: String(position),
    RR: String(position),
    ProductID: policy.billing.accounting.products[initiator],
    Quantity: String(line.quantity),
    ProductName: line.description,
    UnitPriceWoVAT: toDecimal(line.price),
    VATCode: invoicedVatCode(policy),
  };
  return xml('line', filled(attributes));
}

const filled = (attributes: Readonly<Record<string, string | null | undefined>>) =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, value || undefined]));

type Result = { readonly type: string; readonly text: string; readonly number: string };

const MAX_ANSWER_LENGTH = 200;
const NOT_MENTIONED = 'the answer does not tell of it';

/**
 * The result of each invoice of a message. An answer that names none of them is an error, and the whole message is
 * retried. "Already exists" counts as ours only if an earlier attempt can have delivered it.
 */
export async function readAccountingAnswer(
  bytes: Uint8Array,
  numbers: readonly number[],
  { repeated }: { readonly repeated: boolean },
): Promise<ExportOutcome[]> {
  const results = resultsIn(await readXml(bytes));
  const outcomes = numbers.map((number) => {
    const own = results.filter((result) => result.number === String(number));
    if (own.some(({ type, text }) => type === '0' || (repeated && isDuplicate(text))))
      return acceptedBy(number);
    return own[0] && rejectedFor(number, `${own[0].text} (${own[0].type})`);
  });
  if (outcomes.every((outcome) => outcome === undefined)) throw new Error(unusable(results));
  return outcomes.map((outcome, index) => outcome ?? rejectedFor(numbers[index] ?? 0, NOT_MENTIONED));
}

const isDuplicate = (text: string): boolean => /\bduplicate\b/i.test(text);

/** Directo writes names in either case, and a refusal of the whole document as the root element. */
function resultsIn(root: Xml | undefined): Result[] {
  if (!root) return [];
  const elements = root.name.toLowerCase() === 'result' ? [root] : root.children;
  return elements.filter(({ name }) => name.toLowerCase() === 'result').map(resultOf);
}

function resultOf({ attributes }: Xml): Result {
  const result = Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name.toLowerCase(), value.trim()]),
  );
  return { type: result.type ?? '', text: result.desc ?? '', number: result.docid ?? '' };
}

function unusable([first]: readonly Result[]): string {
  if (!first) return 'Answered something that cannot be read';
  return `Answered about no invoice: ${first.text.slice(0, MAX_ANSWER_LENGTH)} (${first.type})`;
}
