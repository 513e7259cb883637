import { Agent, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { tokenOf } from '../../support/billing.ts';
import { ApiDocument } from '../../support/document.ts';
import { noteObservation } from '../../support/observations.ts';
import { Recording, shortened } from './recording.ts';

type Headers = Record<string, string>;

/** One request of a recording; `as` names whose credentials it carries. */
export type Recorded = {
  readonly as: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Headers;
  readonly body?: unknown;
  /** A raw body, instead of one that is serialised as JSON. */
  readonly raw?: string;
};

/** Headers that a client may rely on; the others are those of Node or vary. */
const COMPARED = [
  'content-type',
  'content-disposition',
  'allow',
  'link',
  'retry-after',
  'www-authenticate',
  'idempotency-replayed',
];

/** Random values that recur in later requests and answers, by where they first appear. */
const RANDOM_VALUES: readonly (readonly [RegExp, string])[] = [
  [/"user_unique_id":"([\w-]{10})"/g, '<id>'],
  [/(?:"reference_number":"|[?&]reference_number=)(\d{4,})/g, '<reference>'],
];

const BASIC: Headers = {
  alpha: 'alpha:alpha-sandbox-password',
  beta: 'beta:beta-sandbox-password',
  poor: 'poor:poor-sandbox-password',
  'wrong password': 'alpha:wrong',
  'alpha-billing': 'alpha-billing:alpha-billing-sandbox-password',
};

async function authorizationOf(who: string): Promise<string | undefined> {
  if (who === 'nobody') return undefined;
  const basic = BASIC[who];
  if (basic !== undefined) return `Basic ${Buffer.from(basic).toString('base64')}`;
  if (who === 'portal') return 'Bearer portal-sandbox-token';
  if (who === 'wrong token') return 'Bearer no-such-token';
  if (who === 'wrong secret') return `Bearer ${await tokenOf('auction', 'another-secret')}`;
  return `Bearer ${await tokenOf(who)}`;
}

/** Sends requests one after the other and records the answers, with varying values replaced by their names. */
export class Recorder {
  readonly #origin: string;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #recording = new Recording();
  readonly #document: string;
  readonly #compared: readonly string[];
  /** Deviations from the OpenAPI document of the API. */
  readonly complaints: string[] = [];

  constructor(origin: string, document: string, compared: readonly string[] = []) {
    this.#origin = origin;
    this.#document = document;
    this.#compared = [...COMPARED, ...compared];
  }

  get count(): number {
    return this.#recording.count;
  }

  get text(): string {
    return this.#recording.text;
  }

  /** Sends a request and returns the body of its answer, parsed where it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are inspected member by member
  async send(recorded: Recorded): Promise<any> {
    const { as, method, path: target, headers = {}, body } = recorded;
    const sent = recorded.raw ?? (body === undefined ? '' : JSON.stringify(body));
    const authorization = await authorizationOf(as);
    const answer = await this.#exchange(method, target, sent, {
      ...(authorization && { authorization }),
      ...(sent !== '' && {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(sent)),
      }),
      'x-request-id': `recorded-${this.count + 1}`,
      ...headers,
    });
    for (const [form, name] of RANDOM_VALUES)
      for (const [, value = ''] of answer.text.matchAll(form))
        if (!sent.includes(value)) this.#recording.learn(value, name);
    const isPdf = answer.headers['content-type'] === 'application/pdf';
    const headerLines = this.#compared.flatMap((name) =>
      answer.headers[name] === undefined ? [] : [`${name}: ${answer.headers[name]}`],
    );
    const own = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    this.#recording.add([
      `### ${as}: ${method} ${target}`,
      ...own.map((line) => `> ${line.slice(0, 200)}`),
      ...(sent === '' ? [] : [`> ${shortened(sent)}`]),
      String(answer.status),
      ...headerLines,
      isPdf ? '<PDF>' : answer.text,
    ]);
    const isJson = answer.headers['content-type']?.includes('json') && answer.text !== '';
    const parsed = isJson ? JSON.parse(answer.text) : answer.text;
    await this.#holdAgainstDocument(method, target, answer.status, parsed);
    return parsed;
  }

  /** Repeats a request until its answer shows the effect of a background job, and records that answer only. */
  async sendUntil(
    recorded: Recorded,
    isDone: (body: { readonly [member: string]: unknown }) => boolean,
  ): Promise<void> {
    while (!isDone(await this.send(recorded))) {
      this.#recording.forgetLast();
      await setTimeout(20);
    }
  }

  /** Collects deviations from the document, and the statuses seen, for the table of statuses. */
  async #holdAgainstDocument(method: string, target: string, status: number, body: unknown): Promise<void> {
    const document = await ApiDocument.of(this.#origin, this.#document);
    const operation = document.find(method, target)?.id;
    if (operation === undefined) return;
    if (document.documentType(method, target, status) === undefined)
      this.complaints.push(...document.complaints(method, target, status, body));
    const code = (body as { code?: unknown }).code;
    noteObservation({ operation, status, code: Number(code ?? 0) });
  }

  async sendAll(requests: readonly Recorded[]): Promise<void> {
    for (const each of requests) await this.send(each);
  }

  /** Without `fetch`, which allows neither a malformed Accept header nor a body on GET. */
  #exchange(method: string, path: string, body: string, headers: Headers) {
    return new Promise<{ status: number; headers: Record<string, string | undefined>; text: string }>(
      (resolve, reject) => {
        const outgoing = request(
          `${this.#origin}${path}`,
          { method, headers, agent: this.#agent },
          (reply) => {
            const pieces: Buffer[] = [];
            reply.on('data', (piece) => pieces.push(piece));
            reply.on('end', () =>
              resolve({
                status: reply.statusCode ?? 0,
                headers: reply.headers as Record<string, string | undefined>,
                text: Buffer.concat(pieces).toString(),
              }),
            );
          },
        );
        outgoing.on('error', reject);
        outgoing.end(body);
      },
    );
  }
}

/** Values of the wrong type for a member. */
const FEW_WRONG_VALUES: readonly unknown[] = [null, '', 5, {}];
const WRONG_VALUES: readonly unknown[] = [...FEW_WRONG_VALUES, ' ', 1.5, 'true', [], 'x'.repeat(2_001)];

/** Bodies like this one with one member missing, of another type, or unknown; each differs in one place. */
export function withErrors(body: unknown, { few = false } = {}): unknown[] {
  return [...missing(body), ...replaced(body, few ? FEW_WRONG_VALUES : WRONG_VALUES), ...withUnknown(body)];
}

type Members = Record<string, unknown>;
const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null;

/** Rebuilds a value with each of its members, at any depth, changed by `change`. */
function everywhere(value: unknown, change: (parent: Members, name: string) => unknown[]): unknown[] {
  if (!isMembers(value)) return [];
  return Object.keys(value).flatMap((name) => [
    ...change(value, name),
    ...everywhere(value[name], change).map((changed) => put(value, name, changed)),
  ]);
}

const put = (parent: Members, name: string, value: unknown): unknown =>
  Array.isArray(parent)
    ? parent.map((item, index) => (String(index) === name ? value : item))
    : { ...parent, [name]: value };

const missing = (body: unknown): unknown[] =>
  everywhere(body, (parent, name) => {
    if (Array.isArray(parent)) return [parent.filter((_, index) => String(index) !== name)];
    const { [name]: _gone, ...rest } = parent;
    return [rest];
  });

const replaced = (body: unknown, values: readonly unknown[]): unknown[] =>
  everywhere(body, (parent, name) => values.map((value) => put(parent, name, value)));

const withUnknown = (body: unknown): unknown[] => [
  ...(isMembers(body) && !Array.isArray(body) ? [{ ...body, surprise: 1 }] : []),
  ...everywhere(body, (parent, name) => {
    const inner = parent[name];
    return isMembers(inner) && !Array.isArray(inner) ? [put(parent, name, { ...inner, surprise: 1 })] : [];
  }),
];
