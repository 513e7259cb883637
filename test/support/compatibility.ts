import { expect, vi } from 'vitest';
import { cadastre, databaseUrl } from './cadastre.ts';
import { API, type Envelope } from './client.ts';
import type { TestRegistry } from './registry.ts';

export type OldReply = { readonly status: number; readonly headers: Headers; readonly body: Envelope };
type Sent = {
  readonly json?: unknown;
  readonly form?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** A client as it was written for the incumbent; its answers are not held against our document. */
export class OldClient {
  readonly #base: string;
  readonly #authorization: string;

  constructor(url: string, prefix = API, credentials = 'alpha:alpha-sandbox-password') {
    this.#base = url + prefix;
    this.#authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  }

  async call(method: string, target: string, { json, form, headers = {} }: Sent = {}): Promise<OldReply> {
    const reply = await fetch(this.#base + target, {
      method,
      headers: {
        authorization: this.#authorization,
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      body: form ?? (json === undefined ? null : JSON.stringify(json)),
    } as RequestInit);
    return { status: reply.status, headers: reply.headers, body: (await reply.json()) as Envelope };
  }

  get = (target: string) => this.call('GET', target);
  post = (target: string, json: unknown, headers?: Sent['headers']) =>
    this.call('POST', target, { json, ...(headers && { headers }) });
  put = (target: string, json: unknown) => this.call('PUT', target, { json });
  patch = (target: string, json: unknown) => this.call('PATCH', target, { json });
  delete = (target: string, json?: unknown) => this.call('DELETE', target, { json });
}

/** Switches the profile as an operator does, and waits until the server knows. */
export async function setProfile(
  { url, databaseName }: TestRegistry,
  registrar: 'ALPHA' | 'BETA',
  to: 'on' | 'off',
): Promise<void> {
  const env = { DATABASE_URL: databaseUrl(databaseName) };
  const outcome = await cadastre(['registrar', 'compatibility', registrar, to], { env });
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  const user = registrar.toLowerCase();
  const client = new OldClient(url, API, `${user}:${user}-sandbox-password`);
  await vi.waitFor(
    async () => {
      const { headers } = await client.get('/accounts/balance');
      expect(headers.has('compatibility-profile')).toBe(to === 'on');
    },
    { interval: 20 },
  );
}
