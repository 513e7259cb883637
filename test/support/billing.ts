import { SignJWT } from 'jose';
import { expect } from 'vitest';
import type { Initiator } from '../../src/billing/invoices/invoice.ts';
import { ApiDocument } from './document.ts';
import { noteObservation, requireNone } from './observations.ts';

export type BillingReply = {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked into member by member
  readonly body: any;
};

/** A token as a service makes it. */
export function tokenOf(
  initiator: string,
  secret = `${initiator}-sandbox-secret`,
  claims: object = {},
): Promise<string> {
  return new SignJWT({ initiator, ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret));
}

const BILLING_API = '/api/v1';

/** Fails the test when an answer is not what the document promises, and notes it for the table of statuses. */
export async function holdAgainstBillingDocument(
  url: string,
  method: string,
  target: string,
  { status, body }: BillingReply,
): Promise<void> {
  const document = await ApiDocument.of(url, '/openapi/billing.json');
  const operation = document.find(method, BILLING_API + target)?.id;
  if (operation === undefined) return;
  if (document.documentType(method, BILLING_API + target, status) === undefined)
    requireNone(document.complaints(method, BILLING_API + target, status, body));
  noteObservation({ operation, status, code: 0 });
}

/** One of the services that issue invoices, and their payers. */
export class Service {
  readonly url: string;
  readonly initiator: Initiator;

  constructor(url: string, initiator: Initiator = 'auction') {
    this.url = url;
    this.initiator = initiator;
  }

  async post(target: string, body?: unknown, headers: Record<string, string> = {}): Promise<BillingReply> {
    const authorization = `Bearer ${await tokenOf(this.initiator)}`;
    return this.#call(target, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  async get(target: string): Promise<BillingReply> {
    return this.#call(target, { headers: { authorization: `Bearer ${await tokenOf(this.initiator)}` } });
  }

  async #call(target: string, init: RequestInit): Promise<BillingReply> {
    const reply = await call(`${this.url}${BILLING_API}${target}`, init);
    await holdAgainstBillingDocument(this.url, init.method ?? 'GET', target, reply);
    return reply;
  }

  async number(): Promise<number> {
    return (await this.post('/invoice_generator/invoice_number_generator')).body.invoice_number;
  }

  /** A new invoice and the signed link to pay it. */
  async invoice(amount = '124.00', details: object = {}): Promise<{ number: number; link: string }> {
    const number = await this.number();
    const { body } = await this.post('/invoice_generator/invoice_generator', {
      invoice_number: number,
      transaction_amount: amount,
      custom_field2: this.initiator,
      ...details,
    });
    return { number, link: body.everypay_link };
  }

  async oneoff(number: number, customerUrl = 'https://auction.example/done'): Promise<string> {
    const { body } = await this.post('/invoice_generator/oneoff', {
      invoice_number: String(number),
      customer_url: customerUrl,
    });
    return body.oneoff_redirect_link;
  }

  async status(number: number): Promise<string> {
    return (await this.get(`/invoices/${number}`)).body.status;
  }
}

const CONTROL_WAITS_MS = 1_000;

/** What the sandbox's payment provider is told to do. */
export class Payer {
  readonly url: string;
  constructor(url: string) {
    this.url = url;
  }

  async pay(
    link: string,
    outcome = 'settled',
    details: { amount?: string; callback?: boolean } = {},
  ): Promise<string> {
    const { body } = await post(`${this.url}/sandbox/provider/pay`, { link, outcome, ...details });
    return body.payment_reference;
  }

  async move(reference: string, state: string, details: object = {}): Promise<void> {
    await post(`${this.url}/sandbox/provider/payments/${reference}/state`, {
      payment_state: state,
      ...details,
    });
  }

  async callback(query: string): Promise<BillingReply> {
    const target = `/callback_handler/callback${query}`;
    const reply = await call(`${this.url}${BILLING_API}${target}`, {});
    await holdAgainstBillingDocument(this.url, 'GET', target, reply);
    return reply;
  }

  async advance(duration: string): Promise<void> {
    await post(`${this.url}/sandbox/clock`, { advance: duration });
  }

  /** The control waits a second for what the provider is being asked; on a machine that is busy that may be too short. */
  async invoice(number: number): Promise<BillingReply['body']> {
    for (let attempt = 1; ; attempt++) {
      const started = performance.now();
      const { body } = await call(`${this.url}/sandbox/invoices/${number}`, {});
      if (performance.now() - started < CONTROL_WAITS_MS || attempt === 10) return body;
    }
  }

  /** Every request to the provider fails meanwhile: a fixed number of faults might be met by a poll of an earlier payment. */
  async whileProviderFails<T>(mode: string, work: () => Promise<T>): Promise<T> {
    await this.fault('provider', mode, 1000);
    try {
      return await work();
    } finally {
      await this.fault('provider', 'none');
    }
  }

  async fault(target: string, mode: string, times?: number): Promise<void> {
    await post(`${this.url}/sandbox/faults`, { target, mode, ...(times !== undefined && { times }) });
  }

  async deliveries(): Promise<BillingReply['body'][]> {
    return (await call(`${this.url}/sandbox/deliveries`, {})).body;
  }
}

export const post = (url: string, body: object): Promise<BillingReply> =>
  call(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

export async function call(url: string, init: RequestInit): Promise<BillingReply> {
  const response = await fetch(url, init);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  const body = isJson ? JSON.parse(text) : text;
  if (isJson) expect(text).toBe(JSON.stringify(body));
  return { status: response.status, headers: response.headers, body };
}
