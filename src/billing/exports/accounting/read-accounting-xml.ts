import { type Cents, parseDecimal } from '../../../platform/values/money.ts';
import { readXml, type Xml } from '../../../platform/values/xml.ts';
import { sum } from '../../payments/decide.ts';

export type ReadBack = {
  readonly number: number;
  readonly net: Cents;
  readonly vat: Cents;
  readonly total: Cents;
  readonly currency: string;
};

/** Reads the invoices back from an accounting document, using nothing but the document. */
export async function readAccountingXml(text: string): Promise<ReadBack[]> {
  return (await invoicesIn(text)).map(({ attributes, children }) => {
    const net = sum(
      children.map((line) => amount(line, 'UnitPriceWoVAT') * BigInt(line.attributes.Quantity ?? 0)),
    );
    const vat = cents(attributes.TotalVAT);
    if (net !== cents(attributes.TotalWoVAT))
      throw new Error(`the lines of ${attributes.Number} come to another sum`);
    return {
      number: Number(attributes.Number),
      net,
      vat,
      total: net + vat,
      currency: attributes.Currency ?? '',
    };
  });
}

export async function numbersIn(text: string): Promise<number[]> {
  return (await invoicesIn(text)).map(({ attributes }) => Number(attributes.Number));
}

async function invoicesIn(text: string): Promise<readonly Xml[]> {
  const root = await readXml(text);
  if (root?.name !== 'invoices')
    throw new Error('what was to be sent to the accounting service cannot be read');
  return root.children;
}

const amount = (line: Xml, name: string): Cents => cents(line.attributes[name]);

function cents(text: string | undefined): Cents {
  const read = parseDecimal(text ?? '');
  if (read === undefined) throw new Error(`${text} is no amount`);
  return read;
}
