import { type BillingReply, call } from './billing.ts';

export const PORTAL_API = '/api/v1/business_registry';

/** The business portal, with its token. */
export class Portal {
  readonly url: string;
  readonly #authorization: string;

  constructor(url: string, token = 'portal-sandbox-token') {
    this.url = url;
    this.#authorization = `Bearer ${token}`;
  }

  get = (path: string, headers: Record<string, string> = {}): Promise<BillingReply> =>
    this.#call(path, { headers });

  post = (path: string, body?: unknown, headers: Record<string, string> = {}): Promise<BillingReply> =>
    this.send(path, body === undefined ? '' : JSON.stringify(body), {
      'content-type': 'application/json',
      ...headers,
    });

  /** A body as it is. */
  send = (
    path: string,
    body: string | Uint8Array,
    headers: Record<string, string> = {},
  ): Promise<BillingReply> =>
    this.#call(path, { method: 'POST', headers, body: body as NonNullable<RequestInit['body']> });

  #call(path: string, { headers, ...init }: RequestInit): Promise<BillingReply> {
    return call(`${this.url}${PORTAL_API}${path}`, {
      ...init,
      headers: { authorization: this.#authorization, ...(headers as Record<string, string>) },
    });
  }
}
