import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { carryOut } from '../../../src/operations/operator-operation.ts';
import { signCertificateRequest } from '../../../src/registry/certificates/sign-certificate-request.ts';
import { askFor, ownAuthority, signerOf } from '../../support/certificates.ts';
import { type ConsoleAnswer, ConsoleClient, loggedIn, PEOPLE } from '../../support/console.ts';
import { confirm } from '../../support/console-forms.ts';
import { operator } from '../../support/operator.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';
import { NOTICED } from '../../support/waiting.ts';

let registry: TestRegistry;
let client: ConsoleClient;
let beta: ConsoleClient;
beforeAll(async () => {
  registry = await startRegistry();
  [client, beta] = [await loggedIn(registry.url), await loggedIn(registry.url, 'beta')];
});
afterAll(() => registry.stop());

const ACTOR = `person:${PEOPLE.alpha[0]}`;
const apiStatus = async (username: string, password: string) => {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  return (await fetch(`${registry.url}/registry/v1/contacts`, { headers: { authorization } })).status;
};
const shownPassword = ({ text }: ConsoleAnswer) => /class="secret">([\w-]{24})</.exec(text)?.[1] ?? '';
const post = (path: string, fields: Record<string, string> = {}, by = client) =>
  by.post(`/console/access${path}`, fields);
const records = (name: string) =>
  registry.sql.rows(sql<{ operation: string; actor: string }>`
    select operation, actor from history where object_name = ${name} and request_id is not null order by id`);

describe('API users', () => {
  let password: string;
  test('success: created with a password that is shown once, and works', async () => {
    const created = await post('/users', { username: 'alpha-shop', 'role-epp': 'yes' });
    expect(created.status).toBe(200);
    password = shownPassword(created);
    expect(await apiStatus('alpha-shop', password)).toBe(200);
    const [list, page] = [
      await client.get('/console/access'),
      await client.get('/console/access/users/alpha-shop'),
    ];
    expect(list.text).toContain('/console/access/users/alpha-shop"');
    expect(list.text).not.toContain('/users/beta"');
    expect(page.text + list.text).not.toContain(password);
  });

  test('success: the old password stays valid on request, until it is dropped', async () => {
    const next = shownPassword(await post('/users/alpha-shop/password', { old: 'day' }));
    expect([await apiStatus('alpha-shop', password), await apiStatus('alpha-shop', next)]).toEqual([
      200, 200,
    ]);
    expect((await post('/users/alpha-shop/drop-old-password')).status).toBe(303);
    await expect.poll(() => apiStatus('alpha-shop', password), NOTICED).toBe(401);
    const last = shownPassword(await post('/users/alpha-shop/password', { old: 'none' }));
    await expect.poll(() => apiStatus('alpha-shop', next), NOTICED).toBe(401);
    expect(await apiStatus('alpha-shop', last)).toBe(200);
    await post('/users/alpha-shop/disable');
    await expect.poll(() => apiStatus('alpha-shop', last), NOTICED).toBe(401);
    await post('/users/alpha-shop/enable');
    await post('/users/alpha-shop/roles', { 'role-billing': 'yes' });
    expect(await records('alpha-shop')).toEqual(
      [
        'create',
        'change password',
        'drop old password',
        'change password',
        'disable',
        'enable',
        'roles billing',
      ].map((operation) => ({ operation, actor: ACTOR })),
    );
  });

  test.each([
    ['no name', { username: ' ', 'role-epp': 'yes' }, 400],
    ['an invalid name', { username: 'a b', 'role-epp': 'yes' }, 400],
    ['no role', { username: 'roleless' }, 400],
    ['a taken name', { username: 'beta', 'role-epp': 'yes' }, 409],
  ])('failure: %s', async (_what, fields, status) => {
    const answer = await post('/users', fields);
    expect([answer.status, shownPassword(answer)]).toEqual([status, '']);
    expect(answer.text).toContain('role="alert"');
  });

  test('failure: those of another registrar are not found, and stay', async () => {
    for (const change of ['roles', 'password', 'disable', 'enable', 'drop-old-password', 'request'])
      expect((await post(`/users/alpha/${change}`, { 'role-billing': 'yes' }, beta)).status).toBe(404);
    expect(await records('alpha')).toEqual([]);
  });
});

describe('addresses', () => {
  const ranges = async (table: 'api' | 'console') => {
    const rows = await registry.sql.rows(
      table === 'api'
        ? sql<{ range: string }>`select range::text from allowed_addresses`
        : sql<{ range: string }>`select range::text from console_addresses`,
    );
    return rows.map(({ range }) => range).sort();
  };
  const add = (purpose: string, range: string) =>
    post('/addresses', { purpose, [`${purpose}-range`]: range, [`${purpose}-note`]: 'office' });
  const remove = (purpose: string, range: string) => post('/addresses/remove', { purpose, range });

  test('success: API users have a list of their own', async () => {
    expect((await add('api', '127.0.0.1')).status).toBe(303);
    expect((await add('api', '203.0.113.9/24')).status).toBe(303);
    expect(await ranges('api')).toEqual(['127.0.0.1/32', '203.0.113.0/24']);
    expect((await add('api', '203.0.113.0/24')).status).toBe(409);
    await remove('api', '203.0.113.0/24');
    await remove('api', '127.0.0.1/32');
    expect([await ranges('api'), await ranges('console')]).toEqual([[], []]);
    expect((await records('ALPHA')).at(-1)).toEqual({ operation: 'disallow addresses', actor: ACTOR });
  });

  test.each(['', 'x', '203.0.113.0/33', '1.2.3.4/24/1'])(
    'failure: "%s" is not a valid range',
    async (range) => {
      expect((await add('console', range)).status).toBe(400);
      expect(await ranges('console')).toEqual([]);
    },
  );

  test('failure: a list that excludes the own address is refused', async () => {
    const refused = await add('console', '192.0.2.0/24');
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('Your own address 127.0.0.1');
    expect((await add('console', '127.0.0.0/8')).status).toBe(303);
    expect((await add('console', '192.0.2.0/24')).status).toBe(303);
    expect((await remove('console', '127.0.0.0/8')).status).toBe(409);
    expect(await ranges('console')).toEqual(['127.0.0.0/8', '192.0.2.0/24']);
  });

  test('success: the list of people applies to the login and to every page, of this registrar alone', async () => {
    expect((await client.get('/console')).status).toBe(200);
    await registry.sql.run(sql`delete from console_addresses where range = '127.0.0.0/8'`);
    const refused = await client.get('/console/domains');
    expect([refused.status, refused.text.includes('lets nobody in from here')]).toEqual([403, true]);
    expect((await post('/addresses', { purpose: 'console', 'console-range': '127.0.0.1' })).status).toBe(403);
    expect((await new ConsoleClient(registry.url).logIn(...PEOPLE.reader)).status).toBe(403);
    expect((await beta.get('/console')).status).toBe(200);
    await registry.sql.run(sql`delete from console_addresses`);
    expect((await client.get('/console')).status).toBe(200);
  });
});

describe('certificates', () => {
  test('success: a request waits, is signed, downloaded and revoked', async () => {
    const authority = await ownAuthority(registry.sql);
    const { request } = await askFor('alpha');
    expect((await post('/users/alpha/request', { request })).status).toBe(303);
    expect((await client.get('/console/access/users/alpha')).text).toContain('A request waits');
    expect((await post('/users/alpha/request', { request })).status).toBe(409);
    const [{ id } = { id: 0 }] = await registry.sql.rows(
      sql<{ id: number }>`select id from certificate_requests where closed_at is null`,
    );
    const signing = { id, publicUrl: registry.url, ...signerOf(authority) };
    const { certificate } = await carryOut(registry.sql, signCertificateRequest, signing, operator());
    const mails = await registry.sql.rows(
      sql<{
        recipient: string;
        text: string;
      }>`select recipient, text from mails where subject ~ 'certificate request'`,
    );
    expect(mails).toEqual([{ recipient: PEOPLE.alpha[0], text: expect.any(String) }]);
    const page = /http\S+/.exec(mails[0]?.text ?? '')?.[0].slice(registry.url.length) ?? '';
    expect((await client.get(page)).text).toContain(`certificates/${certificate.serial}"`);
    const address = `/console/access/certificates/${certificate.serial}`;
    const file = await client.get(address);
    expect(file.text).toBe(certificate.pem);
    expect(file.headers.get('content-disposition')).toContain('attachment');
    expect((await beta.get(address)).status).toBe(404);
    expect((await beta.post(`${address}/revoke`, {})).status).toBe(404);
    const asked = await client.post(`${address}/revoke`, {});
    expect([asked.status, asked.text.includes('It cannot be made valid again.')]).toEqual([200, true]);
    expect((await confirm(client, `${address}/revoke`)).to).toContain('notice=certificateRevoked');
    expect((await client.post(`${address}/revoke`, {})).status).toBe(404);
    expect(await records('alpha')).toEqual([
      { operation: 'request certificate', actor: ACTOR },
      { operation: 'revoke certificate', actor: ACTOR },
    ]);
    const [revoked] = await registry.sql.rows(sql`
      select reason, reason_for_registrar as told from history where operation = 'revoke certificate'`);
    expect(revoked).toEqual({ reason: 'by the registrar, in the console', told: null });
  });

  test('success: withdrawn, another can be sent', async () => {
    await post('/users/alpha/request', { request: (await askFor('alpha')).request });
    expect((await post('/users/alpha/withdraw-request')).to).toContain('certificateRequestWithdrawn');
    expect((await post('/users/alpha/withdraw-request')).to).not.toContain('notice');
    expect((await client.get('/console/access/users/alpha')).text).toContain('<textarea');
  });

  test('failure: an invalid request, and one for another name', async () => {
    const sent = async (request: string) => (await post('/users/alpha/request', { request })).status;
    expect([await sent('x'), await sent((await askFor('beta')).request)]).toEqual([400, 400]);
    expect((await client.get('/console/access/users/alpha')).text).toContain('<textarea');
  });
});
