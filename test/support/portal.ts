import { type BillingReply, call } from './billing.ts';

export const PORTAL_API = '/api/v1/business_registry';

type Headers = Record<string, string>;

/** The business registry's portal, with its token. */
export class Portal {
  readonly url: string;
  readonly #token: string;

  constructor(url: string, token = 'portal-sandbox-token') {
    this.url = url;
    this.#token = token;
  }

  get = (path: string, headers: Headers = {}): Promise<BillingReply> => this.#call(path, {}, headers);

  post = (path: string, body?: unknown, headers: Headers = {}): Promise<BillingReply> =>
    this.send(path, body === undefined ? '' : JSON.stringify(body), headers);

  /** A body as it is. */
  send = (path: string, body: string | Uint8Array, headers: Headers = {}): Promise<BillingReply> =>
    this.#call(
      path,
      { method: 'POST', body: body as NonNullable<RequestInit['body']> },
      { 'content-type': 'application/json', ...headers },
    );

  reserve = (...names: string[]): Promise<BillingReply> =>
    this.post('/reserve_domains', { domain_names: names });
  reserveLong = (...names: string[]): Promise<BillingReply> =>
    this.post('/long_reserve_domains', { domain_names: names });
  longStatus = async (number: number, id: string): Promise<BillingReply['body']> =>
    (await this.get(`/long_reserve_domains_status?invoice_number=${number}&user_unique_id=${id}`)).body;

  #call(path: string, init: RequestInit, headers: Headers): Promise<BillingReply> {
    const authorization = `Bearer ${this.#token}`;
    return call(`${this.url}${PORTAL_API}${path}`, { ...init, headers: { authorization, ...headers } });
  }
}
