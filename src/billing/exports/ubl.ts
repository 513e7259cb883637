import type { Sql } from '../../platform/sql/executor.ts';
import { toDecimal } from '../../platform/values/money.ts';
import { writeXml, type Xml, xml } from '../../platform/values/xml.ts';
import type { Policy, Seller } from '../../policy/policy.ts';
import { refuse } from '../billing-refusals.ts';
import type { Buyer } from './buyer.ts';
import { type InvoiceDocument, loadDocuments, type PricedLine, pricedLines } from './invoice-documents.ts';

const SPACE = 'urn:oasis:names:specification:ubl:schema:xsd';
const NAMESPACES = {
  xmlns: `${SPACE}:Invoice-2`,
  'xmlns:cac': `${SPACE}:CommonAggregateComponents-2`,
  'xmlns:cbc': `${SPACE}:CommonBasicComponents-2`,
};
const CUSTOMIZATION = 'urn:cen.eu:en16931:2017';
/** UN/CEFACT codes: commercial invoice; credit transfer; unit "one". */
const [INVOICE, CREDIT_TRANSFER, PIECE] = ['380', '30', 'C62'];

/** An invoice by the European standard EN 16931, in UBL 2.1. */
export function ublXml(invoice: InvoiceDocument, { billing, country }: Policy): Promise<string> {
  const { seller, unnamedBuyer } = billing;
  return writeXml(
    xml('Invoice', NAMESPACES, [
      cbc('CustomizationID', CUSTOMIZATION),
      cbc('ID', String(invoice.number)),
      cbc('IssueDate', invoice.issuedOn),
      cbc('DueDate', invoice.dueDate),
      cbc('InvoiceTypeCode', INVOICE),
      cbc('DocumentCurrencyCode', invoice.currency),
      supplierParty(seller),
      customerParty(invoice.buyer, { unnamed: unnamedBuyer, country }),
      xml('cac:PaymentMeans', {}, [
        cbc('PaymentMeansCode', CREDIT_TRANSFER),
        cbc('PaymentID', invoice.referenceNumber ?? String(invoice.number)),
        xml('cac:PayeeFinancialAccount', {}, [
          cbc('ID', seller.bankAccounts[0]?.iban ?? null),
          cbc('Name', seller.name),
        ]),
      ]),
      taxTotal(invoice),
      monetaryTotal(invoice),
      ...pricedLines(invoice).map((line, index) => invoiceLine(line, index + 1, invoice)),
    ]),
  );
}

function taxTotal(invoice: InvoiceDocument): Xml {
  return xml('cac:TaxTotal', {}, [
    amount('TaxAmount', invoice.vat, invoice),
    xml('cac:TaxSubtotal', {}, [
      amount('TaxableAmount', invoice.net, invoice),
      amount('TaxAmount', invoice.vat, invoice),
      taxCategory('cac:TaxCategory', invoice),
    ]),
  ]);
}

function monetaryTotal(invoice: InvoiceDocument): Xml {
  const prepaid = invoice.status === 'paid' ? invoice.amount : 0n;
  return xml('cac:LegalMonetaryTotal', {}, [
    amount('LineExtensionAmount', invoice.net, invoice),
    amount('TaxExclusiveAmount', invoice.net, invoice),
    amount('TaxInclusiveAmount', invoice.amount, invoice),
    prepaid > 0n ? amount('PrepaidAmount', prepaid, invoice) : undefined,
    amount('PayableAmount', invoice.amount - prepaid, invoice),
  ]);
}

function invoiceLine(
  { description, quantity, price, net }: PricedLine,
  position: number,
  invoice: InvoiceDocument,
): Xml {
  return xml('cac:InvoiceLine', {}, [
    cbc('ID', String(position)),
    xml('cbc:InvoicedQuantity', { unitCode: PIECE }, String(quantity)),
    amount('LineExtensionAmount', net, invoice),
    xml('cac:Item', {}, [cbc('Name', description), taxCategory('cac:ClassifiedTaxCategory', invoice)]),
    xml('cac:Price', {}, [amount('PriceAmount', price, invoice)]),
  ]);
}

/** Standard-rated or zero-rated. */
const taxCategory = (name: string, { vatPercent }: InvoiceDocument): Xml =>
  xml(name, {}, [
    cbc('ID', Number(vatPercent) > 0 ? 'S' : 'Z'),
    cbc('Percent', vatPercent),
    xml('cac:TaxScheme', {}, [cbc('ID', 'VAT')]),
  ]);

const amount = (name: string, cents: bigint, { currency }: InvoiceDocument): Xml =>
  xml(`cbc:${name}`, { currencyID: currency }, toDecimal(cents));

/** A basic component; undefined where the value is unknown. */
const cbc = (name: string, text: string | null): Xml | undefined =>
  text ? xml(`cbc:${name}`, {}, text) : undefined;

function supplierParty(seller: Seller): Xml {
  return xml('cac:AccountingSupplierParty', {}, [
    xml('cac:Party', {}, [
      address(seller.postalAddress),
      taxScheme(seller.vatNumber),
      legalEntity(seller.name, seller.registryCode),
      contact(seller.email),
    ]),
  ]);
}

/** The standard requires a name and a country of every buyer. */
function customerParty(
  buyer: Buyer,
  { unnamed, country }: { readonly unnamed: string; readonly country: string },
): Xml {
  return xml('cac:AccountingCustomerParty', {}, [
    xml('cac:Party', {}, [
      address({ ...buyer, country: buyer.country ?? country }),
      taxScheme(buyer.vatNumber),
      legalEntity(buyer.name ?? unnamed, buyer.registryCode),
      contact(buyer.email),
    ]),
  ]);
}

type Address = Pick<Buyer, 'street' | 'city' | 'postalCode' | 'country'>;

const address = ({ street, city, postalCode, country }: Address): Xml =>
  xml('cac:PostalAddress', {}, [
    cbc('StreetName', street),
    cbc('CityName', city),
    cbc('PostalZone', postalCode),
    xml('cac:Country', {}, [cbc('IdentificationCode', country)]),
  ]);

const taxScheme = (vatNumber: string | null): Xml | undefined =>
  vatNumber === null
    ? undefined
    : xml('cac:PartyTaxScheme', {}, [
        cbc('CompanyID', vatNumber),
        xml('cac:TaxScheme', {}, [cbc('ID', 'VAT')]),
      ]);

const legalEntity = (name: string, registryCode: string | null): Xml =>
  xml('cac:PartyLegalEntity', {}, [cbc('RegistrationName', name), cbc('CompanyID', registryCode)]);

const contact = (email: string | null): Xml | undefined =>
  email === null ? undefined : xml('cac:Contact', {}, [cbc('ElectronicMail', email)]);

/** The invoice as UBL; undefined where it does not exist. */
export async function readUbl(db: Sql, number: number, policy: Policy): Promise<string | undefined> {
  const [invoice] = await loadDocuments(db, [number], policy);
  if (invoice?.kind === 'bulk') refuse('bulkHasNoDocument', { at: ['number'] });
  return invoice && ublXml(invoice, policy);
}
