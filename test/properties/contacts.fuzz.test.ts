import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seed as planted } from '../../src/cli/seed.ts';
import { alpha, beta } from '../support/client.ts';
import { createContact } from '../support/contacts.ts';
import { ApiDocument } from '../support/document.ts';
import { exchange, parseAnswers, type RawAnswer } from '../support/raw-http.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { brokenBytes } from './broken-bytes.ts';
import {
  alphaCodes,
  basic,
  betaCodes,
  type FuzzRequest,
  request,
  toBytes,
  WRONG_PASSWORD,
} from './contact-requests.ts';

const REQUESTS = process.env.TORTURE ? 20_000 : 2_000;
const AT_ONCE = 10;
const WELL_FORMED_RUNS = (REQUESTS * 0.75) / AT_ONCE;
const BROKEN_RUNS = (REQUESTS * 0.25) / AT_ONCE;
const LIMIT_MS = process.env.TORTURE ? 900_000 : 120_000;
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);

/** The document's table of statuses, without the one that says that we failed. */
const STATUSES = new Set([200, 400, 401, 403, 404, 405, 406, 410, 418, 429, 503]);
const passwords = [...planted.users.map(({ password }) => password), WRONG_PASSWORD];
const headers = [
  ...planted.users.map(({ username, password }) => basic(`${username}:${password}`)),
  ...['alpha', 'nobody'].map((username) => basic(`${username}:${WRONG_PASSWORD}`)),
].map((header) => header.slice('Basic '.length));

let registry: TestRegistry;
let document: ApiDocument;
let port: number;
const toldOthers: string[] = [];
const secretsOfAlpha = new Set<string>();

beforeAll(async () => {
  process.stderr.write(`fuzzing with FUZZ_SEED=${seed}\n`);
  registry = await startRegistry();
  port = Number(new URL(registry.url).port);
  document = await ApiDocument.of(registry.url);
  for (const id of alphaCodes) await createContact(alpha(registry.url), { id });
  for (const id of betaCodes) await createContact(beta(registry.url), { id });
});
afterAll(() => registry.stop());

/** What is wrong with an answer, whatever the question was. */
function faults(method: string, target: string, { status, headers: found, body, text }: RawAnswer): string[] {
  const wrong: string[] = [];
  if (!STATUSES.has(status)) wrong.push(`status ${status}`);
  if (!/^\S{1,128}$/.test(found.get('x-request-id') ?? '')) wrong.push('no X-Request-Id');
  if (found.get('content-type') !== 'application/json; charset=utf-8') wrong.push('not declared as JSON');
  if (status === 405 && found.get('allow')?.split(', ').includes(method))
    wrong.push('405 for an allowed method');
  for (const secret of [...passwords, ...headers]) if (text.includes(secret)) wrong.push(`shows ${secret}`);
  try {
    const envelope = JSON.parse(body);
    wrong.push(...document.complaints(method, target, status, envelope));
    if (status !== 200 && JSON.stringify(envelope.data) !== '{}') wrong.push('a refusal with data');
  } catch {
    wrong.push(`not JSON: ${body.slice(0, 200)}`);
  }
  return wrong.map((fault) => fault.slice(0, 500));
}

async function tryOut(asked: FuzzRequest): Promise<void> {
  const answers = parseAnswers(await exchange(port, [toBytes(asked)], { silenceMs: 20_000 }));
  const { method, target } = asked;
  const wrong = answers.flatMap((answer) => faults(method, target, answer));
  if (answers.length !== 1) wrong.push(`${answers.length} answers`);
  if (wrong.length > 0) throw new Error(`${wrong.join('; ')}\n${JSON.stringify(asked).slice(0, 2000)}`);
  if (asked.caller === 'alpha') {
    for (const [, secret = ''] of answers[0]?.body.matchAll(/"auth_info" ?: ?"([^"]+)"/g) ?? [])
      secretsOfAlpha.add(secret);
  } else toldOthers.push(...answers.map(({ text }) => text));
}

async function everyone<T>(items: readonly T[], attempt: (item: T) => Promise<void>): Promise<void> {
  await Promise.all(items.map(attempt));
  expect((await fetch(`${registry.url}/health`)).status).toBe(200);
}
const batch = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.array(arbitrary, { minLength: AT_ONCE, maxLength: AT_ONCE });

describe(`contacts under fire, FUZZ_SEED=${seed}`, { timeout: LIMIT_MS }, () => {
  test('success: whatever is asked, the answer is one the document promises', async () => {
    const property = fc.asyncProperty(batch(request), (requests) => everyone(requests, tryOut));
    await fc.assert(property, { seed, numRuns: WELL_FORMED_RUNS });
  });

  test('success: bytes that are no request are refused in the envelope, or not answered at all', async () => {
    const property = fc.asyncProperty(batch(brokenBytes), (items) =>
      everyone(items, async ({ kind, method, target, pieces }) => {
        const answers = parseAnswers(await exchange(port, pieces, { pauseMs: 15, silenceMs: 100 }));
        const wrong = answers.flatMap((answer) => faults(method, target, answer));
        const sent = JSON.stringify(Buffer.concat(pieces).toString('latin1').slice(0, 600));
        if (wrong.length > 0) throw new Error(`${kind}: ${wrong.join('; ')}\n${sent}`);
      }),
    );
    await fc.assert(property, { seed, numRuns: BROKEN_RUNS });
    expect((await alpha(registry.url).get('/contacts')).status).toBe(200);
  });

  test('success: no secret of one registrar is in an answer to another, in the log, in history or with a kept answer', async () => {
    for (const { auth_info } of await registry.sql<{ auth_info: string }[]>`
      select c.auth_info from contacts c join registrars r on r.id = c.registrar_id where r.code = 'ALPHA'`)
      secretsOfAlpha.add(auth_info);
    expect(secretsOfAlpha.size).toBeGreaterThan(0);
    const answers = toldOthers.join('\n');
    const log = registry.logged();
    const kept = await registry.sql<{ text: string }[]>`
      select concat(before, after) as text from history union all select answer::text from idempotency_keys`;
    const stored = kept.map(({ text }) => text).join('\n');
    const shown = (secrets: Iterable<string>, text: string) =>
      [...secrets].filter((secret) => text.includes(secret));
    expect(shown(secretsOfAlpha, answers)).toEqual([]);
    expect(shown([...secretsOfAlpha, ...passwords, ...headers], log + stored)).toEqual([]);
    expect(log.split('\n').filter((line) => line.includes('unforeseen failure'))).toEqual([]);
  });
});
