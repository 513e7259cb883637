import { expect } from 'vitest';
import { ApiDocument } from './document.ts';
import { noteObservation, requireNone, requireSame } from './observations.ts';

/** Whatever a test digs out of an answer; its shape is proved by the document, not by the compiler. */
// biome-ignore lint/suspicious/noExplicitAny: the one place where answers come in
export type Data = any;
export type Failure = { code: number; message: string; field: string | null; reason: string };
export type Envelope = { code: number; message: string; data: Data; errors?: Failure[] };
export type Reply = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Envelope;
  readonly text: string;
};
type Request = {
  readonly body?: unknown;
  readonly raw?: string | Uint8Array;
  readonly headers?: Record<string, string>;
};

export const API = '/registry/v1';
const REQUEST_ID = /^\S{1,128}$/;

/** What stands for the envelope where a call answers with something to print. */
const DOCUMENT: Envelope = { code: 1000, message: 'a document', data: {} };
const isJson = (headers: Headers): boolean =>
  headers.get('content-type')?.startsWith('application/json') ?? false;

/** A registrar's client. Every answer it sees is held against the API document of the server it talks to. */
export class Client {
  readonly url: string;
  readonly #authorization: string | undefined;

  constructor(url: string, credentials?: string) {
    this.url = url;
    this.#authorization = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
  }

  get = (target: string, request?: Request) => this.call('GET', target, request);
  post = (target: string, body?: unknown, request?: Request) =>
    this.call('POST', target, { body, ...request });
  put = (target: string, body?: unknown, request?: Request) => this.call('PUT', target, { body, ...request });
  patch = (target: string, body?: unknown, request?: Request) =>
    this.call('PATCH', target, { body, ...request });
  delete = (target: string, body?: unknown, request?: Request) =>
    this.call('DELETE', target, { body, ...request });

  async call(method: string, target: string, { body, raw, headers }: Request = {}): Promise<Reply> {
    const reply = await fetch(`${this.url}${API}${target}`, {
      method,
      headers: {
        ...(this.#authorization && { authorization: this.#authorization }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: raw ?? (body === undefined ? null : JSON.stringify(body)),
    } as RequestInit);
    const text = await reply.text();
    const answer = {
      status: reply.status,
      headers: reply.headers,
      text,
      body: isJson(reply.headers) ? (JSON.parse(text) as Envelope) : DOCUMENT,
    };
    if (isJson(reply.headers) && text !== '') requireSame(text, JSON.stringify(answer.body));
    await holdAgainstDocument(this.url, method, `${API}${target}`, answer);
    return answer;
  }
}

export const alpha = (url: string) => new Client(url, 'alpha:alpha-sandbox-password');
export const beta = (url: string) => new Client(url, 'beta:beta-sandbox-password');
export const poor = (url: string) => new Client(url, 'poor:poor-sandbox-password');
export const alphaBilling = (url: string) => new Client(url, 'alpha-billing:alpha-billing-sandbox-password');

/** Fails the test when an answer is not what the document promises, and notes it for the table of statuses. */
export async function holdAgainstDocument(
  url: string,
  method: string,
  target: string,
  { status, headers, body }: Reply,
): Promise<void> {
  const document = await ApiDocument.of(url);
  const operation = document.find(method, target)?.id ?? 'none';
  const type = document.documentType(method, target, status);
  if (type === undefined) requireNone(document.complaints(method, target, status, body));
  requireSame(headers.get('content-type'), type ?? 'application/json; charset=utf-8');
  const requestId = headers.get('x-request-id') ?? '';
  if (!REQUEST_ID.test(requestId)) expect(requestId).toMatch(REQUEST_ID);
  if (status !== 200) expect(body.data).toEqual({});
  // Every refusal but of who is not let in, and but those that are no fault of the request.
  requireSame(body.errors !== undefined, ![200, 401, 500, 503].includes(status));
  if (body.errors) {
    const [first] = body.errors;
    expect(first).toMatchObject({ code: body.code });
    // With as many errors as are listed at the most the message also counts the rest; a bulk renewal names its domains.
    if (operation === 'renewDomains') expect(body.message).toContain(first?.message);
    else if (body.errors.length < 100) expect(first).toMatchObject({ message: body.message });
    else expect(body.message.startsWith(first?.message ?? '-')).toBe(true);
  }
  noteObservation({ operation, status, code: body.code });
}
