import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FORM_TYPE } from '../../../src/doors/http/negotiation.ts';
import { type ConsoleClient, loggedIn } from '../../support/console.ts';
import { exchange, parseAnswers } from '../../support/raw-http.ts';
import { freshRegistryForThisTest, startFreshRegistry, type TestRegistry } from '../../support/registry.ts';

const LIMIT = 60;
let registry: TestRegistry;
beforeAll(async () => {
  registry = await startFreshRegistry({ rateLimitPerMinute: LIMIT });
});
afterAll(() => registry.stop());

const statuses = async (count: number, send: () => Promise<{ status: number }>) => {
  const found: number[] = [];
  for (let sent = 0; sent < count; sent += 1) found.push((await send()).status);
  return found;
};
const times = (count: number, status: number) => new Array<number>(count).fill(status);
const port = () => Number(new URL(registry.url).port);

/** The beginning of a form, whose body does not follow. */
const announced = ({ cookie }: ConsoleClient, path: string, bytes: number) =>
  Buffer.from(
    [
      `POST ${path} HTTP/1.1`,
      'Host: a',
      `Cookie: ${cookie}`,
      'Sec-Fetch-Site: same-origin',
      'Connection: close',
      `Content-Type: ${FORM_TYPE}`,
      `Content-Length: ${bytes}`,
      '',
      '',
    ].join('\r\n'),
  );

describe('requests of a person', () => {
  test('failure: more than the limit in a minute; others go on', async () => {
    const reader = await loggedIn(registry.url, 'reader');
    const get = () => reader.get('/console');
    expect(await statuses(LIMIT, get)).toEqual(times(LIMIT, 200));
    const { status, headers, text } = await get();
    expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(text).toContain('Too many requests');
    expect((await reader.get('/console/domains.csv')).status).toBe(429);
    expect((await (await loggedIn(registry.url)).get('/console')).status).toBe(200);
  });

  test('failure: a form counts once more for each 16 KiB, and is refused before it is read', async () => {
    const beta = await loggedIn(registry.url, 'beta');
    const form = Object.fromEntries(Array.from({ length: 16 }, (_, index) => [index, 'a'.repeat(4_000)]));
    const cost = 1 + 3;
    const post = () => beta.post('/console/language', form);
    expect(await statuses(LIMIT / cost, post)).toEqual(times(LIMIT / cost, 404));
    const begun = announced(beta, '/console/language', 1_000);
    const [answer] = parseAnswers(await exchange(port(), [begun], { silenceMs: 20_000 }));
    expect(answer?.status).toBe(429);
  });
});

test('failure: a third large form of a registrar waits until another ends; small ones do not', async () => {
  const alpha = await loggedIn(registry.url);
  const path = '/console/bulk/renew';
  const held: Socket[] = [];
  for (let count = 0; count < 2; count += 1) {
    const socket = connect(port(), '127.0.0.1');
    held.push(socket);
    await new Promise<void>((resolve) => socket.write(announced(alpha, path, 70_000), () => resolve()));
  }
  const small = () => alpha.get('/console');
  expect(await statuses(10, small)).toEqual(times(10, 200));
  let isAnswered = false;
  const third = alpha.post(path, { period: '1y', names: 'a'.repeat(70_000) });
  third.finally(() => {
    isAnswered = true;
  });
  expect(await statuses(15, small)).toEqual(times(15, 200));
  expect(isAnswered).toBe(false);
  for (const socket of held) socket.destroy();
  expect((await third).status).toBe(200);
});

test('success: large forms whose connections end while their session is looked up take no turns', async () => {
  const registry = await freshRegistryForThisTest();
  const person = await loggedIn(registry.url);
  const path = '/console/bulk/renew';
  await registry.sql.begin(async (db) => {
    await db.script('lock table person_sessions in access exclusive mode');
    const sockets = Array.from({ length: 2 }, () =>
      connect(Number(new URL(registry.url).port), '127.0.0.1').on('error', () => {}),
    );
    for (const socket of sockets) socket.write(announced(person, path, 70_000));
    await setTimeout(300);
    for (const socket of sockets) socket.resetAndDestroy();
    await setTimeout(300);
  });
  expect((await person.post(path, { period: '1y', names: 'a'.repeat(70_000) })).status).toBe(200);
});
