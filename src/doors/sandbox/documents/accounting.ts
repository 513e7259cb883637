import type { FastifyInstance } from 'fastify';
import { type Cents, parseDecimal, toDecimal } from '../../../platform/values/money.ts';
import { readXml, writeXml, type Xml, xml } from '../../../platform/values/xml.ts';
import type { Fault, Faults } from '../faults.ts';
import { type Answer, documentRoute, type ReceivedDocuments } from './received-documents.ts';

export const ACCOUNTING_PATH = '/sandbox/accounting';

/** Simulates the accounting service: accepts Directo's format and answers with a result per invoice. */
export function accountingSimulator(
  app: FastifyInstance,
  { faults, received }: { readonly faults: Faults; readonly received: ReceivedDocuments },
): void {
  const take = async (text: string, fault: Fault | undefined): Promise<Answer> => {
    const form = new URLSearchParams(text);
    if (form.get('put') !== '1' || form.get('what') !== 'invoice')
      return answer([refusal('Unknown request')]);
    const root = await readXml(form.get('xmldata') ?? '');
    if (root?.name !== 'invoices') return answer([refusal('XML cannot be read')]);
    const results: Xml[] = [];
    for (const [index, invoice] of root.children.entries())
      results.push(
        fault === 'half' && index % 2 === 1
          ? result(invoice, '2', 'Unknown customer (a fault of the sandbox)')
          : await accept(invoice, received),
      );
    return answer(results);
  };
  const broken = async () => ({
    status: 500,
    type: 'text/plain',
    text: 'Internal error (a fault of the sandbox)',
  });
  const type = 'application/x-www-form-urlencoded';
  documentRoute(app, { path: ACCOUNTING_PATH, type, target: 'accounting', faults }, { take, broken });
}

/** Each number is accepted once. */
async function accept(invoice: Xml, received: ReceivedDocuments): Promise<Xml> {
  const { Number: number = '', CustomerName: name, CustomerCode: code = '', ...sums } = invoice.attributes;
  if (number === '' || code === '' || invoice.children.length === 0)
    return result(invoice, '3', 'Incomplete');
  const total = cents(sums.TotalWoVAT) + cents(sums.TotalVAT);
  const isNew = received.take({
    key: number,
    number,
    buyer: name ?? code,
    document: await writeXml(invoice),
    total: `${toDecimal(total)} ${sums.Currency ?? ''}`.trim(),
  });
  return isNew ? result(invoice, '0', 'OK') : result(invoice, '1', 'Duplicate');
}

const cents = (text: string | undefined): Cents => parseDecimal(text ?? '') ?? 0n;

const result = ({ attributes }: Xml, type: string, text: string): Xml =>
  xml('Result', { Type: type, Desc: text, docid: attributes.Number, doctype: 'ARVE', submit: 'Invoices' });
const refusal = (text: string): Xml => xml('Result', { Type: '9', Desc: text });

async function answer(results: readonly Xml[]): Promise<Answer> {
  return { status: 200, type: 'text/xml; charset=utf-8', text: await writeXml(xml('results', {}, results)) };
}
