import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { methodsByPath } from '../../../src/doors/http/allowed-methods.ts';
import { tokenOf } from '../../support/billing.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';

let registry: TestRegistry;
const authorization: Record<string, string> = {};
beforeAll(async () => {
  registry = await startRegistry();
  authorization.registrar = `Basic ${Buffer.from('alpha:alpha-sandbox-password').toString('base64')}`;
  authorization.portal = 'Bearer portal-sandbox-token';
  authorization.billing = `Bearer ${await tokenOf('auction')}`;
});
afterAll(() => registry.stop());

const send = (method: string, who: string, path: string) =>
  fetch(`${registry.url}${path}`, { method, headers: { authorization: authorization[who] ?? '' } });

test('success: the methods of a path, with HEAD for each GET', () => {
  const endpoints = [
    { method: 'GET', path: '/a/:id' },
    { method: 'PUT', path: '/a/:id' },
    { method: 'POST', path: '/a/b' },
  ] as const;
  const methodsOf = methodsByPath(endpoints, '/v1');
  expect(methodsOf('/v1/a/x')).toEqual(['GET', 'HEAD', 'PUT']);
  expect(methodsOf('/v1/a/b')).toEqual(['POST']);
  expect(methodsOf('/v1/a/%62')).toEqual(['POST']);
  expect([methodsOf('/v1/a/'), methodsOf('/v1/a'), methodsOf('/a/x')]).toEqual([[], [], []]);
});

describe('another method', () => {
  test.each([
    ['registrar', 'PATCH', '/registry/v1/contacts', 'GET, HEAD, POST'],
    ['registrar', 'QUERY', '/registry/v1/contacts', 'GET, HEAD, POST'],
    ['registrar', 'GET', '/registry/v1/domains/transfer', 'POST'],
    ['registrar', 'HEAD', '/registry/v1/domains/transfer', 'POST'],
    ['registrar', 'DELETE', '/registry/v1/domains/%74ransfer?x=1', 'POST'],
    ['registrar', 'PUT', '/registry/v1/domains/contacts', 'PATCH'],
    ['registrar', 'PUT', '/registry/v1/registrar/notifications/all_notifications', 'GET, HEAD'],
    ['registrar', 'GET', '/registry/v1/invoices/add_credit', 'POST'],
    ['portal', 'GET', '/api/v1/business_registry/reserve_domains', 'POST'],
    ['portal', 'DELETE', '/api/v1/business_registry/long_reserve_domains_status?x=1', 'GET, HEAD'],
    ['billing', 'GET', '/api/v1/invoice_generator/oneoff', 'POST'],
    ['billing', 'PUT', '/api/v1/invoices/150005', 'GET, HEAD'],
    ['billing', 'POST', '/api/v1/callback_handler/callback', 'GET, HEAD'],
    ['billing', 'OPTIONS', '/api/v1/invoices/150005/pdf', 'GET, HEAD'],
  ])('failure: %s: %s %s is 405 with Allow', async (who, method, path, allow) => {
    const reply = await send(method, who, path);
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, allow]);
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await reply.text()).toContain(method === 'HEAD' ? '' : 'Method not allowed here');
  });

  test('failure: QUERY without a Content-Type is answered as other methods outside of the APIs', async () => {
    const [query, other] = [await send('QUERY', '', '/'), await send('PATCH', '', '/')];
    expect(query.status).toBe(other.status);
    expect(await query.text()).toBe(await other.text());
  });

  test('failure: an unknown path stays 404', async () => {
    for (const path of ['/registry/v1/nothing', '/api/v1/nothing', '/api/v1/business_registry/nothing'])
      expect((await send('GET', path.includes('business') ? 'portal' : 'registrar', path)).status).toBe(404);
  });
});

describe('HEAD', () => {
  test.each([
    ['registrar', '/registry/v1/contacts', 200],
    ['registrar', '/registry/v1/accounts/balance?detailed=true', 200],
    ['registrar', '/registry/v1/contacts/nobody', 404],
    ['portal', '/api/v1/business_registry/domain_names/Foo', 200],
    ['billing', '/api/v1/invoices/1', 404],
  ])('success: %s: %s is answered as GET, without a body', async (who, path, status) => {
    const [head, get] = [await send('HEAD', who, path), await send('GET', who, path)];
    expect([head.status, get.status]).toEqual([status, status]);
    for (const name of ['content-type', 'content-length'])
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    expect(await head.text()).toBe('');
  });
});

describe('a method that Node does not know', () => {
  /** All that is answered until the server closes the connection. */
  const answerTo = (request: string): Promise<string> => {
    const socket = connect(Number(new URL(registry.url).port), '127.0.0.1');
    socket.write(request);
    return text(socket);
  };
  const request = (line: string) => `${line}\r\nHost: registry.example\r\n\r\n`;

  test.each([
    ['/registry/v1/domains', 'GET, HEAD, POST', '"code":2101'],
    ['/registry/v1/domains/transfer?x=1', 'POST', '"code":2101'],
    ['/registry/v1/domains/example.ee', 'GET, HEAD, PUT, DELETE', '"code":2101'],
    ['/api/v1/business_registry/reserve_domains', 'POST', '{"error":"Method not allowed here'],
    ['/api/v1/invoice_generator/oneoff', 'POST', '{"error":"Method not allowed here'],
  ])('failure: FROB %s is 405 with Allow, without authentication', async (path, allow, body) => {
    const answer = await answerTo(request(`FROB ${path} HTTP/1.1`));
    expect(answer).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n/);
    expect(answer).toMatch(new RegExp(`\r\nallow: ${allow}\r\n`));
    expect(answer).toMatch(/\r\nX-Request-Id: .+\r\n/);
    expect(answer).toContain('\r\nConnection: close\r\n');
    expect(answer).toContain(body);
  });

  test('failure: get in lower case, and the beginning of a method that there is', async () => {
    for (const method of ['get', 'PATCHED', 'x!'])
      expect(await answerTo(request(`${method} /registry/v1/domains HTTP/1.1`))).toContain(' 405 ');
  });

  test.each([
    'FROB /registry/v1/nothing HTTP/1.1',
    'FROB /console HTTP/1.1',
    'FROB registry.example HTTP/1.1',
    'FROB /registry/v1/domains HTTP/3.0',
    'FROB  /registry/v1/domains HTTP/1.1',
    'FR(B /registry/v1/domains HTTP/1.1',
    'FROB',
  ])('failure: %s is 400', async (line) => {
    expect(await answerTo(request(line))).toMatch(/^HTTP\/1\.1 400 .*"code":2001/s);
  });
});
