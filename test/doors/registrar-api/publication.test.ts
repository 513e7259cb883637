import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { alpha, beta } from '../../support/client.ts';
import { createContact } from '../../support/contacts.ts';
import { hosts, KEY, OTHER_KEY, Registrant } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startRegistry();
  // Marks of a frozen zone stay, so that they can be inspected.
  await vi.waitFor(
    async () => expect(await registry.sql.rows(sql`select from zones where zone = 'ee'`)).toHaveLength(1),
    { timeout: 20_000 },
  );
  await registry.sql.run(
    sql`update zones set frozen_since = now(), frozen_reason = 'test' where zone = 'ee'`,
  );
});
afterAll(async () => {
  await registry.sql.run(sql`update zones set frozen_since = null, frozen_reason = null`);
  await registry.stop();
});

/** Whether a call marks the domain. */
async function isMarkedBy(name: string, call: () => Promise<{ readonly status: number }>): Promise<boolean> {
  await registry.sql.run(sql`delete from zone_marks`);
  expect((await call()).status).toBe(200);
  const rows = await registry.sql.rows(sql<{ name: string }>`select name from zone_marks`);
  expect(rows.filter((row) => row.name !== name)).toEqual([]);
  return rows.length > 0;
}

describe('what registrars change is marked for publication', () => {
  test('success: nameservers, addresses, keys, holds and deletions are marked, and nothing else is', async () => {
    const client = alpha(registry.url);
    const registrant = await Registrant.of(client);
    const name = 'marked-by-rest.ee';
    const at = `/domains/${name}`;
    const glue = (ipv4: string) => ({ nameservers: [{ hostname: `ns.${name}`, ipv4: [ipv4] }] });
    const replaced = {
      data: { type: 'nameserver', id: `ns.${name}`, attributes: { hostname: 'ns9.example.net' } },
    };
    const renewal = async () => {
      const { expire_time: expiry } = (await client.get(at)).body.data.domain;
      const renews = { period: 1, period_unit: 'y', exp_date: expiry.slice(0, 10) };
      return client.post(`${at}/renew`, { renews });
    };
    const other = await createContact(client);
    const nameservers = hosts('ns1.example.net', 'ns2.example.net');
    const calls: [what: string, isMarked: boolean, call: () => ReturnType<typeof client.get>][] = [
      [
        'registration',
        true,
        () => registrant.try({ name, nameservers_attributes: nameservers, transfer_code: 'known-to-both' }),
      ],
      ['read', false, () => client.get(at)],
      ['renewal', false, renewal],
      ['contacts', false, () => client.post(`${at}/contacts`, { contacts: [{ code: other, type: 'tech' }] })],
      ['update', false, () => client.put(at, { domain: { transfer_code: 'known-to-both-2' } })],
      ['nameserver', true, () => client.post(`${at}/nameservers`, glue('192.0.2.1'))],
      ['replacement', true, () => client.put('/registrar/nameservers', replaced)],
      ['removed host', true, () => client.delete(`${at}/nameservers/ns9.example.net`)],
      ['key that signs the zone', false, () => client.post(`${at}/dnssec`, { dns_keys: [OTHER_KEY] })],
      ['key', true, () => client.post(`${at}/dnssec`, { dns_keys: [KEY] })],
      ['removed key', true, () => client.delete(`${at}/dnssec`, { dns_keys: [KEY] })],
      ['hold', true, () => client.put(`${at}/statuses/clientHold`)],
      ['end of the hold', true, () => client.delete(`${at}/statuses/clientHold`)],
      [
        'transfer',
        false,
        () => beta(registry.url).post(`${at}/transfer`, { transfer: { transfer_code: 'known-to-both-2' } }),
      ],
      ['deletion', true, () => beta(registry.url).delete(at, { domain: { delete: { verified: true } } })],
    ];
    const found: [string, boolean][] = [];
    for (const [what, , call] of calls) found.push([what, await isMarkedBy(name, call)]);
    expect(found).toEqual(calls.map(([what, isMarked]) => [what, isMarked]));
  });
});
