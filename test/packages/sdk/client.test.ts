import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  CredentialsError,
  isCommonRefusal,
  Refusal,
  type Registry,
  RegistryError,
} from '../../../packages/sdk/src/index.ts';
import { alpha as plainClient } from '../../support/client.ts';
import { freshCode } from '../../support/contacts.ts';
import { freshName, Registrant } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { clientOf } from './clients.ts';

let registry: TestRegistry;
let client: Registry;
let registrant: string;
beforeAll(async () => {
  registry = await startRegistry();
  client = clientOf(registry.url);
  ({ code: registrant } = await Registrant.of(plainClient(registry.url)));
});
afterAll(() => registry.stop());

const order = (name = freshName()) => ({ name, registrant, period: 1, period_unit: 'y' }) as const;
const organisation = {
  name: 'Spare',
  email: 'spare@example.ee',
  phone: '+372.1',
  ident: { ident: '12345678', ident_type: 'org', ident_country_code: 'EE' },
} as const;
const spare = async () => (await client.contacts.create(organisation)).data.contact.code;
const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('changes', () => {
  test('success: a dry run returns the price, and changes nothing', async () => {
    const { data: before } = await client.billing.balance();
    const wanted = order();
    const { data } = await client.domains.create(wanted, { dryRun: true });
    expect(data.dry_run).toEqual({ price: '9.00', balance_after: (Number(before.balance) - 9).toFixed(2) });
    expect((await client.domains.check(wanted.name)).data.domain.available).toBe(true);
    expect((await client.billing.balance()).data).toEqual(before);
  });

  test('success: requests with the same key take effect once; each call without one has a key of its own', async () => {
    const key = freshCode();
    const wanted = order();
    const first = await client.domains.create(wanted, { key });
    const again = await client.domains.create(wanted, { key });
    expect([first.meta.key, first.meta.isReplay, again.meta.isReplay]).toEqual([key, false, true]);
    expect(again.data).toEqual(first.data);
    const keys = [await client.contacts.delete(await spare()), await client.contacts.delete(await spare())];
    expect(new Set(keys.map(({ meta }) => meta.key)).size).toBe(2);
    const taken = await failureOf(client.domains.create(wanted));
    expect(taken).toMatchObject({ reason: 'nameYours', key: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  });

  test('failure: a key that the API refuses', async () => {
    expect(await failureOf(client.domains.create(order(), { key: '' }))).toBeInstanceOf(TypeError);
    expect(await failureOf(client.domains.create(order(), { key: 'x'.repeat(256) }))).toBeInstanceOf(
      TypeError,
    );
  });
});

describe('answers', () => {
  test('success: they come with their request id, the rate limit and the number of attempts', async () => {
    const { meta } = await client.billing.balance();
    expect(meta).toMatchObject({ status: 200, key: undefined, isReplay: false, attempts: 1 });
    expect(meta.requestId).toMatch(/^[0-9a-f-]{36}\.1$/);
    // The sandbox of tests has a higher limit than a real one.
    expect(meta.rateLimit).toEqual({
      limit: 100_000,
      windowSeconds: 60,
      remaining: expect.any(Number),
      resetSeconds: expect.any(Number),
    });
    // It is logged after its answer was sent.
    await expect.poll(() => registry.logged()).toContain(meta.requestId);
  });

  test('success: lists are read to their end by cursor, while their items are deleted', async () => {
    const codes = ['paged-0', 'paged-1', 'paged-2', 'paged-3', 'paged-4'];
    for (const id of codes) await client.contacts.create({ ...organisation, id });
    const query = { q: 'paged-', sort: 'code' } as const;
    const pages: number[] = [];
    for await (const { items } of client.contacts.list({ ...query, limit: 2 }).pages())
      pages.push(items.length);
    expect(pages).toEqual([2, 2, 1]);
    const { next, count } = await client.contacts.list({ ...query, limit: 3 }).page();
    expect(count).toBe(5);
    const rest = client.contacts.list({ ...query, after: next, details: true });
    expect((await rest.page()).items.map(({ code }) => code)).toEqual(codes.slice(3));
    const seen: string[] = [];
    for await (const code of client.contacts.list({ ...query, limit: 2 })) {
      seen.push(code);
      // By offset the next page would skip as many as were deleted.
      await client.contacts.delete(code);
    }
    expect(seen).toEqual(codes);
  });

  test('success: messages can be acknowledged while they are read', async () => {
    const beta = clientOf(registry.url, 'beta');
    for (let index = 0; index < 3; index++) {
      const name = freshName();
      await client.domains.create({ ...order(name), transfer_code: 'given-away' });
      await beta.transfers.transfer(name, { transfer_code: 'given-away' });
    }
    let handled = 0;
    for await (const { id } of client.messages.list({ limit: 1 })) {
      await client.messages.acknowledge(id);
      handled++;
    }
    expect(handled).toBe(3);
    expect((await client.messages.latest()).data.id).toBeUndefined();
  });
});

describe('refusals', () => {
  test('success: result() returns them, the call itself rejects', async () => {
    const blocked = { ...order(), registrant: 'nobody-here' };
    const result = await client.domains.create(blocked).result();
    expect(result).toMatchObject({
      ok: false,
      refusal: { reason: 'bodyObjectMissing', status: 400, code: 2303 },
    });
    const error = await failureOf(client.domains.create(blocked));
    expect(error).toBeInstanceOf(Refusal);
    expect(error).toMatchObject({ name: 'Refusal', attempts: 1, requestId: expect.stringMatching(/\.1$/) });
    expect(await client.billing.balance().result()).toMatchObject({ ok: true, meta: { status: 200 } });
  });

  test('success: every failure has a name, and those of syntax are shared', async () => {
    const wrong = {
      name: 'Mari',
      email: 'nobody',
      phone: '5',
      ident: { ident: '', ident_type: 'priv', ident_country_code: 'EE' },
    } as const;
    const result = await client.contacts.create(wrong).result();
    if (result.ok) throw new Error('it was accepted');
    expect(isCommonRefusal(result.refusal)).toBe(true);
    expect(result.refusal.errors.map(({ field }) => field)).toEqual([
      'contact.email',
      'contact.phone',
      'contact.ident.ident',
    ]);
    expect([
      result.refusal.has('fieldMissing'),
      result.refusal.has('wrongSyntax'),
      result.refusal.has('nameTaken'),
    ]).toEqual([true, true, false]);
    const missing = await client.domains.read(freshName()).result();
    expect(missing.ok || [missing.refusal.reason, isCommonRefusal(missing.refusal)]).toEqual([
      'objectMissing',
      false,
    ]);
  });

  test('failure: wrong credentials are sent once, and not in the error', async () => {
    const password = 'a wrong password';
    const wrong = clientOf(registry.url, 'alpha', { password });
    const error = await failureOf(wrong.billing.balance().result());
    expect(error).toBeInstanceOf(CredentialsError);
    expect(error).toMatchObject({ status: 401, attempts: 1 });
    const shown = inspect([error, wrong], { depth: 9, showHidden: true });
    expect(shown).not.toContain(password);
    expect(shown).not.toContain(Buffer.from(`alpha:${password}`).toString('base64'));
    expect(error).toBeInstanceOf(RegistryError);
  });
});

describe('errors in logs', () => {
  test('success: JSON of a refusal has its message, its name and every failure', async () => {
    const error = await failureOf(client.domains.read(freshName(), { timeoutMs: 20_000 }));
    if (!(error instanceof Refusal)) throw new Error('it was not refused');
    const { message, requestId, errors } = error;
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({
      name: 'Refusal',
      message,
      requestId,
      errors,
      attempts: 1,
      status: 404,
      reason: 'objectMissing',
      code: 2303,
      field: null,
    });
  });
});

describe('invalid options', () => {
  test.each([
    ['a password over plain http', { baseUrl: 'http://registry.example' }],
    ['another protocol', { baseUrl: 'ftp://registry.example' }],
    ['credentials in the address', { baseUrl: 'https://a:b@registry.example' }],
    ['a query', { baseUrl: 'https://registry.example/?x=1' }],
    ['an empty password', { password: '' }],
    ['no password', { password: undefined as unknown as string }],
    ['no username', { username: undefined as unknown as string }],
    ['a path', { baseUrl: 'https://registry.example/registry/v1' }],
    ['a username with a colon', { username: 'a:b' }],
  ])('failure: %s', (_what, options) => {
    expect(() => clientOf('https://registry.example', 'alpha', options)).toThrow(TypeError);
  });

  test('success: plain http to this machine, and where it is allowed', () => {
    for (const baseUrl of ['http://localhost:1', 'http://[::1]:1', 'http://127.0.0.1']) clientOf(baseUrl);
    clientOf('http://sandbox:8080', 'alpha', { allowHttp: true });
  });

  test.each(['', '.', '..'])('failure: %j is not the name of an object', (name) => {
    expect(() => client.contacts.delete(name)).toThrow(TypeError);
  });
});
