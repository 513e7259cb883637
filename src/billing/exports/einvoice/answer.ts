import { childAt, readXml, textAt } from '../../../platform/values/xml.ts';
import { acceptedBy, type ExportOutcome, rejectedFor } from '../outcome.ts';

const LONGEST_WORDS = 200;
const TAKEN = '0';

/**
 * What the operator said of an invoice. A fault is one of the exchange, and is tried again; a code other than 0 is his
 * word about the document, which would be the same again.
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
    throw new Error(`Answered a fault: ${(textAt(fault, 'faultstring') ?? '').slice(0, LONGEST_WORDS)}`);
  if (status < 200 || status > 299) throw new Error(`Answered ${status}`);
  const response = childAt(body, 'EInvoiceResponse');
  const code = textAt(response, 'ErrorCode')?.trim();
  if (code === undefined || !/^-?\d+$/.test(code)) throw new Error('Answered something that cannot be read');
  if (code === TAKEN) return acceptedBy(number);
  return rejectedFor(number, `${textAt(response, 'Message') ?? ''} (${code})`);
}
