import { createHmac, createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { initiators } from '../../../src/billing/invoices/invoice.ts';
import { tokenReader } from '../../../src/doors/billing-api/access.ts';
import { type BillingReply, call, Payer, post, tokenOf } from '../../support/billing.ts';
import { booksOf } from '../../support/books.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(() => registry.stop());

/** The initiator of the token in a header, by the secrets alone. */
const reader = tokenReader({
  registry: ['registry-sandbox-secret'],
  auction: ['auction-sandbox-secret'],
  eeid: ['eeid-sandbox-secret'],
  business_registry: ['business_registry-sandbox-secret'],
});
/** One secret is being replaced, another initiator has none. */
const rotating = tokenReader({
  registry: ['secret'],
  auction: ['the-newer-secret-of-auction', 'the-older-secret-of-auction'],
  eeid: [],
  business_registry: [],
});
const holder = async (token: Promise<string> | string, read = reader) => read(`Bearer ${await token}`);
const expectDenied = async (token: Promise<string> | string, read = reader) =>
  expect(await holder(token, read)).toBeUndefined();
const now = () => Math.floor(Date.now() / 1000);
const key = (text: string) => Buffer.from(text);
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

const ask = (authorization?: string): Promise<BillingReply> =>
  call(`${registry.url}/api/v1/invoice_generator/invoice_number_generator`, {
    method: 'POST',
    ...(authorization !== undefined && { headers: { authorization } }),
  });
const bearer = async (token: Promise<string> | string) => ask(`Bearer ${await token}`);

describe('who may call', () => {
  test.each(initiators)('success: %s, signed with its own secret', async (initiator) => {
    const { status, body, headers } = await bearer(tokenOf(initiator));
    expect([status, body.message]).toEqual([201, `Number created; ${body.invoice_number}`]);
    expect(headers.get('cache-control')).toBe('no-store');
    const [row] = await registry.sql.rows(
      sql`select initiator from invoice_numbers where number = ${body.invoice_number}`,
    );
    expect(row).toEqual({ initiator });
    expect(await holder(tokenOf(initiator))).toBe(initiator);
  });

  test('success: the token of the reference client for the registry, byte for byte', async () => {
    const token =
      'eyJhbGciOiJIUzI1NiJ9.eyJpbml0aWF0b3IiOiJyZWdpc3RyeSJ9.oq2EX0KvKrMrH6aUFIzDjmO6ZhYf_DFE9fpx2DhYonI';
    expect(await tokenOf('registry', 'secret')).toBe(token);
    expect(await holder(token, rotating)).toBe('registry');
  });

  test('success: the word Bearer in any case, and a header with more in it', async () => {
    expect(await reader(`bearer ${await tokenOf('auction')}`)).toBe('auction');
    const typed = new SignJWT({ initiator: 'auction', sub: 'x' }).setProtectedHeader({
      alg: 'HS256',
      typ: 'JWT',
    });
    expect(await holder(typed.sign(key('auction-sandbox-secret')))).toBe('auction');
  });

  test('success: a token that has not expired by the wall clock; the clock of the sandbox is ignored', async () => {
    const token = await tokenOf('auction', 'auction-sandbox-secret', { exp: now() + 600, nbf: now() - 5 });
    expect((await bearer(token)).status).toBe(201);
    await new Payer(registry.url).advance('P1D');
    expect((await bearer(token)).status).toBe(201);
  });

  test('success: both secrets while one is being replaced', async () => {
    for (const secret of ['the-newer-secret-of-auction', 'the-older-secret-of-auction'])
      expect(await holder(tokenOf('auction', secret), rotating)).toBe('auction');
  });
});

describe('who may not call', () => {
  test('failure: 401 with the same text for every cause, and no number is allocated', async () => {
    const before = await booksOf(registry);
    for (const authorization of [
      undefined,
      'Bearer token',
      `Bearer ${await tokenOf('auction', 'another')}`,
    ]) {
      const { status, body, headers } = await ask(authorization);
      expect([status, body]).toEqual([401, { message: 'Access denied', code: '403' }]);
      expect(headers.get('www-authenticate')).toBe('Bearer');
    }
    expect(await booksOf(registry)).toEqual(before);
  });

  test.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['no token', 'Bearer'],
    ['a space instead of a token', 'Bearer '],
    ['a word', 'Bearer token'],
    ['two parts', 'Bearer a.b'],
    ['four parts', 'Bearer a.b.c.d'],
    ['parts that are not JSON', 'Bearer AAAA.AAAA.AAAA'],
    ['credentials of a registrar', `Basic ${Buffer.from('alpha:alpha-sandbox-password').toString('base64')}`],
    ['a very long one', `Bearer ${'a'.repeat(7000)}.b.c`],
  ])('failure: %s', async (_what, authorization) => {
    expect(await reader(authorization)).toBeUndefined();
  });

  test('failure: a token without Bearer before it', async () => {
    expect(await reader(await tokenOf('auction'))).toBeUndefined();
  });

  test('failure: a token in the address', async () => {
    const token = await tokenOf('auction');
    const reply = await call(
      `${registry.url}/api/v1/invoice_generator/invoice_number_generator?token=${token}&access_token=${token}`,
      { method: 'POST' },
    );
    expect(reply.status).toBe(401);
  });

  test('failure: another key', () => expectDenied(tokenOf('auction', 'some-other-secret')));
  test('failure: an empty key', async () => {
    const signed = `${part({ alg: 'HS256' })}.${part({ initiator: 'eeid' })}`;
    const token = `${signed}.${createHmac('sha256', '').update(signed).digest('base64url')}`;
    await expectDenied(token);
    // No secret is set here at all.
    await expectDenied(token, rotating);
  });

  test('failure: an initiator without a secret', () => expectDenied(tokenOf('eeid'), rotating));

  test('failure: a secret that was replaced', () => expectDenied(tokenOf('auction'), rotating));

  test('failure: the secret of another initiator', async () => {
    for (const initiator of initiators)
      for (const other of initiators)
        if (other !== initiator) await expectDenied(tokenOf(initiator, `${other}-sandbox-secret`));
  });

  test.each([['regis'], ['billing'], ['billing_system'], ['REGISTRY'], [''], ['__proto__'], ['constructor']])(
    'failure: an unknown initiator: "%s"',
    async (initiator) => {
      for (const secret of ['registry-sandbox-secret', `${initiator}-sandbox-secret`])
        await expectDenied(tokenOf(initiator, secret));
    },
  );

  test.each([[{}], [{ initiator: null }], [{ initiator: ['registry'] }], [{ initiator: { registry: 1 } }]])(
    'failure: no initiator: %j',
    (claims) =>
      expectDenied(
        new SignJWT(claims as never)
          .setProtectedHeader({ alg: 'HS256' })
          .sign(key('registry-sandbox-secret')),
      ),
  );

  test('failure: alg none, with and without a signature', async () => {
    const unsecured = new UnsecuredJWT({ initiator: 'registry' }).encode();
    await expectDenied(unsecured);
    await expectDenied(`${unsecured}x`);
    for (const alg of ['none', 'None', 'NONE', ''])
      await expectDenied(`${part({ alg })}.${part({ initiator: 'registry' })}.AA`);
  });

  test('failure: a signature of another algorithm, also with the right secret', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const claims = () => new SignJWT({ initiator: 'registry' });
    await expectDenied(claims().setProtectedHeader({ alg: 'RS256' }).sign(pem));
    for (const [alg, digest] of [
      ['HS384', 'sha384'],
      ['HS512', 'sha512'],
    ] as const) {
      const signed = `${part({ alg })}.${part({ initiator: 'registry' })}`;
      const hmac = createHmac(digest, 'registry-sandbox-secret').update(signed).digest('base64url');
      await expectDenied(`${signed}.${hmac}`);
    }
  });

  test('failure: an HMAC signature under an RS256 header', async () => {
    const signed = `${part({ alg: 'RS256' })}.${part({ initiator: 'registry' })}`;
    const hmac = createHmac('sha256', 'registry-sandbox-secret').update(signed).digest('base64url');
    await expectDenied(`${signed}.${hmac}`);
  });

  test('failure: a key that is embedded in the token', async () => {
    const own = Buffer.from('a-secret-of-the-attacker').toString('base64url');
    const jwk = { kty: 'oct', k: own };
    const token = new SignJWT({ initiator: 'registry' }).setProtectedHeader({
      alg: 'HS256',
      jwk: jwk as never,
      kid: '../../../dev/null',
      jku: 'http://127.0.0.1:1/keys',
    });
    await expectDenied(token.sign(key('a-secret-of-the-attacker')));
  });

  test('failure: a claim that was changed after it was signed', async () => {
    const [header, , signature] = (await tokenOf('auction')).split('.');
    await expectDenied(`${header}.${part({ initiator: 'registry' })}.${signature}`);
  });

  test.each([
    ['expired', () => ({ exp: now() - 1 })],
    ['expired long ago', () => ({ exp: 1 })],
    ['not yet valid', () => ({ nbf: now() + 60 })],
    ['an expiry that is not a number', () => ({ exp: 'tomorrow' })],
  ])('failure: %s', (_what, claims) => expectDenied(tokenOf('auction', 'auction-sandbox-secret', claims())));
});

describe('what needs a token', () => {
  const paths = [
    'bulk_payment',
    'deposit_prepayment',
    'deposit_status',
    'invoice_generator',
    'invoice_number_generator',
    'invoice_status',
    'oneoff',
    'reference_number_generator',
  ].map((name) => `/invoice_generator/${name}`);

  const others = ['/directo/directo', '/e_invoice/e_invoice'];
  test.each([...paths, ...others, '/import_data/invoice_data', '/import_data/reference_data'])(
    'failure: POST %s without one, with any body',
    async (path) => {
      const reply = await post(`${registry.url}/api/v1${path}`, { anything: 1 });
      expect([reply.status, reply.body]).toEqual([401, { message: 'Access denied', code: '403' }]);
    },
  );

  test.each(['/invoices/150005', '/invoices/150005/pdf', '/invoices/150005/ubl', '/invoices/x'])(
    'failure: GET %s without one',
    async (path) => {
      const reply = await call(`${registry.url}/api/v1${path}`, {});
      expect([reply.status, reply.body]).toEqual([401, { message: 'Access denied', code: '403' }]);
    },
  );

  test('success: the callback needs none, and ignores one that is wrong', async () => {
    const reply = await call(`${registry.url}/api/v1/callback_handler/callback`, {
      headers: { authorization: 'Bearer nonsense' },
    });
    expect([reply.status, reply.body]).toEqual([200, { message: 'Callback received' }]);
  });

  test('success: neither tokens nor secrets are logged', async () => {
    const token = await tokenOf('auction');
    await bearer(token);
    await bearer(`${token}x`);
    expect(registry.logged()).not.toContain(token);
    expect(registry.logged()).not.toContain('auction-sandbox-secret');
  });
});
