import { expect } from 'vitest';
import { moveBy } from '../../src/platform/values/dates.ts';
import { ee } from '../../src/policy/ee.ts';
import { type BillingReply, call } from './billing.ts';
import { ApiDocument } from './document.ts';
import { noteObservation, requireNone } from './observations.ts';

export const PORTAL_API = '/api/v1/business_registry';

/** Whether a time lies as long after a moment between the two, by the calendar of the registry. */
export const isAfter = (duration: string, time: Date, from: Date, to: Date): boolean => {
  const [first, last] = [from, to].map((at) => moveBy(at, duration, ee.timeZone) ?? expect.fail(duration));
  return first !== undefined && last !== undefined && first <= time && time <= last;
};

type Headers = Record<string, string>;

/** The business registry's portal, with its token. */
export class Portal {
  readonly url: string;
  readonly #token: string;

  constructor(url: string, token = 'portal-sandbox-token') {
    this.url = url;
    this.#token = token;
  }

  get = (target: string, headers: Headers = {}): Promise<BillingReply> => this.#call(target, {}, headers);

  post = (target: string, body?: unknown, headers: Headers = {}): Promise<BillingReply> =>
    this.send(target, body === undefined ? '' : JSON.stringify(body), headers);

  /** A body as it is. */
  send = (target: string, body: string | Uint8Array, headers: Headers = {}): Promise<BillingReply> =>
    this.#call(
      target,
      { method: 'POST', body: body as NonNullable<RequestInit['body']> },
      { 'content-type': 'application/json', ...headers },
    );

  reserve = (...names: string[]): Promise<BillingReply> =>
    this.post('/reserve_domains', { domain_names: names });
  reserveLong = (...names: string[]): Promise<BillingReply> =>
    this.post('/long_reserve_domains', { domain_names: names });
  longStatus = async (number: number, id: string): Promise<BillingReply['body']> =>
    (await this.get(`/long_reserve_domains_status?invoice_number=${number}&user_unique_id=${id}`)).body;

  async #call(target: string, init: RequestInit, headers: Headers): Promise<BillingReply> {
    const authorization = `Bearer ${this.#token}`;
    const reply = await call(`${this.url}${PORTAL_API}${target}`, {
      ...init,
      headers: { authorization, ...headers },
    });
    await holdAgainstDocument(this.url, init.method ?? 'GET', `${PORTAL_API}${target}`, reply);
    return reply;
  }
}

/** Fails the test when an answer is not what the document promises, and notes it for the table of statuses. */
async function holdAgainstDocument(
  url: string,
  method: string,
  target: string,
  { status, headers, body }: BillingReply,
): Promise<void> {
  const document = await ApiDocument.of(url, '/openapi/reservation.json');
  const type = document.documentType(method, target, status);
  if (type === undefined) requireNone(document.complaints(method, target, status, body));
  expect(headers.get('content-type')).toBe(type ?? 'application/json; charset=utf-8');
  expect(headers.get('x-request-id')).toMatch(/^\S{1,128}$/);
  const operation = document.find(method, target)?.id ?? 'none';
  noteObservation({ operation, status, code: 0 });
}
