import { childAt, readXml, writeXml, type Xml, xml } from '../../../platform/values/xml.ts';
import type { Sender } from '../../deliveries/deliver.ts';
import { post } from '../post.ts';
import { settleExports } from '../settle.ts';
import { readOperatorAnswer } from './answer.ts';
import { eInvoiceNews } from './news.ts';

export type EInvoiceOperator = {
  /** The whole address; in the sandbox it is known only once the server listens. */
  readonly url: () => string | undefined;
  /** By which he knows us. */
  readonly authPhrase: string | undefined;
  /** The settings that name the two, for whoever has to set them. */
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
        if (outcome.accepted) await eInvoiceNews(db, number, now);
      },
    };
  };
}

const envelope = (document: Xml, authPhrase: string): Xml =>
  xml('soap:Envelope', { 'xmlns:soap': SOAP, 'xmlns:erp': ERP }, [
    xml('soap:Body', {}, [xml('erp:EInvoiceRequest', { authPhrase }, [document])]),
  ]);
