import type { BillingPath } from '../../billing/billing-refusals.ts';
import type { RequestPath } from '../../operations/common-refusals.ts';
import type { NamedRefusal, NamedRefusals, Names } from '../../operations/named-refusal.ts';
import type { RenderedRefusals } from '../http/http-answer.ts';
import { REQUEST_NAMES } from '../http/request-key.ts';

const SHORT_WAIT = { 'retry-after': '1' };
const UNREADABLE = 'The request cannot be read';

type Headers = Readonly<Record<string, string>>;
const rendered = (status: number, body: object, headers: Headers = {}): RenderedRefusals => ({
  status,
  body,
  headers,
});
const text = (status: number, error: string, headers?: Headers) => rendered(status, { error }, headers);

/** What this API calls the places of a request and of its command. */
export const NAMES: Names<BillingPath | RequestPath> = {
  ...REQUEST_NAMES,
  number: 'invoice_number',
  amount: 'transaction_amount',
  description: 'description',
  status: 'status',
  returnUrl: 'customer_url',
  'buyer.name': 'invoice.buyer_name',
  'buyer.registryCode': 'invoice.buyer_reg_no',
  invoice: 'invoice',
  invoices: 'invoice_data',
};

/** The refusal format of this API: texts by field, or one text. */
export function renderRefusals(refusals: NamedRefusals): RenderedRefusals {
  const [first] = refusals;
  const { name, kind, message, field, values, retryAfterSeconds } = first;
  switch (name) {
    case 'accessDenied':
      return rendered(401, { message, code: '403' }, { 'www-authenticate': 'Bearer' });
    case 'noInvoiceNumber':
      return rendered(501, { message: 'Number create failed. out of range', error: 'out of range' });
    case 'paymentDeclined':
      return rendered(422, { error: { code: values.providerCode, message: values.message } });
    case 'providerAway':
    case 'providerMissing':
      return text(502, 'Payment provider unavailable', SHORT_WAIT);
    case 'keyReused':
      return rendered(422, { error: { [String(field)]: ['was used for another request'] } });
    case 'invalidField':
      return rendered(422, { error: textsByField(refusals) });
    case 'callbackUnreadable':
      return text(400, message);
    case 'bodyTooLarge':
      return text(413, message);
    case 'unreadableMediaType':
      return text(415, UNREADABLE);
    case 'malformedRequest':
      return text(400, UNREADABLE);
  }
  switch (kind) {
    case 'unavailable':
      return text(503, 'Service unavailable', { 'retry-after': String(retryAfterSeconds ?? 1) });
    case 'fault':
      return text(500, `Internal error, request ${values.requestId}`);
    case 'other-method':
      return text(405, message);
    case 'unknown-path':
      return text(404, 'Not found');
    case 'missing':
      return text(404, message);
    case 'limited':
      return text(429, message, { 'retry-after': String(retryAfterSeconds ?? 1) });
    default:
      return field === null ? text(400, message) : rendered(422, { error: textsByField([first]) });
  }
}

function textsByField(refusals: readonly NamedRefusal[]): Readonly<Record<string, readonly string[]>> {
  const texts: Record<string, string[]> = {};
  for (const { field, message } of refusals) {
    const place = field ?? 'body';
    texts[place] = [...(texts[place] ?? []), message];
  }
  return texts;
}
