import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { IdentityProvider, isSufficient } from '../../../src/registry/people/identity-provider.ts';
import {
  type ConsoleAnswer,
  ConsoleClient,
  hiddenField,
  historyOf,
  loggedIn,
  PEOPLE,
} from '../../support/console.ts';
import { type Issuer, type IssuerFaults, startIssuer } from '../../support/issuer.ts';
import { startFreshRegistry, startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

const [ALPHA] = PEOPLE.alpha;
const SUBJECT = 'EE60001019906';

describe('the identity provider of the sandbox', () => {
  let registry: TestRegistry;
  beforeAll(async () => {
    registry = await startRegistry();
  });
  afterAll(() => registry.stop());
  beforeEach(() => registry.sql.run(sql`update people set identity = null`));

  /** The callback URL, after an identity was chosen. */
  async function choose({ status, to }: ConsoleAnswer, sub = SUBJECT): Promise<string> {
    expect(status).toBe(303);
    const page = await (await fetch(to ?? '')).text();
    const kept = ['redirect_uri', 'state', 'nonce', 'code_challenge'];
    const chosen = await fetch((to ?? '').split('?', 1)[0] ?? '', {
      method: 'POST',
      redirect: 'manual',
      headers: { 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({
        sub,
        ...Object.fromEntries(kept.map((name) => [name, hiddenField(page, name)])),
      }),
    });
    const { pathname, search } = new URL(chosen.headers.get('location') ?? '');
    return pathname + search;
  }
  const link = async (client: ConsoleClient, sub?: string) =>
    client.get(await choose(await client.get('/console/login/identity/link'), sub));

  test('success: a person links its identity, logs in by it, and removes the link', async () => {
    const client = await loggedIn(registry.url);
    expect((await client.get('/console/account')).text).toContain('/console/login/identity/link');
    expect((await link(client)).to).toBe('/console/account?notice=identityLinked');
    const visitor = new ConsoleClient(registry.url);
    expect((await visitor.get('/console/login')).text).toContain('Log in with the identity provider');
    const back = await choose(await visitor.get('/console/login/identity?next=/console/account'));
    expect((await visitor.get(back)).to).toBe('/console/account');
    expect((await visitor.get('/console/account')).text).toContain(`identity ${SUBJECT}`);
    expect((await visitor.post('/console/account/identity/unlink', {})).to).toBe(
      '/console/account?notice=identityUnlinked',
    );
    expect((await visitor.post('/console/account/identity/unlink', {})).status).toBe(404);
    const operations = (await historyOf(registry.sql, ALPHA)).map(({ operation }) => operation);
    expect(operations).toEqual(
      expect.arrayContaining(['link identity', 'log in by identity provider', 'unlink identity']),
    );
  });

  test('success: GET /sandbox has its URL', async () => {
    const { identity } = (await (await fetch(`${registry.url}/sandbox`)).json()) as { identity: string };
    const response = await fetch(`${identity}/.well-known/openid-configuration`);
    expect(await response.json()).toMatchObject({ issuer: identity, jwks_uri: `${identity}/jwks` });
  });

  test('failure: an identity that is not linked', async () => {
    const visitor = new ConsoleClient(registry.url);
    const answer = await visitor.get(await choose(await visitor.get('/console/login/identity')));
    expect([answer.status, answer.text.includes('This identity is not linked to any account.')]).toEqual([
      403,
      true,
    ]);
    expect(visitor.cookie).toBe('');
  });

  test('failure: a callback that is repeated, in another browser, with another state, too late, or with an error', async () => {
    await link(await loggedIn(registry.url));
    const visitor = new ConsoleClient(registry.url);
    const begin = async () => choose(await visitor.get('/console/login/identity'));
    const refused = async (path: string, client = visitor) => {
      const { status, text } = await client.get(path);
      expect([status, text.includes('was not accepted')]).toEqual([401, true]);
    };
    await refused(await begin(), new ConsoleClient(registry.url));
    await refused((await begin()).replace(/state=[^&]*/, 'state=other'));
    await begin();
    await refused('/console/login/identity/callback?error=access_denied&state=x');
    const late = await begin();
    await registry.sql.run(sql`update login_steps set expires_at = now()`);
    await refused(late);
    const back = await begin();
    expect((await visitor.get(back)).status).toBe(303);
    await refused(back);
  });

  test('failure: an identity of another person, a link begun by another site, long after the login, or finished by another person', async () => {
    await link(await loggedIn(registry.url));
    const beta = await loggedIn(registry.url, 'beta');
    expect((await link(beta)).status).toBe(409);
    const foreign = await beta.get('/console/login/identity/link', { 'sec-fetch-site': 'cross-site' });
    expect(foreign.to).toBe('/console/account');
    const back = await choose(await beta.get('/console/login/identity/link'), 'EE49002124277');
    await beta.logIn(...PEOPLE.reader);
    expect((await beta.get(back)).status).toBe(401);
    await registry.sql.run(sql`update person_sessions set authenticated_at = now() - interval '6 minutes'`);
    expect((await beta.get('/console/login/identity/link')).to).toContain('reason=stepUp');
    expect((await new ConsoleClient(registry.url).get('/console/login/identity/link')).to).toBe(
      '/console/account',
    );
  });
});

describe('an issuer that cannot be trusted', () => {
  const CLIENT = 'cadastre-console';
  let issuer: Issuer;
  let registry: TestRegistry;
  beforeAll(async () => {
    issuer = await startIssuer(CLIENT);
    registry = await startFreshRegistry({ oidcIssuer: issuer.url, oidcMinAcr: 'substantial' });
    await registry.sql.run(
      sql`update people set identity = ${`${issuer.url} EE1`} where email_key = ${ALPHA}`,
    );
  });
  afterAll(() => Promise.all([issuer.stop(), registry.stop()]));

  async function comeBack(faults: IssuerFaults): Promise<ConsoleAnswer> {
    const client = new ConsoleClient(registry.url);
    const asked = new URL((await client.get('/console/login/identity')).to ?? '').searchParams;
    expect([asked.get('acr_values'), asked.get('code_challenge_method')]).toEqual(['substantial', 'S256']);
    issuer.nonce = asked.get('nonce') ?? '';
    issuer.faults = faults;
    return client.get(`/console/login/identity/callback?code=x&state=${asked.get('state')}`);
  }
  const seconds = Math.floor(Date.now() / 1_000);

  test('success: one with correct tokens', async () => {
    expect((await comeBack({})).status).toBe(303);
    expect((await comeBack({ claims: { acr: 'high' } })).status).toBe(303);
  });

  test.each<[string, IssuerFaults]>([
    ['another nonce', { claims: { nonce: 'other' } }],
    ['no nonce', { claims: { nonce: undefined } }],
    ['another client', { claims: { aud: 'other' } }],
    ['another issuer', { claims: { iss: 'https://other.example' } }],
    ['the past', { claims: { iat: seconds - 900, exp: seconds - 600 } }],
    ['no subject', { claims: { sub: undefined } }],
    ['too low a level', { claims: { acr: 'low' } }],
    ['no level', { claims: { acr: undefined } }],
    ['no signature', { isUnsigned: true }],
    ['a signature by another key', { hasForeignKey: true }],
    ['no token at all', { isWithoutToken: true }],
  ])('failure: a token with %s', async (_what, faults) => {
    expect((await comeBack(faults)).status).toBe(401);
  });

  test('failure: one that does not answer, is closed, or has another issuer name', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const begin = (url: string) => {
      const settings = {
        issuer: url,
        clientId: CLIENT,
        clientSecret: 'x',
        scopes: 'openid',
        allowsHttp: true,
      };
      const asked = { personId: null, next: '/console', redirectUri: 'http://localhost/' };
      return new IdentityProvider(() => ({ ...settings, minAcr: undefined }), 0.2).begin(
        registry.sql,
        asked,
        new Date(),
      );
    };
    await expect(begin(`http://127.0.0.1:${port}`)).rejects.toThrow();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => silent.close(resolve));
    await expect(begin(`http://127.0.0.1:${port}`)).rejects.toThrow();
    issuer.faults = { issuer: 'https://other.example' };
    await expect(begin(issuer.url)).rejects.toThrow();
  });

  test('failure: of one that answers without an end a megabyte is read', async () => {
    let sent = 0;
    const endless = createHttpServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const send = () => {
        sent += 65_536;
        response.write(' '.repeat(65_536), (error) => (error ? undefined : send()));
      };
      send();
    });
    await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      endless.closeAllConnections();
      endless.close();
    });
    const settings = {
      issuer: `http://127.0.0.1:${(endless.address() as AddressInfo).port}`,
      clientId: CLIENT,
    };
    const provider = new IdentityProvider(() => ({
      ...settings,
      clientSecret: 'x',
      scopes: 'openid',
      allowsHttp: true,
      minAcr: undefined,
    }));
    const asked = { personId: null, next: '/console', redirectUri: 'http://localhost/' };
    await expect(provider.begin(registry.sql, asked, new Date())).rejects.toMatchObject({
      cause: expect.objectContaining({ name: 'EndlessAnswer' }),
    });
    expect(sent).toBeLessThan(32 * 1024 * 1024);
  });

  test('failure: the page says so', async () => {
    const { url, stop } = await startFreshRegistry({ oidcIssuer: 'http://127.0.0.1:1' });
    const { status, text } = await new ConsoleClient(url).get('/console/login/identity');
    expect([status, text.includes('does not answer')]).toEqual([502, true]);
    await stop();
  });
});

test('success: levels of assurance are compared, other values must be equal', () => {
  expect(isSufficient(undefined, undefined)).toBe(true);
  expect(
    ['low', 'substantial', 'high', 'highest', undefined].map((acr) => isSufficient(acr, 'substantial')),
  ).toEqual([false, true, true, false, false]);
  expect([isSufficient('urn:gold', 'urn:gold'), isSufficient('high', 'urn:gold')]).toEqual([true, false]);
});
