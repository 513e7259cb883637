import type { FastifyInstance } from 'fastify';
import { ERP, SOAP } from '../../../billing/exports/einvoice/e-invoice-operator.ts';
import { childAt, readXml, textAt, writeXml, type Xml, xml } from '../../../platform/values/xml.ts';
import type { Fault, Faults } from '../faults.ts';
import {
  type Answer,
  type DocumentReceiver,
  documentRoute,
  type ReceivedDocuments,
} from './received-documents.ts';

export const EINVOICE_PATH = '/sandbox/einvoice';

type Dependencies = {
  readonly faults: Faults;
  readonly received: ReceivedDocuments;
  readonly authPhrase: string | undefined;
};

/** Simulates the e-invoice operator: accepts SOAP requests with the right phrase, and each file once. */
export function einvoiceSimulator(
  app: FastifyInstance,
  { faults, received, authPhrase }: Dependencies,
): void {
  let requests = 0;
  const take = async (text: string, mode: Fault | undefined): Promise<Answer> => {
    const request = childAt(await readXml(text), 'Body', 'EInvoiceRequest');
    const document = childAt(request, 'E_Invoice');
    const invoice = childAt(document, 'Invoice');
    const fileId = textAt(document, 'Header', 'FileId');
    if (request?.attributes.authPhrase !== authPhrase) return fault('Illegal authentication phrase.');
    if (!document || !invoice || !fileId) return fault('Validation error');
    requests += 1;
    if (mode === 'half' && requests % 2 === 0)
      return respond('61', 'The recipient takes no e-invoices (a fault of the sandbox)');
    const sums = childAt(invoice, 'InvoiceSumGroup');
    received.take({
      key: fileId,
      number: invoice.attributes.invoiceId ?? '',
      buyer: textAt(invoice, 'InvoiceParties', 'BuyerParty', 'Name') ?? '',
      total: `${textAt(sums, 'TotalSum')} ${textAt(sums, 'Currency')}`,
      document: await writeXml(document),
    });
    return respond('0', 'Success');
  };
  const broken: DocumentReceiver['broken'] = () => fault('Internal error (a fault of the sandbox)');
  documentRoute(app, { path: EINVOICE_PATH, type: 'text/xml', target: 'einvoice', faults }, { take, broken });
}

const respond = (code: string, message: string): Promise<Answer> =>
  answer(
    200,
    xml('erp:EInvoiceResponse', {}, [xml('erp:ErrorCode', {}, code), xml('erp:Message', {}, message)]),
  );

const fault = (text: string): Promise<Answer> =>
  answer(500, xml('soap:Fault', {}, [xml('faultcode', {}, 'soap:Server'), xml('faultstring', {}, text)]));

async function answer(status: number, content: Xml): Promise<Answer> {
  const envelope = xml('soap:Envelope', { 'xmlns:soap': SOAP, 'xmlns:erp': ERP }, [
    xml('soap:Body', {}, [content]),
  ]);
  return { status, type: 'text/xml; charset=utf-8', text: await writeXml(envelope) };
}
