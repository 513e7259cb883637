import type { Sql } from '../../src/platform/sql/executor.ts';
import { totpCode, totpStepAt } from '../../src/registry/people/totp.ts';
import { sql } from './sql.ts';

/** A browser without scripts, as far as the console needs one: it keeps the cookie and follows no redirect by itself. */
export class ConsoleClient {
  readonly #url: () => string;
  readonly #timeoutMs: number | undefined;
  readonly #cookies = new Map<string, string>();

  /** A function chooses the server of each request. */
  constructor(url: string | (() => string), timeoutMs?: number) {
    this.#url = typeof url === 'string' ? () => url : url;
    this.#timeoutMs = timeoutMs;
  }

  get cookie(): string {
    return Array.from(this.#cookies, ([name, value]) => `${name}=${value}`).join('; ');
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<ConsoleAnswer> {
    return this.#send(path, { headers });
  }

  async post(
    path: string,
    fields: Readonly<Record<string, string>> | [string, string][],
    headers: Record<string, string> = {},
  ): Promise<ConsoleAnswer> {
    const body = new URLSearchParams(fields);
    return this.#send(path, {
      method: 'POST',
      body,
      headers: { 'sec-fetch-site': 'same-origin', ...headers },
    });
  }

  async logIn(email: string, password: string): Promise<ConsoleAnswer> {
    return this.post('/console/login', { email, password });
  }

  async #send(
    path: string,
    request: RequestInit & { headers: Record<string, string> },
  ): Promise<ConsoleAnswer> {
    const sent = { 'accept-language': 'en', cookie: this.cookie, ...request.headers };
    // An empty one is not sent.
    const headers = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== ''));
    const response = await fetch(new URL(path, this.#url()), {
      ...request,
      headers,
      redirect: 'manual',
      ...(this.#timeoutMs !== undefined && { signal: AbortSignal.timeout(this.#timeoutMs) }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (set.includes('Max-Age=0')) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, to: response.headers.get('location') };
  }
}

export type ConsoleAnswer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Where a redirect leads. */
  readonly to: string | null;
};

type Credentials = readonly [email: string, password: string];
type Person = 'alpha' | 'reader' | 'beta';
export const PEOPLE: Readonly<Record<Person, Credentials>> = {
  alpha: ['alpha@sandbox.example', 'alpha-console-password'],
  reader: ['alpha-reader@sandbox.example', 'alpha-reader-console-password'],
  beta: ['beta@sandbox.example', 'beta-console-password'],
};

export async function loggedIn(url: string, person: Person = 'alpha'): Promise<ConsoleClient> {
  const client = new ConsoleClient(url);
  const { status } = await client.logIn(...PEOPLE[person]);
  if (status !== 303) throw new Error(`the login of ${person} was answered with ${status}`);
  return client;
}

/** What was recorded of a person. */
export const historyOf = (db: Sql, email: string): Promise<{ operation: string; actor: string }[]> =>
  db.rows(sql<{ operation: string; actor: string }>`
    select operation, actor from history where object_kind = 'person' and object_name = ${email} order by id`);

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The key that a page shows for an authenticator app. */
export function shownSecret(text: string): Buffer {
  const key = /class="secret">([A-Z2-7 ]+)</.exec(text)?.[1] ?? '';
  const bits = Array.from(key.replaceAll(' ', ''), (sign) =>
    ALPHABET.indexOf(sign).toString(2).padStart(5, '0'),
  ).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** The code that an authenticator app shows, or will show so many steps later. */
export const codeNow = (secret: Buffer, later = 0): string =>
  totpCode(secret, totpStepAt(new Date()) + later);

export const hiddenField = (text: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';

/** The hidden fields of a form for the next step. */
export const carriedFields = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(
      ([, name = '', value = '']) => [
        name,
        value.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
      ],
    ),
  );

/** Sets up an authenticator app; its code is used up then. */
export async function setUpApp(
  client: ConsoleClient,
): Promise<{ readonly secret: Buffer; readonly code: string; readonly recoveryCodes: string[] }> {
  const begun = await client.post('/console/account/code/new', {});
  const secret = shownSecret(begun.text);
  const step = hiddenField(begun.text, 'step');
  const code = codeNow(secret);
  const { status, text } = await client.post('/console/account/code/confirm', { step, code });
  if (status !== 200) throw new Error(`the app was answered with ${status}`);
  return { secret, code, recoveryCodes: text.match(/\b(?:[a-z2-7]{4}-){3}[a-z2-7]{4}\b/g) ?? [] };
}
