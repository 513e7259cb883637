import fc from 'fast-check';
import { expect } from 'vitest';
import { seed as planted } from '../../src/app/seed.ts';
import { ApiDocument } from '../support/document.ts';
import { exchange, parseAnswers, type RawAnswer } from '../support/raw-http.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { seed } from '../support/seed.ts';
import { sql } from '../support/sql.ts';
import { basic, type FuzzRequest, toBytes, WRONG_PASSWORD } from './any-request.ts';

export const REQUESTS = process.env.TORTURE ? 20_000 : 480;
export const LIMIT_MS = process.env.TORTURE ? 900_000 : 120_000;
export const AT_ONCE = 10;

/** The document's table of statuses, without the one that says that we failed. */
const STATUSES = new Set([200, 400, 401, 403, 404, 405, 406, 410, 418, 429, 503]);
/** Passwords, right and wrong, as text and as they are sent: nothing may ever show them. */
export const credentials: readonly string[] = [
  ...planted.users.flatMap(({ username, password }) => [password, basic(`${username}:${password}`).slice(6)]),
  WRONG_PASSWORD,
  ...['alpha', 'nobody'].map((username) => basic(`${username}:${WRONG_PASSWORD}`).slice(6)),
];

/** A registry under fuzzing, and all of its answers to others than alpha. */
export class FuzzedRegistry {
  readonly registry: TestRegistry;
  readonly port: number;
  readonly #document: ApiDocument;
  readonly #secret: RegExp;
  readonly #answersToOthers: string[] = [];
  readonly #secretsOfAlpha = new Set<string>();

  private constructor(registry: TestRegistry, document: ApiDocument, secretMember: string) {
    this.registry = registry;
    this.port = Number(new URL(registry.url).port);
    this.#document = document;
    this.#secret = new RegExp(`"${secretMember}" ?: ?"([^"]+)"`, 'g');
  }

  /** `secretMember` is the member of answers that only the sponsor may read. */
  static async start(secretMember: string): Promise<FuzzedRegistry> {
    process.stderr.write(`fuzzing with FUZZ_SEED=${seed}\n`);
    const registry = await startRegistry();
    return new FuzzedRegistry(registry, await ApiDocument.of(registry.url), secretMember);
  }

  /** Faults of an answer, independent of the request. */
  faults(method: string, target: string, { status, headers, body, text }: RawAnswer): string[] {
    const wrong: string[] = [];
    if (!STATUSES.has(status)) wrong.push(`status ${status}`);
    if (!/^\S{1,128}$/.test(headers.get('x-request-id') ?? '')) wrong.push('no X-Request-Id');
    if (headers.get('content-type') !== 'application/json; charset=utf-8') wrong.push('not declared as JSON');
    if (status === 405 && headers.get('allow')?.split(', ').includes(method))
      wrong.push('405 for an allowed method');
    for (const secret of credentials) if (text.includes(secret)) wrong.push(`shows ${secret}`);
    if (method === 'HEAD') return wrong;
    try {
      const envelope = JSON.parse(body);
      wrong.push(...this.#document.complaints(method, target, status, envelope));
      if (status !== 200 && JSON.stringify(envelope.data) !== '{}') wrong.push('a refusal with data');
    } catch {
      wrong.push(`not JSON: ${body.slice(0, 200)}`);
    }
    return wrong.map((fault) => fault.slice(0, 500));
  }

  async #tryOut(asked: FuzzRequest): Promise<void> {
    const bytes = await exchange(this.port, [toBytes(asked)], { silenceMs: 20_000 });
    const answers = asked.method === 'HEAD' ? headersOnly(bytes) : parseAnswers(bytes).map(joined);
    const wrong = answers.flatMap((answer) => this.faults(asked.method, asked.target, answer));
    if (answers.length !== 1) wrong.push(`${answers.length} answers`);
    if (wrong.length > 0) throw new Error(`${wrong.join('; ')}\n${JSON.stringify(asked).slice(0, 2000)}`);
    if (asked.caller !== 'alpha') this.#answersToOthers.push(...answers.map(({ text }) => text));
    else
      for (const [, secret = ''] of answers[0]?.body.matchAll(this.#secret) ?? [])
        this.#secretsOfAlpha.add(secret);
  }

  /** Sends batches of concurrent requests; after each the server must be healthy. */
  async ask(requests: fc.Arbitrary<FuzzRequest>, count: number): Promise<void> {
    await this.tryEach(requests, count, (asked) => this.#tryOut(asked));
  }

  async tryEach<T>(
    items: fc.Arbitrary<T>,
    count: number,
    attempt: (item: T) => Promise<void>,
  ): Promise<void> {
    const batch = fc.array(items, { minLength: AT_ONCE, maxLength: AT_ONCE });
    const property = fc.asyncProperty(batch, async (several) => {
      await Promise.all(several.map(attempt));
      expect((await fetch(`${this.registry.url}/health`)).status).toBe(200);
    });
    await fc.assert(property, { seed, numRuns: count / AT_ONCE });
  }

  /** Secrets of alpha, given and observed, that appear where they must not. */
  async shownSecrets(given: readonly string[], isSecret: (text: string) => boolean): Promise<string[]> {
    const secrets = [...new Set([...given, ...this.#secretsOfAlpha])].filter(isSecret);
    expect(secrets.length).toBeGreaterThan(0);
    const kept = await this.registry.sql.rows(sql<{ text: string }>`
      select concat(before, after) as text from history union all select answer::text from idempotency_keys`);
    const recorded = this.registry.logged() + kept.map(({ text }) => text).join('\n');
    const answers = this.#answersToOthers.join('\n');
    return [
      ...secrets
        .filter((secret) => answers.includes(secret))
        .map((secret) => `in an answer to another: ${secret}`),
      ...[...secrets, ...credentials]
        .filter((secret) => recorded.includes(secret))
        .map((secret) => `noted: ${secret}`),
    ];
  }

  /** Unexpected errors in the log, each kind once. */
  unforeseen(): string[] {
    const lines = this.registry.logged().split('\n');
    const failures = lines.filter((line) => line.includes('unexpected error'));
    return [...new Set(failures.map((line) => String(JSON.parse(line).err?.stack).slice(0, 300)))];
  }
}

/** The answer to HEAD announces a body that does not come. */
function headersOnly(bytes: Buffer): RawAnswer[] {
  const silent = bytes.toString('latin1').replace(/^content-length: *\d+$/gim, 'content-length: 0');
  return parseAnswers(Buffer.from(silent, 'latin1'));
}

/** A streamed answer in one piece. */
function joined(answer: RawAnswer): RawAnswer {
  if (answer.headers.get('transfer-encoding') !== 'chunked') return answer;
  const pieces: Buffer[] = [];
  for (let rest = Buffer.from(answer.body); ; ) {
    const lineEnd = rest.indexOf('\r\n');
    const length = Number.parseInt(rest.toString('latin1', 0, lineEnd), 16);
    if (!(length > 0)) break;
    pieces.push(rest.subarray(lineEnd + 2, lineEnd + 2 + length));
    rest = rest.subarray(lineEnd + 2 + length + 2);
  }
  return { ...answer, body: Buffer.concat(pieces).toString() };
}
