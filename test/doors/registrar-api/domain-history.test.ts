import { afterAll, beforeAll, expect, test } from 'vitest';
import { alpha, beta, type Client } from '../../support/client.ts';
import { hosts, outcome, Registrant } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';
import { codeOf, take } from '../../support/transfers.ts';

let registry: TestRegistry;
let client: Client;
let other: Client;
beforeAll(async () => {
  registry = await startRegistry();
  client = alpha(registry.url);
  other = beta(registry.url);
});
afterAll(() => registry.stop());

type Entry = Record<string, unknown>;
const historyOf = async (name: string, by = client, query = ''): Promise<Entry[]> =>
  (await by.get(`/domains/${name}/history${query}`)).body.data.history;
const operations = (entries: readonly Entry[]) => entries.map(({ operation }) => operation);

test('success: own changes with what they cost and their request, newest first', async () => {
  const registrant = await Registrant.of(client);
  const name = await registrant.register();
  const nameservers = hosts('ns1.example.net', 'ns2.example.net');
  await client.post(
    `/domains/${name}/nameservers`,
    { nameservers },
    { headers: { 'idempotency-key': name } },
  );
  const [added, created, ...older] = await historyOf(name);
  expect(older).toEqual([]);
  expect(created).toMatchObject({
    operation: 'create',
    by: 'registrar',
    user: 'alpha',
    charged: '9.00',
    changed: [],
  });
  expect(added).toMatchObject({
    changed: ['nameservers'],
    idempotency_key: name,
    charged: null,
    reason: null,
    statuses: { ok: '' },
    request_id: expect.stringMatching(/^\S{36}$/),
  });
});

test('success: page by page', async () => {
  const name = await (await Registrant.of(client)).register();
  for (const status of ['set', 'removed', 'set'])
    await (status === 'set' ? client.put : client.delete)(`/domains/${name}/statuses/clientHold`);
  const all = await historyOf(name);
  const first = await client.get(`/domains/${name}/history?limit=3`);
  expect(first.body.data.history).toEqual(all.slice(0, 3));
  const next = first.headers.get('link')?.match(/\/domains\/[^>]+/)?.[0] ?? '';
  const second = await client.get(next);
  expect(second.body.data.history).toEqual(all.slice(3));
  expect(second.headers.get('link')).toBeNull();
});

test('success: each side of a transfer sees its own time; what staff did has a reason and no name', async () => {
  const name = await (await Registrant.of(client)).register();
  const staffChange = (sponsor: string) =>
    registry.sql.run(sql`
      insert into history (at, object_kind, object_id, object_name, operation, actor, reason, reason_for_registrar, sponsor_id, before, after)
      select now(), 'domain', d.id, d.name, 'set serverHold', 'operator:mari.maasikas', 'internal', 'by a court', r.id, '{}', '{}'
      from domains d, registrars r where d.name = ${name} and r.code = ${sponsor}`);
  await staffChange('ALPHA');
  await take(other, name, await codeOf(client, name));
  await staffChange('BETA');
  const [lost, gained] = [await historyOf(name), await historyOf(name, other)];
  expect(operations(lost)).toEqual(expect.arrayContaining(['set serverHold', 'create']));
  expect(operations(lost)).not.toContain('transfer');
  expect(operations(gained)).toEqual(['set serverHold', 'transfer']);
  expect(gained[0]).toMatchObject({ by: 'registry', user: null, reason: 'by a court', request_id: null });
  expect(JSON.stringify([lost, gained])).not.toMatch(/maasikas|internal|operator/);
});

test('failure: a domain of another registrar, one that there is not, and a wrong position', async () => {
  const name = await (await Registrant.of(client)).register();
  expect(outcome(await other.get(`/domains/${name}/history`))).toEqual([403, 2201]);
  expect(outcome(await client.get('/domains/never-registered.ee/history'))).toEqual([404, 2303]);
  expect(outcome(await client.get(`/domains/${name}/history?after=x`))).toEqual([400, 2005]);
  expect(outcome(await client.get(`/domains/${name}/history?limit=0`))).toEqual([400, 2004]);
});
