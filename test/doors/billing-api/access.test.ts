import { createHmac, createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { initiators } from '../../../src/billing/invoices/invoice.ts';
import { type BillingReply, call, Payer, post, tokenOf } from '../../support/billing.ts';
import { startFreshRegistry, startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let rotating: TestRegistry;
beforeAll(async () => {
  registry = await startRegistry();
  rotating = await startFreshRegistry({
    billingSecretRegistry: ['secret'],
    billingSecretAuction: ['the-newer-secret-of-auction', 'the-older-secret-of-auction'],
    billingSecretEeid: [],
  });
});
afterAll(async () => {
  await registry.stop();
  await rotating.stop();
});

const ask = (authorization?: string, { url } = registry): Promise<BillingReply> =>
  call(`${url}/api/v1/invoice_generator/invoice_number_generator`, {
    method: 'POST',
    ...(authorization !== undefined && { headers: { authorization } }),
  });
const bearer = async (token: Promise<string> | string, at = registry) => ask(`Bearer ${await token}`, at);
const now = () => Math.floor(Date.now() / 1000);
const key = (text: string) => Buffer.from(text);
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const handedOut = async ({ sql: db }: TestRegistry): Promise<number> => {
  const [row] = await db.rows(sql<{ count: number }>`select count(*)::int as count from invoice_numbers`);
  return row?.count ?? -1;
};

/** A refusal says the same of everything, and takes no number. */
async function expectDenied(refused: Promise<BillingReply>, at = registry): Promise<void> {
  const before = await handedOut(at);
  const { status, body, headers } = await refused;
  expect([status, body]).toEqual([401, { message: 'Access denied', code: '403' }]);
  expect(headers.get('www-authenticate')).toBe('Bearer');
  expect(await handedOut(at)).toBe(before);
}

describe('who may call', () => {
  test.each(initiators)('success: %s, signed with its own secret', async (initiator) => {
    const { status, body, headers } = await bearer(tokenOf(initiator));
    expect([status, body.message]).toEqual([201, `Number created; ${body.invoice_number}`]);
    expect(headers.get('cache-control')).toBe('no-store');
    const [row] = await registry.sql.rows(
      sql`select initiator from invoice_numbers where number = ${body.invoice_number}`,
    );
    expect(row).toEqual({ initiator });
  });

  test('success: the token that the reference makes for the registry, byte for byte', async () => {
    const token =
      'eyJhbGciOiJIUzI1NiJ9.eyJpbml0aWF0b3IiOiJyZWdpc3RyeSJ9.oq2EX0KvKrMrH6aUFIzDjmO6ZhYf_DFE9fpx2DhYonI';
    expect(await tokenOf('registry', 'secret')).toBe(token);
    expect((await bearer(token, rotating)).status).toBe(201);
  });

  test('success: the word Bearer in any case, and a header with more in it', async () => {
    const token = await tokenOf('auction');
    expect((await ask(`bearer ${token}`)).status).toBe(201);
    const typed = new SignJWT({ initiator: 'auction', sub: 'x' }).setProtectedHeader({
      alg: 'HS256',
      typ: 'JWT',
    });
    expect((await bearer(typed.sign(key('auction-sandbox-secret')))).status).toBe(201);
  });

  test('success: a token that expires later, whatever the clock of the sandbox says', async () => {
    const token = await tokenOf('auction', 'auction-sandbox-secret', { exp: now() + 600, nbf: now() - 5 });
    expect((await bearer(token)).status).toBe(201);
    await new Payer(registry.url).advance('P1D');
    expect((await bearer(token)).status).toBe(201);
  });

  test('success: both secrets while one is being replaced', async () => {
    for (const secret of ['the-newer-secret-of-auction', 'the-older-secret-of-auction'])
      expect((await bearer(tokenOf('auction', secret), rotating)).status).toBe(201);
  });
});

describe('who may not', () => {
  test.each([
    ['nothing', undefined],
    ['an empty header', ''],
    ['no token', 'Bearer'],
    ['no token but a space', 'Bearer '],
    ['a word', 'Bearer token'],
    ['two parts', 'Bearer a.b'],
    ['four parts', 'Bearer a.b.c.d'],
    ['parts that are no JSON', 'Bearer AAAA.AAAA.AAAA'],
    ['credentials of a registrar', `Basic ${Buffer.from('alpha:alpha-sandbox-password').toString('base64')}`],
    ['a very long one', `Bearer ${'a'.repeat(7000)}.b.c`],
  ])('failure: %s', (_what, authorization) => expectDenied(ask(authorization)));

  test('failure: a token without Bearer before it', async () => expectDenied(ask(await tokenOf('auction'))));

  test('failure: a token in the address', async () => {
    const token = await tokenOf('auction');
    await expectDenied(
      call(
        `${registry.url}/api/v1/invoice_generator/invoice_number_generator?token=${token}&access_token=${token}`,
        { method: 'POST' },
      ),
    );
  });

  test('failure: another key', () => expectDenied(bearer(tokenOf('auction', 'some-other-secret'))));
  test('failure: an empty key', async () => {
    const signed = `${part({ alg: 'HS256' })}.${part({ initiator: 'eeid' })}`;
    const token = `${signed}.${createHmac('sha256', '').update(signed).digest('base64url')}`;
    await expectDenied(bearer(token));
    // No secret is set here at all.
    await expectDenied(bearer(token, rotating), rotating);
  });

  test('failure: an initiator without a secret', () =>
    expectDenied(bearer(tokenOf('eeid'), rotating), rotating));

  test('failure: a secret that was replaced', () =>
    expectDenied(bearer(tokenOf('auction'), rotating), rotating));

  test('failure: the secret of another initiator', async () => {
    for (const initiator of initiators)
      for (const other of initiators)
        if (other !== initiator) await expectDenied(bearer(tokenOf(initiator, `${other}-sandbox-secret`)));
  });

  test.each([['regis'], ['billing'], ['billing_system'], ['REGISTRY'], [''], ['__proto__'], ['constructor']])(
    'failure: an unknown initiator: "%s"',
    async (initiator) => {
      for (const secret of ['registry-sandbox-secret', `${initiator}-sandbox-secret`])
        await expectDenied(bearer(tokenOf(initiator, secret)));
    },
  );

  test.each([[{}], [{ initiator: null }], [{ initiator: ['registry'] }], [{ initiator: { registry: 1 } }]])(
    'failure: no initiator: %j',
    (claims) =>
      expectDenied(
        bearer(
          new SignJWT(claims as never)
            .setProtectedHeader({ alg: 'HS256' })
            .sign(key('registry-sandbox-secret')),
        ),
      ),
  );

  test('failure: alg none, with and without a signature', async () => {
    const unsecured = new UnsecuredJWT({ initiator: 'registry' }).encode();
    await expectDenied(bearer(unsecured));
    await expectDenied(bearer(`${unsecured}x`));
    for (const alg of ['none', 'None', 'NONE', ''])
      await expectDenied(bearer(`${part({ alg })}.${part({ initiator: 'registry' })}.AA`));
  });

  test('failure: a signature of another algorithm, also with the right secret', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const claims = () => new SignJWT({ initiator: 'registry' });
    await expectDenied(bearer(claims().setProtectedHeader({ alg: 'RS256' }).sign(pem)));
    for (const [alg, digest] of [
      ['HS384', 'sha384'],
      ['HS512', 'sha512'],
    ] as const) {
      const signed = `${part({ alg })}.${part({ initiator: 'registry' })}`;
      const hmac = createHmac(digest, 'registry-sandbox-secret').update(signed).digest('base64url');
      await expectDenied(bearer(`${signed}.${hmac}`));
    }
  });

  test('failure: HMAC written over the header of RS256', async () => {
    const signed = `${part({ alg: 'RS256' })}.${part({ initiator: 'registry' })}`;
    const hmac = createHmac('sha256', 'registry-sandbox-secret').update(signed).digest('base64url');
    await expectDenied(bearer(`${signed}.${hmac}`));
  });

  test('failure: a key that the token brings along', async () => {
    const own = Buffer.from('a-secret-of-the-attacker').toString('base64url');
    const jwk = { kty: 'oct', k: own };
    const token = new SignJWT({ initiator: 'registry' }).setProtectedHeader({
      ...{ alg: 'HS256', jwk: jwk as never, kid: '../../../dev/null', jku: 'http://127.0.0.1:1/keys' },
    });
    await expectDenied(bearer(token.sign(key('a-secret-of-the-attacker'))));
  });

  test('failure: a claim that was changed after it was signed', async () => {
    const [header, , signature] = (await tokenOf('auction')).split('.');
    await expectDenied(bearer(`${header}.${part({ initiator: 'registry' })}.${signature}`));
  });

  test.each([
    ['expired', () => ({ exp: now() - 1 })],
    ['expired long ago', () => ({ exp: 1 })],
    ['not good yet', () => ({ nbf: now() + 60 })],
    ['an expiry that is no number', () => ({ exp: 'tomorrow' })],
  ])('failure: %s', (_what, claims) =>
    expectDenied(bearer(tokenOf('auction', 'auction-sandbox-secret', claims()))),
  );
});

describe('what needs a token', () => {
  const paths = [
    ...[
      'bulk_payment',
      'deposit_prepayment',
      'deposit_status',
      'invoice_generator',
      'invoice_number_generator',
    ],
    ...['invoice_status', 'oneoff', 'reference_number_generator'],
  ].map((name) => `/invoice_generator/${name}`);

  const others = ['/directo/directo', '/e_invoice/e_invoice'];
  test.each([...paths, ...others, '/import_data/invoice_data', '/import_data/reference_data'])(
    'failure: POST %s without one, whatever is sent',
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
