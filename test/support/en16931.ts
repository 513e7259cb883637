import { parseDecimal } from '../../src/platform/values/money.ts';
import { childAt, readXml, textAt, type Xml } from '../../src/platform/values/xml.ts';
import { countries } from '../../src/policy/countries.ts';

/** Which element must stand before which in a UBL invoice; others do not occur in ours. */
const ORDER = [
  'CustomizationID',
  'ID',
  'IssueDate',
  'DueDate',
  'InvoiceTypeCode',
  'DocumentCurrencyCode',
  'AccountingSupplierParty',
  'AccountingCustomerParty',
  'PaymentMeans',
  'TaxTotal',
  'LegalMonetaryTotal',
  'InvoiceLine',
];
const PARTY_ORDER = ['PostalAddress', 'PartyTaxScheme', 'PartyLegalEntity', 'Contact'];

type Facts = {
  readonly root: Xml;
  readonly seller: Xml | undefined;
  readonly buyer: Xml | undefined;
  readonly totals: Xml | undefined;
  readonly tax: Xml | undefined;
  readonly subtotals: readonly Xml[];
  readonly lines: readonly Xml[];
};

const all = ({ children }: Xml, name: string): Xml[] => children.filter((child) => child.name === name);
const filled = (element: Xml | undefined, ...path: string[]): boolean =>
  (textAt(element, ...path) ?? '').trim() !== '';
const cents = (element: Xml | undefined, ...path: string[]): bigint =>
  parseDecimal(textAt(element, ...path) ?? '') ?? -1n;
const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, one) => total + one, 0n);
const isDay = (text: string | undefined): boolean => /^\d{4}-\d\d-\d\d$/.test(text ?? '');
const isOrdered = (names: readonly string[], order: readonly string[]): boolean =>
  names.every(
    (name, index) => order.includes(name) && order.indexOf(name) >= order.indexOf(names[index - 1] ?? name),
  );
const everyElement = (element: Xml): Xml[] => [element, ...element.children.flatMap(everyElement)];
const vatIdOf = (party: Xml | undefined) => textAt(party, 'PartyTaxScheme', 'CompanyID');
const categoriesOf = ({ lines }: Facts) =>
  lines.map((line) => textAt(line, 'Item', 'ClassifiedTaxCategory', 'ID'));
const inCategory = (facts: Facts, id: string) =>
  facts.subtotals.filter((one) => textAt(one, 'TaxCategory', 'ID') === id);
const linesIn = ({ lines }: Facts, id: string) =>
  lines.filter((line) => textAt(line, 'Item', 'ClassifiedTaxCategory', 'ID') === id);

/** Of a category: it has one breakdown if it is used, with the sum of its lines, and the seller has a VAT number. */
const breakdown = (id: string) => (facts: Facts) => {
  const found = inCategory(facts, id);
  if (!categoriesOf(facts).includes(id)) return found.length === 0;
  return (
    found.length === 1 &&
    cents(found[0], 'TaxableAmount') ===
      sum(linesIn(facts, id).map((line) => cents(line, 'LineExtensionAmount'))) &&
    filled(facts.seller, 'PartyTaxScheme', 'CompanyID')
  );
};

/**
 * The business rules of EN 16931 that can bear on our invoices, by their own names, and the order of elements that UBL
 * sets. Left out are rules about what we never write: allowances, charges, payees, tax representatives, deliveries,
 * attachments, cards, direct debits, other VAT categories, accounting currencies.
 */
const RULES: Readonly<Record<string, (facts: Facts) => boolean>> = {
  'UBL order': ({ root }) =>
    isOrdered(
      root.children.map(({ name }) => name),
      ORDER,
    ),
  'UBL order of a party': ({ seller, buyer }) =>
    [seller, buyer].every((party) =>
      isOrdered(party?.children.map(({ name }) => name) ?? ['?'], PARTY_ORDER),
    ),
  'UBL no empty elements': ({ root }) =>
    everyElement(root).every(({ children, text }) => children.length > 0 || text.trim() !== ''),
  'BR-01': ({ root }) => textAt(root, 'CustomizationID') === 'urn:cen.eu:en16931:2017',
  'BR-02': ({ root }) => filled(root, 'ID'),
  'BR-03': ({ root }) => isDay(textAt(root, 'IssueDate')),
  'BR-04 BR-CL-01': ({ root }) => textAt(root, 'InvoiceTypeCode') === '380',
  'BR-05 BR-CL-04': ({ root }) => /^[A-Z]{3}$/.test(textAt(root, 'DocumentCurrencyCode') ?? ''),
  'BR-06': ({ seller }) => filled(seller, 'PartyLegalEntity', 'RegistrationName'),
  'BR-07': ({ buyer }) => filled(buyer, 'PartyLegalEntity', 'RegistrationName'),
  'BR-08': ({ seller }) => childAt(seller, 'PostalAddress') !== undefined,
  'BR-09 BR-CL-14': ({ seller }) =>
    countries.has(textAt(seller, 'PostalAddress', 'Country', 'IdentificationCode') ?? ''),
  'BR-10': ({ buyer }) => childAt(buyer, 'PostalAddress') !== undefined,
  'BR-11 BR-CL-14': ({ buyer }) =>
    countries.has(textAt(buyer, 'PostalAddress', 'Country', 'IdentificationCode') ?? ''),
  'BR-12': ({ totals }) => cents(totals, 'LineExtensionAmount') >= 0n,
  'BR-13': ({ totals }) => cents(totals, 'TaxExclusiveAmount') >= 0n,
  'BR-14': ({ totals }) => cents(totals, 'TaxInclusiveAmount') >= 0n,
  'BR-15': ({ totals }) => cents(totals, 'PayableAmount') >= 0n,
  'BR-16': ({ lines }) => lines.length > 0,
  'BR-21': ({ lines }) =>
    lines.every((line) => filled(line, 'ID')) &&
    new Set(lines.map((line) => textAt(line, 'ID'))).size === lines.length,
  'BR-22': ({ lines }) => lines.every((line) => /^\d+$/.test(textAt(line, 'InvoicedQuantity') ?? '')),
  'BR-23 BR-CL-23': ({ lines }) =>
    lines.every((line) => childAt(line, 'InvoicedQuantity')?.attributes.unitCode === 'C62'),
  'BR-24': ({ lines }) => lines.every((line) => cents(line, 'LineExtensionAmount') >= 0n),
  'BR-25': ({ lines }) => lines.every((line) => filled(line, 'Item', 'Name')),
  'BR-26 BR-27': ({ lines }) => lines.every((line) => cents(line, 'Price', 'PriceAmount') >= 0n),
  'BR-45 BR-46': ({ subtotals }) =>
    subtotals.every((one) => cents(one, 'TaxableAmount') >= 0n && cents(one, 'TaxAmount') >= 0n),
  'BR-47 BR-48': ({ subtotals }) =>
    subtotals.every((one) => filled(one, 'TaxCategory', 'ID') && filled(one, 'TaxCategory', 'Percent')),
  'BR-49 BR-CL-16': ({ root }) => textAt(root, 'PaymentMeans', 'PaymentMeansCode') === '30',
  'BR-50 BR-61': ({ root }) => filled(root, 'PaymentMeans', 'PayeeFinancialAccount', 'ID'),
  'BR-CL-03': ({ root }) =>
    everyElement(root)
      .filter(({ attributes }) => 'currencyID' in attributes)
      .every(({ attributes }) => attributes.currencyID === textAt(root, 'DocumentCurrencyCode')),
  'BR-CL-17 BR-CL-18': (facts) =>
    [...categoriesOf(facts), ...facts.subtotals.map((one) => textAt(one, 'TaxCategory', 'ID'))].every((id) =>
      ['S', 'Z'].includes(id ?? ''),
    ),
  'BR-CO-04': (facts) => categoriesOf(facts).every((id) => id !== undefined),
  'BR-CO-09': ({ seller, buyer }) =>
    [vatIdOf(seller), vatIdOf(buyer)].every(
      (id) => id === undefined || countries.has(id.slice(0, 2)) || id.startsWith('EL'),
    ),
  'BR-CO-10': ({ totals, lines }) =>
    cents(totals, 'LineExtensionAmount') === sum(lines.map((line) => cents(line, 'LineExtensionAmount'))),
  'BR-CO-13': ({ totals }) => cents(totals, 'TaxExclusiveAmount') === cents(totals, 'LineExtensionAmount'),
  'BR-CO-14': ({ tax, subtotals }) =>
    cents(tax, 'TaxAmount') === sum(subtotals.map((one) => cents(one, 'TaxAmount'))),
  'BR-CO-15': ({ totals, tax }) =>
    cents(totals, 'TaxInclusiveAmount') === cents(totals, 'TaxExclusiveAmount') + cents(tax, 'TaxAmount'),
  'BR-CO-16': ({ totals }) => {
    const prepaid = childAt(totals, 'PrepaidAmount') ? cents(totals, 'PrepaidAmount') : 0n;
    return cents(totals, 'PayableAmount') === cents(totals, 'TaxInclusiveAmount') - prepaid;
  },
  // The published artefacts let the tax differ by what rounding does, up to one unit; we hold it to a cent.
  'BR-CO-17 BR-S-09 BR-Z-09': ({ subtotals }) =>
    subtotals.every((one) => {
      const percent = Math.round(Number(textAt(one, 'TaxCategory', 'Percent')) * 100);
      const exact = cents(one, 'TaxableAmount') * BigInt(percent);
      const difference = exact - cents(one, 'TaxAmount') * 10_000n;
      return difference > -10_000n && difference < 10_000n;
    }),
  'BR-CO-18': ({ subtotals }) => subtotals.length > 0,
  'BR-CO-25': ({ root, totals }) => cents(totals, 'PayableAmount') === 0n || isDay(textAt(root, 'DueDate')),
  'BR-CO-26': ({ seller }) =>
    filled(seller, 'PartyLegalEntity', 'CompanyID') || vatIdOf(seller) !== undefined,
  'BR-DEC-09 BR-DEC-12 BR-DEC-13 BR-DEC-14 BR-DEC-16 BR-DEC-18 BR-DEC-19 BR-DEC-20 BR-DEC-23': ({ root }) =>
    everyElement(root)
      .filter(({ attributes }) => 'currencyID' in attributes)
      .every(({ text }) => /^\d+\.\d\d$/.test(text)),
  'BR-S-01 BR-S-02 BR-S-08': breakdown('S'),
  'BR-S-05': (facts) =>
    linesIn(facts, 'S').every((line) => Number(textAt(line, 'Item', 'ClassifiedTaxCategory', 'Percent')) > 0),
  'BR-S-10 BR-Z-10': ({ root }) =>
    !everyElement(root).some(({ name }) => name.startsWith('TaxExemptionReason')),
  'BR-Z-01 BR-Z-02 BR-Z-08': breakdown('Z'),
  'BR-Z-05': (facts) =>
    linesIn(facts, 'Z').every(
      (line) => Number(textAt(line, 'Item', 'ClassifiedTaxCategory', 'Percent')) === 0,
    ),
};

/** The names of the rules that an invoice breaks. */
export async function brokenRules(text: string): Promise<string[]> {
  const root = await readXml(text);
  if (root?.name !== 'Invoice') return ['no invoice'];
  const tax = childAt(root, 'TaxTotal');
  const facts = {
    root,
    tax,
    totals: childAt(root, 'LegalMonetaryTotal'),
    lines: all(root, 'InvoiceLine'),
    seller: childAt(root, 'AccountingSupplierParty', 'Party'),
    buyer: childAt(root, 'AccountingCustomerParty', 'Party'),
    subtotals: tax ? all(tax, 'TaxSubtotal') : [],
  };
  return Object.entries(RULES)
    .filter(([, holds]) => !holds(facts))
    .map(([name]) => name);
}
