import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { head, postHead } from '../../support/attacks/raw-connection.ts';
import { alpha } from '../../support/client.ts';
import { exchange, parseAnswers } from '../../support/raw-http.ts';
import { freshRegistryForThisTest, startFreshRegistry, type TestRegistry } from '../../support/registry.ts';
import { timed } from '../../support/running-time.ts';
import { expect, onTestFinished } from '../../support/this-test.ts';
import { NOTICED } from '../../support/waiting.ts';

const AUTHORIZATION = `Authorization: Basic ${Buffer.from('alpha:alpha-sandbox-password').toString('base64')}`;
const BALANCE = '/registry/v1/accounts/balance';
const portOf = ({ url }: Pick<TestRegistry, 'url'>): number => Number(new URL(url).port);
const forwarded = (address: string) => ({ headers: { 'x-forwarded-for': address } });

function open(registry: TestRegistry): Socket {
  const socket = connect({ port: portOf(registry), host: '127.0.0.1' });
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** All text received until that many answers have arrived or the connection ends. */
async function answersOn(socket: Socket, count: number): Promise<string> {
  let text = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += chunk;
    if (text.split('HTTP/1.1 ').length > count) break;
  }
  return text;
}

async function endedBecause(registry: TestRegistry, reason: string): Promise<number> {
  const text = await (await fetch(registry.metricsUrl)).text();
  const line = text
    .split('\n')
    .find((each) => each.startsWith(`cadastre_connections_ended_total{reason="${reason}"}`));
  return Number(line?.split(' ').at(-1) ?? 0);
}

describe.concurrent('pipelined requests', () => {
  test('success: they are answered one after the other, in order', async () => {
    const registry = await freshRegistryForThisTest();
    const requests = Array.from({ length: 20 }, (_, index) =>
      head(`GET ${BALANCE}`, [
        AUTHORIZATION,
        `X-Request-Id: number-${index}`,
        ...(index === 19 ? ['Connection: close'] : []),
      ]),
    );
    const bytes = await exchange(portOf(registry), [Buffer.from(requests.join(''))], { silenceMs: 20_000 });
    const answers = parseAnswers(bytes);
    expect(answers.map(({ status }) => status)).toEqual(requests.map(() => 200));
    expect(answers.map(({ headers }) => headers.get('x-request-id'))).toEqual(
      requests.map((_, index) => `number-${index}`),
    );
  });

  test('failure: a client that pipelines too many requests is disconnected', async () => {
    const registry = await freshRegistryForThisTest();
    const socket = open(registry);
    socket.write(head('GET /openapi.json').repeat(200));
    socket.resume();
    await once(socket, 'close');
    expect(await endedBecause(registry, 'pipelined')).toBe(1);
  });
});

describe.concurrent('answers that are not read', () => {
  test('success: they occupy no slot for requests in flight', async () => {
    const registry = await freshRegistryForThisTest({ maxRequestsInFlight: 2 });
    for (let index = 0; index < 8; index += 1) {
      const socket = open(registry).pause();
      socket.write(head('GET /openapi.json', ['Accept-Encoding: identity']).repeat(20));
    }
    const statuses = async () => {
      const found = new Set<number>();
      for (let index = 0; index < 20; index += 1)
        found.add((await alpha(registry.url).get('/accounts/balance')).status);
      return [...found];
    };
    // Until all eight wait for their clients they do occupy slots.
    await expect.poll(statuses, NOTICED).toEqual([200]);
  });

  test('failure: the connection is ended', async () => {
    const registry = await freshRegistryForThisTest({ requestTimeoutMs: 300 });
    const socket = open(registry).pause();
    socket.write(head('GET /openapi.json', ['Accept-Encoding: identity']).repeat(30));
    await expect.poll(() => endedBecause(registry, 'unread-answer'), { timeout: 60_000 }).toBe(1);
  }, 90_000);
});

describe.concurrent('bodies that do not arrive', () => {
  let shortTimeout: TestRegistry;
  beforeAll(async () => {
    // Requests must be answered before it, on a busy machine too.
    shortTimeout = await startFreshRegistry({ requestTimeoutMs: 3_000 });
  });
  afterAll(() => shortTimeout.stop());

  test('success: they occupy no slot for requests in flight', async () => {
    const registry = await freshRegistryForThisTest({ maxRequestsInFlight: 2 });
    for (const target of ['/confirm/abc', '/nowhere', '/api/v1/nowhere', '/registry/v1/domains'])
      for (let index = 0; index < 4; index += 1)
        open(registry).write(
          `${postHead(target, 1_000, ['Content-Type: application/json', AUTHORIZATION])}a`,
        );
    for (let index = 0; index < 20; index += 1)
      expect((await alpha(registry.url).get('/accounts/balance')).status).toBe(200);
  });

  test.each([
    ['/nowhere', 404],
    ['/api/v1/nowhere', 404],
    ['/confirm', 404],
    ['/registry/v1/domains', 401],
    ['/api/v1/invoice_generator/invoice_generator', 401],
    ['/api/v1/business_registry/reserve_domains', 401],
  ])('failure: %s is refused with %i before its body', async (target, status) => {
    const socket = open(shortTimeout);
    socket.write(`${postHead(target, 1_000_000, ['Content-Type: application/json'])}{`);
    const text = await answersOn(socket, 1);
    expect(Number(text.slice('HTTP/1.1 '.length, 12))).toBe(status);
    // The rest of the body is not waited for.
    await once(socket.resume(), 'close');
  });

  test('failure: without credentials its timeout is short, with them that of every request', async () => {
    const registry = await freshRegistryForThisTest();
    const registrar = open(registry);
    registrar.write(
      `${postHead('/registry/v1/domains', 100, ['Content-Type: application/json', AUTHORIZATION])}{`,
    );
    const unauthenticated = open(registry);
    unauthenticated.write(
      `${postHead('/confirm/abc', 100, ['Content-Type: application/x-www-form-urlencoded'])}a`,
    );
    expect(await answersOn(unauthenticated, 1)).toContain('HTTP/1.1 400 ');
    expect(await endedBecause(registry, 'slow-body')).toBe(1);
    registrar.write(`${' '.repeat(98)}}`);
    expect(await answersOn(registrar, 1)).toContain('"code":2003');
  });
});

describe.concurrent('connections of one address', () => {
  test('success: a new one displaces an idle one, never one with credentials before one without', async () => {
    const registry = await freshRegistryForThisTest({ maxConnectionsPerAddress: 3 });
    const registrar = open(registry);
    registrar.write(head(`GET ${BALANCE}`, [AUTHORIZATION]));
    expect(await answersOn(registrar, 1)).toContain('HTTP/1.1 200 ');
    const idle = open(registry);
    await once(idle, 'connect');
    const ended = once(idle.resume(), 'close');
    const others = [open(registry), open(registry)];
    for (const other of others) other.write(head('GET /health'));
    for (const other of others) expect(await answersOn(other, 1)).toContain('HTTP/1.1 200 ');
    await ended;
    registrar.write(head(`GET ${BALANCE}`, [AUTHORIZATION]));
    expect(await answersOn(registrar, 1)).toContain('HTTP/1.1 200 ');
    expect(await endedBecause(registry, 'displaced')).toBe(1);
  });

  test('success: those of a trusted proxy are not limited', async () => {
    const registry = await freshRegistryForThisTest({
      maxConnectionsPerAddress: 1,
      trustedProxies: ['127.0.0.0/8'],
    });
    const sockets = Array.from({ length: 5 }, () => open(registry));
    for (const socket of sockets) socket.write(head('GET /health'));
    for (const socket of sockets) expect(await answersOn(socket, 1)).toContain('HTTP/1.1 200 ');
    expect(await endedBecause(registry, 'displaced')).toBe(0);
  });
});

describe.concurrent('requests of one address', () => {
  test('failure: requests beyond its limit in flight get 503, those of others do not', async () => {
    const registry = await freshRegistryForThisTest({
      maxRequestsPerAddress: 2,
      trustedProxies: ['127.0.0.0/8'],
    });
    const client = alpha(registry.url);
    const get = (address: string, path = '/contacts') => client.get(path, forwarded(address));
    await get('192.0.2.1', '/accounts/balance');
    const waiting = await registry.sql.begin(async (db) => {
      await db.script('lock table contacts in access exclusive mode');
      const answers = Array.from({ length: 3 }, (_, index) => get(`2001:db8::${index}`));
      const refused = await Promise.race(answers);
      expect([refused.status, refused.body.code]).toEqual([503, 2400]);
      // Answered without a read, which could wait behind the two on their connection to the database.
      expect((await get('2001:db8:0:1::1', '/nowhere')).status).toBe(404);
      return { answers };
    });
    const statuses = (await Promise.all(waiting.answers)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 200, 503]);
    expect((await get('2001:db8::9')).status).toBe(200);
  });
});

describe.concurrent('clients that disconnect before their answer', () => {
  const gauge = async ({ metricsUrl }: TestRegistry, name: string): Promise<number> => {
    const lines = (await (await fetch(metricsUrl)).text()).split('\n');
    return Number(
      lines
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')
        .at(-1),
    );
  };
  const inFlight = (registry: TestRegistry) => gauge(registry, 'cadastre_requests_in_flight');

  test('success: their requests are counted as in flight until the work ends', async () => {
    const registry = await freshRegistryForThisTest();
    expect((await alpha(registry.url).get('/accounts/balance')).status).toBe(200);
    const sockets = Array.from({ length: 3 }, () => open(registry));
    await registry.sql.begin(async (db) => {
      await db.script('lock table contacts in access exclusive mode');
      for (const socket of sockets) socket.write(head('GET /registry/v1/contacts/nobody', [AUTHORIZATION]));
      await expect.poll(() => inFlight(registry)).toBe(3);
      const before = await gauge(registry, 'cadastre_connections');
      for (const socket of sockets) socket.destroy();
      await expect.poll(() => gauge(registry, 'cadastre_connections')).toBe(before - sockets.length);
      expect(await inFlight(registry)).toBe(3);
    });
    await expect.poll(() => inFlight(registry)).toBe(0);
  });

  test('success: a streamed answer ends with its client', async () => {
    const registry = await freshRegistryForThisTest();
    const socket = open(registry).pause();
    socket.write(head('GET /registry/v1/accounts/balance?detailed=true', [AUTHORIZATION]));
    await once(socket, 'readable');
    socket.destroy();
    await expect.poll(() => inFlight(registry)).toBe(0);
  });
});

test.concurrent('success: a connection without a request does not keep the server from stopping', async () => {
  const registry = await startFreshRegistry();
  const socket = open(registry);
  await once(socket, 'connect');
  expect((await alpha(registry.url).get('/accounts/balance')).status).toBe(200);
  const { ms } = await timed(Promise.all([registry.stop(), once(socket, 'close')]));
  expect(ms).toBeLessThan(5_000);
});

test('failure: a body in thousands of chunks ends its connection, before it is whole', async () => {
  const registry = await freshRegistryForThisTest();
  const chunked = (chunks: number) =>
    head('POST /registry/v1/contacts', [AUTHORIZATION, 'Transfer-Encoding: chunked']) +
    '1\r\n \r\n'.repeat(chunks);
  const few = open(registry);
  few.write(`${chunked(250)}2\r\n{}\r\n0\r\n\r\n`);
  expect(await answersOn(few, 1)).toMatch(/^HTTP\/1\.1 400 /);
  // The next body of the same connection counts with the first.
  few.write(chunked(100));
  const many = open(registry);
  many.write(chunked(2_000));
  const long = open(registry);
  long.write(
    head('POST /registry/v1/contacts', [AUTHORIZATION, 'Transfer-Encoding: chunked']) +
      `64\r\n${' '.repeat(100)}\r\n`.repeat(4_097),
  );
  for (const socket of [few, many, long]) expect(await answersOn(socket, 1)).toMatch(/HTTP\/1\.1 400 /);
  expect(await endedBecause(registry, 'many-pieces')).toBe(3);
});
