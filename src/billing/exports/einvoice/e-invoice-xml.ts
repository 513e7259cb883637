import { toDecimal } from '../../../platform/values/money.ts';
import { writeXml, type Xml, xml } from '../../../platform/values/xml.ts';
import type { Policy, Seller } from '../../../policy/policy.ts';
import { isPayable } from '../../invoices/invoice.ts';
import type { Buyer } from '../buyer.ts';
import { type InvoiceDocument, type PricedLine, pricedLines } from '../invoice-documents.ts';

export type EInvoiceInput = {
  readonly invoice: InvoiceDocument;
  readonly options: EInvoiceOptions;
  /** Lets the operator recognize a document it receives twice. */
  readonly fileId: string;
  /** Date of creation. */
  readonly date: string;
};

const REFERENCE = /^\d{1,20}$/;
const CHANNELS = ['INTERNET_BANK', 'PORTAL'];
const UNIT = 'tk';

/** An invoice as an Estonian e-invoice, version 1.2. */
export function eInvoiceXml(
  { invoice, options, fileId, date }: EInvoiceInput,
  { billing }: Policy,
): Promise<string> {
  const number = String(invoice.number);
  const reference = REFERENCE.test(invoice.referenceNumber ?? '') ? invoice.referenceNumber : null;
  // A bank must not offer payment of an invoice that is already paid.
  const payable = (options.payable ?? true) && isPayable(invoice);
  const known = { invoice, options, number, reference, payable, seller: billing.seller };
  const attributes = {
    invoiceId: number,
    serviceId: reference ?? undefined,
    regNumber: invoice.buyer.registryCode ?? undefined,
    sellerRegnumber: billing.seller.registryCode,
  };
  return writeXml(
    xml('E_Invoice', {}, [
      xml('Header', {}, [leaf('Date', date), leaf('FileId', fileId), leaf('Version', '1.2')]),
      xml('Invoice', attributes, [
        xml('InvoiceParties', {}, [sellerParty(billing.seller), buyerParty(invoice.buyer)]),
        information(known),
        sums(known),
        items(invoice),
        payment(known),
      ]),
      xml('Footer', {}, [leaf('TotalNumberInvoices', '1'), leaf('TotalAmount', toDecimal(invoice.amount))]),
    ]),
  );
}

type Known = {
  readonly invoice: InvoiceDocument;
  readonly options: EInvoiceOptions;
  readonly number: string;
  readonly reference: string | null;
  readonly payable: boolean;
  readonly seller: Seller;
};

function information({ invoice, options, number, reference }: Known): Xml {
  const name = (options.monthly && invoice.lines[0]?.description) || 'ARVE';
  const extension = (id: string, content: string) =>
    xml('Extension', { extensionId: id }, [leaf('InformationContent', content)]);
  return xml('InvoiceInformation', {}, [
    xml('Type', { type: 'DEB' }),
    leaf('DocumentName', cut(name, 100)),
    leaf('InvoiceNumber', number),
    leaf('PaymentReferenceNumber', reference),
    leaf('InvoiceDate', invoice.issuedOn),
    leaf('DueDate', invoice.dueDate),
    ...CHANNELS.map((channel) => extension('eakChannel', channel)),
    extension('eakStatusAfterImport', 'SENT'),
  ]);
}

function sums({ invoice, options: { balance }, payable }: Known): Xml {
  return xml('InvoiceSumGroup', {}, [
    balance &&
      xml('Balance', {}, [
        leaf('BalanceDate', balance.date),
        leaf('BalanceBegin', balance.begin),
        leaf('Inbound', balance.inbound),
        leaf('Outbound', balance.outbound),
        leaf('BalanceEnd', balance.end),
      ]),
    leaf('InvoiceSum', fourDigits(invoice.net)),
    leaf('TotalVATSum', toDecimal(invoice.vat)),
    leaf('TotalSum', toDecimal(invoice.amount)),
    leaf('TotalToPay', toDecimal(payable ? invoice.amount : 0n)),
    leaf('Currency', invoice.currency),
  ]);
}

function items(invoice: InvoiceDocument): Xml {
  const [whole = '0', part = ''] = invoice.vatPercent.split('.');
  return xml('InvoiceItem', {}, [
    xml(
      'InvoiceItemGroup',
      {},
      pricedLines(invoice).map((line) => item(line, `${whole}.${part.padEnd(2, '0')}`)),
    ),
    xml('InvoiceItemTotalGroup', {}, [
      leaf('InvoiceItemTotalSum', fourDigits(invoice.net)),
      leaf('InvoiceItemTotal', fourDigits(invoice.amount)),
    ]),
  ]);
}

function item({ description, quantity, price, net, vat }: PricedLine, rate: string): Xml {
  return xml('ItemEntry', {}, [
    leaf('Description', cut(description, 500)),
    xml('ItemDetailInfo', {}, [
      leaf('ItemUnit', UNIT),
      leaf('ItemAmount', `${quantity}.0000`),
      leaf('ItemPrice', fourDigits(price)),
    ]),
    leaf('ItemSum', fourDigits(net)),
    xml('VAT', { vatId: 'TAX' }, [leaf('VATRate', rate), leaf('VATSum', fourDigits(vat))]),
    leaf('ItemTotal', fourDigits(net + vat)),
  ]);
}

function payment({ invoice, number, reference, payable, seller }: Known): Xml {
  return xml('PaymentInfo', {}, [
    leaf('Currency', invoice.currency),
    leaf('PaymentRefId', reference),
    leaf('PaymentDescription', number),
    leaf('Payable', payable ? 'YES' : 'NO'),
    leaf('PayDueDate', invoice.dueDate),
    leaf('PaymentTotalSum', toDecimal(payable ? invoice.amount : 0n)),
    leaf('PayerName', cut(invoice.buyer.name ?? '', 100)),
    leaf('PaymentId', number),
    leaf('PayToAccount', accountOf(seller)),
    leaf('PayToName', cut(seller.name, 100)),
  ]);
}

const fourDigits = (cents: bigint): string => `${toDecimal(cents)}00`;

const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** An element with text; undefined for unknown values, because operators reject empty elements. */
const leaf = (name: string, text: string | null): Xml | undefined => (text ? xml(name, {}, text) : undefined);

/** Limits a text to `most` characters. */
const cut = (text: string, most: number): string => Array.from(text).slice(0, most).join('');

/** The account that a credit transfer goes to. */
const accountOf = ({ bankAccounts: [preferred] }: Seller): string | null => preferred?.iban ?? null;

function sellerParty(seller: Seller): Xml {
  const { street, city, postalCode, country } = seller.postalAddress;
  return xml('SellerParty', {}, [
    leaf('Name', cut(seller.name, 100)),
    leaf('RegNumber', seller.registryCode),
    leaf('VATRegNumber', seller.vatNumber),
    contact(seller.email, { street, city, postalCode, country }),
    ...seller.bankAccounts.map(({ iban }) => xml('AccountInfo', {}, [leaf('AccountNumber', iban)])),
  ]);
}

function buyerParty(buyer: Buyer): Xml {
  return xml('BuyerParty', {}, [
    leaf('Name', cut(buyer.name ?? '', 100)),
    leaf('RegNumber', buyer.registryCode),
    leaf('VATRegNumber', buyer.vatNumber),
    contact(buyer.email, buyer),
    buyer.iban === null ? undefined : xml('AccountInfo', {}, [leaf('AccountNumber', buyer.iban)]),
  ]);
}

function contact(
  email: string | null,
  { street, city, postalCode, country }: Pick<Buyer, 'street' | 'city' | 'postalCode' | 'country'>,
): Xml | undefined {
  const address =
    street !== null && city !== null
      ? xml('LegalAddress', {}, [
          leaf('PostalAddress1', street),
          leaf('City', city),
          leaf('PostalCode', postalCode),
          leaf('Country', country),
        ])
      : undefined;
  const mail = leaf('E-mailAddress', EMAIL.test(email ?? '') ? email : null);
  return mail || address ? xml('ContactData', {}, [mail, address]) : undefined;
}

/** Options of an e-invoice; amounts are decimals with two digits. */
export type EInvoiceOptions = {
  /** Whether the buyer's bank should offer to pay it. */
  readonly payable?: boolean;
  /** A monthly summary, which has a title of its own. */
  readonly monthly?: boolean;
  /** Movements of the buyer's account, as shown to the buyer. */
  readonly balance?: {
    readonly date: string | null;
    readonly begin: string | null;
    readonly inbound: string | null;
    readonly outbound: string | null;
    readonly end: string | null;
  };
};
