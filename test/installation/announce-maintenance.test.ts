import { afterAll, beforeAll, expect, test } from 'vitest';
import { addEndpoints, allEvents, webhookEvents } from '../support/all-events.ts';
import { cadastre, databaseUrl } from '../support/cadastre.ts';
import { alpha, beta } from '../support/client.ts';
import { ApiDocument } from '../support/document.ts';
import { apiDocument } from '../support/endpoints.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';

const ANNOUNCED = 'maintenance.announced';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startRegistry();
  await addEndpoints(registry);
});
afterAll(() => registry.stop());

const run = (...args: string[]) =>
  cadastre(args, { env: { DATABASE_URL: databaseUrl(registry.databaseName) } });
const announce = (from: string, until: string, ...more: string[]) =>
  run('maintenance', 'announce', '--from', from, '--until', until, ...more);
const FROM = '2099-01-01T02:00+02:00';
const UNTIL = '2099-01-01T04:00+02:00';

test('success: every registrar is told, by webhook and feed alike, as often as it is announced', async () => {
  expect((await announce(FROM, UNTIL, '--text', 'new disks', '--dry-run')).code).toBe(0);
  const { code: ended, stdout } = await announce(FROM, UNTIL, '--text', 'new disks', '--reason', 'ours');
  expect(ended).toBe(0);
  expect(stdout).toMatch(/^\d+ registrars are told\.\n$/);
  expect((await announce(FROM, UNTIL)).code).toBe(0);
  for (const [code, by] of [
    ['ALPHA', alpha(registry.url)],
    ['BETA', beta(registry.url)],
  ] as const) {
    const told = (await allEvents(registry, by)).filter(({ type }) => type === ANNOUNCED);
    const sent = (await webhookEvents(registry, code)).filter(({ type }) => type === ANNOUNCED);
    expect(told.map(({ id, type, data }) => ({ id, type, data }))).toEqual(sent);
    const times = { starts_at: '2099-01-01T02:00:00.000+02:00', ends_at: '2099-01-01T04:00:00.000+02:00' };
    expect(told.map(({ data }) => data)).toEqual([
      { sequence: expect.any(Number), ...times, text: 'new disks' },
      { sequence: expect.any(Number), ...times },
    ]);
    for (const { position: _, id: __, ...event } of told)
      expect(new ApiDocument(apiDocument()).complaintsAboutEvent(event)).toEqual([]);
    const rows: { operation: string; reason: string | null }[] = JSON.parse(
      (await run('history', code, '--json')).stdout,
    );
    const reasons = rows.filter(({ operation }) => operation === 'announce maintenance');
    expect(reasons.map(({ reason }) => reason)).toEqual(['ours', null]);
  }
});

test.each([
  ['begins in the past', '2020-01-01T02:00Z', UNTIL],
  ['ends before it begins', UNTIL, FROM],
  ['is over as it begins', FROM, FROM],
])('failure: maintenance that %s', async (_what, from, until) => {
  const { code, stderr } = await announce(from, until);
  expect(code).not.toBe(0);
  expect(stderr).toContain('begins later than now, and ends after it has begun');
});

test.each([
  ['--from', 'tomorrow', UNTIL],
  ['--until', FROM, '2099-01-01'],
])('failure: %s is no time', async (option, from, until) => {
  const { code, stderr } = await announce(from, until);
  expect(code).not.toBe(0);
  expect(stderr).toContain(`${option} is a time with its offset`);
});
