import { readdirSync, readFileSync } from 'node:fs';
import { isIPv4, isIPv6 } from 'node:net';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import type { Data } from './client.ts';
import { valuesAt } from './json-path.ts';

export type RdapReply = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Data;
  readonly text: string;
};
type Request = { readonly method?: string; readonly headers?: Record<string, string> };

const FOLDER = path.join(import.meta.dirname, '../doors/rdap/schemas');
const schemas = new Ajv2020({ strict: false, allErrors: true });
schemas.addFormat('ipv4', isIPv4).addFormat('ipv6', isIPv6);
for (const file of readdirSync(FOLDER))
  schemas.addSchema(JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')));

/** A client that checks every answer by the schemas, and what they cannot say. */
export class RdapClient {
  readonly url: string;
  readonly #authorization: string | undefined;

  constructor(url: string, authorization?: string) {
    this.url = url;
    this.#authorization = authorization;
  }

  domain = (name: string, request?: Request) => this.get(`/domain/${encodeURIComponent(name)}`, request);
  entity = (handle: string, request?: Request) => this.get(`/entity/${encodeURIComponent(handle)}`, request);
  nameserver = (name: string, request?: Request) =>
    this.get(`/nameserver/${encodeURIComponent(name)}`, request);

  async get(target: string, { method = 'GET', headers }: Request = {}): Promise<RdapReply> {
    const url = `${this.url}/rdap${target}`;
    const reply = await fetch(url, {
      method,
      headers: { ...(this.#authorization && { authorization: this.#authorization }), ...headers },
    });
    const text = await reply.text();
    const { status } = reply;
    expect(reply.headers.get('access-control-allow-origin')).toBe('*');
    const body = text === '' ? undefined : JSON.parse(text);
    if (method === 'HEAD' || status === 304 || method === 'OPTIONS') expect(text).toBe('');
    else {
      const schema = schemaOf(target, status);
      requireSchema(schema, body);
      const type = schema === 'bootstrap' ? 'application/json; charset=utf-8' : 'application/rdap+json';
      expect(reply.headers.get('content-type')).toBe(type);
      if (status >= 400) expect(body.errorCode).toBe(status);
      if (schema === 'domain') requireDomainRules(body);
      if (status < 400 && schema !== 'bootstrap') requireLinks(body, url.split('?')[0] ?? '', this.url);
    }
    return { status, headers: reply.headers, body, text };
  }
}

export const basic = (user: string): string =>
  `Basic ${Buffer.from(`${user}:${user}-sandbox-password`).toString('base64')}`;

function schemaOf(target: string, status: number): string {
  if (status >= 400) return 'error';
  const kind = target.split(/[/?]/)[1] ?? '';
  if (kind === 'dns.json') return 'bootstrap';
  return kind === '' ? 'help' : kind;
}

export function requireSchema(name: string, body: unknown): void {
  const validate = schemas.getSchema(`${name}.json`);
  if (!validate) throw new Error(`there is no schema ${name}`);
  if (!validate(body))
    throw new Error(
      `${name}: ${schemas.errorsText(validate.errors, { separator: '\n' })}\n${JSON.stringify(body, null, 1)}`,
    );
}

/** What no schema says: of statuses, events, and of redactions, that they are what they announce. */
export function requireDomainRules(body: Data): void {
  if (body.status.includes('active')) expect(body.status).toEqual(['active']);
  const actions = body.events.map(({ eventAction }: Data) => eventAction);
  expect(actions).toEqual([...new Set(actions)]);
  expect(actions).toEqual(
    expect.arrayContaining(['registration', 'expiration', 'last changed', 'last update of RDAP database']),
  );
  expect(body.rdapConformance.includes('redacted')).toBe(body.redacted !== undefined);
  for (const { prePath, postPath, replacementPath } of body.redacted ?? []) {
    if (replacementPath !== undefined) expect(valuesAt(body, replacementPath)).toHaveLength(1);
    if (prePath !== undefined) expect([prePath, valuesAt(body, prePath)]).toEqual([prePath, []]);
    if (postPath === undefined) continue;
    const values = valuesAt(body, postPath);
    expect([postPath, values]).toEqual([postPath, ['']]);
  }
  requireNoUnannouncedGaps(body);
}

const FIELDS = ['handle', 'publicIds', 'fn', 'tel', 'email'] as const;
const REDACTED_NAMES: Readonly<Record<(typeof FIELDS)[number], RegExp>> = {
  handle: /^Registry .* ID$/,
  publicIds: / Identification Code$/,
  fn: / Name$/,
  tel: / Phone$/,
  email: / Email$/,
};

/** The registrant has all of these fields, so each is shown or announced, and never both. */
function requireNoUnannouncedGaps(body: Data): void {
  const registrant = body.entities.find(({ roles }: Data) => roles[0] === 'registrant');
  const names: string[] = (body.redacted ?? [])
    .map(({ name }: Data) => name.type ?? name.description)
    .filter((name: string) => name.includes('Registrant'));
  for (const field of FIELDS) {
    const property = registrant.vcardArray[1].find(([name]: Data) => name === field);
    const isShown = field in registrant || (property !== undefined && property[3] !== '');
    const isAnnounced = names.some((name) => REDACTED_NAMES[field].test(name));
    expect([field, isShown]).toEqual([field, !isAnnounced]);
  }
}

/** `value` is the URL asked, and what leads to this registry is there. */
function requireLinks(body: Data, asked: string, origin: string): void {
  for (const { value, rel, href } of linksIn(body)) {
    expect(value).toBe(asked);
    if (rel === 'self') expect(href.startsWith(`${origin}/rdap/`)).toBe(true);
  }
  if (body.objectClassName !== undefined) expect(body.links[0].rel).toBe('self');
}

const linksIn = (value: Data): Data[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, member]) =>
        key === 'links' ? (member as Data[]) : linksIn(member),
      )
    : [];
