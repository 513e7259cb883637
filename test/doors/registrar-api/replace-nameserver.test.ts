import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha, alphaBilling, beta, type Client } from '../../support/client.ts';
import { freshCode } from '../../support/contacts.ts';
import { firstFailure, freshName, hosts, outcome, Registrant } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';
import { setStatuses } from '../../support/statuses.ts';
import { purge } from '../../support/transfers.ts';
import { whileChanging } from '../../support/waiting.ts';

let registry: TestRegistry;
let client: Client;
let mari: Registrant;
beforeAll(async () => {
  registry = await startRegistry();
  client = alpha(registry.url);
  mari = await Registrant.of(client);
});
afterAll(() => registry.stop());

const OTHER = 'ns2.example.net';
/** A host of its own for each test, so that no test affects the domains of another. */
const freshHost = () => `ns1.${freshCode()}.example`;
const withHost = (host: string, changes = {}) =>
  mari.register({ nameservers_attributes: hosts(host, OTHER), ...changes });
type Replacement = { id?: unknown; type?: unknown; domains?: unknown; attributes?: unknown };
const replace = (replacement: Replacement, headers: Record<string, string> = {}, by = client) =>
  by.put('/registrar/nameservers', { data: { type: 'nameserver', ...replacement } }, { headers });
const nameserversOf = async (name: string, by = client) =>
  (await by.get(`/domains/${name}`)).body.data.domain.nameservers.map(
    ({ id: _, ...nameserver }: { id: number }) => nameserver,
  );
const hostsOf = async (name: string, by = client): Promise<string[]> =>
  (await nameserversOf(name, by)).map(({ hostname }: { hostname: string }) => hostname);

describe('PUT /registrar/nameservers', () => {
  test('success: on every domain of the caller that has it, in the order of names', async () => {
    const [host, next] = [freshHost(), freshHost()];
    const names = [await withHost(host), await withHost(host), await withHost(host)];
    const without = await mari.register({ nameservers_attributes: hosts(OTHER, 'ns3.example.net') });
    const reply = await replace({ id: host, attributes: { hostname: next } });
    expect([reply.body.message, reply.body.data]).toEqual([
      'Command completed successfully',
      {
        type: 'nameserver',
        id: next,
        attributes: { hostname: next },
        affected_domains: names.toSorted(),
        skipped_domains: [],
      },
    ]);
    for (const name of names) expect(await hostsOf(name)).toEqual([OTHER, next]);
    expect(await hostsOf(without)).toEqual([OTHER, 'ns3.example.net']);
  });

  test('success: only on those that are listed, in any spelling, and once each', async () => {
    const [host, next, label] = [freshHost(), freshHost(), freshCode()];
    const [listed, other] = [await withHost(host, { name: `${label}ü.ee` }), await withHost(host)];
    const puny = new URL(`http://${listed}`).hostname;
    const domains = [listed.toUpperCase(), puny, ` ${listed} `];
    const reply = await replace({ id: host, domains, attributes: { hostname: next } });
    expect(reply.body.data).toMatchObject({ affected_domains: [listed], skipped_domains: [] });
    expect(await hostsOf(listed)).toContain(next);
    expect(await hostsOf(other)).toContain(host);
  });

  test('success: the new one has the addresses that were sent, and none of the old one', async () => {
    const [host, next] = [freshHost(), freshHost()];
    const name = await mari.register({
      nameservers_attributes: [
        { hostname: host, ipv4: ['192.0.2.1'], ipv6: ['2001:db8::1'] },
        { hostname: OTHER, ipv4: ['192.0.2.2'] },
      ],
    });
    const attributes = { hostname: next, ipv4: ['192.0.2.9'], ipv6: ['2001:DB8::9'] };
    expect((await replace({ id: host, attributes })).body.data.attributes).toEqual(attributes);
    expect(await nameserversOf(name)).toEqual([
      { hostname: OTHER, ipv4: ['192.0.2.2'], ipv6: [] },
      { hostname: next, ipv4: ['192.0.2.9'], ipv6: ['2001:db8::9'] },
    ]);
  });

  test('success: hostnames in any spelling, also with characters beyond ASCII', async () => {
    const [label, next] = [freshCode(), freshCode()];
    const name = await withHost(`ns.${label}ö.example`);
    const old = `NS.${new URL(`http://${label}ö.example`).hostname}.`;
    const reply = await replace({ id: old, attributes: { hostname: ` NS.${next}Ä.example. ` } });
    expect(reply.body.data).toMatchObject({ id: `ns.${next}ä.example`, affected_domains: [name] });
    expect(await hostsOf(name)).toEqual([OTHER, `ns.${next}ä.example`]);
  });

  test('success: statuses, keys and contacts stay, and each domain has a history row', async () => {
    const [host, next] = [freshHost(), freshHost()];
    const name = await withHost(host, { tech_contacts: [mari.code] });
    await setStatuses(registry.sql, name, { serverHold: 'a note' });
    await replace({ id: host, attributes: { hostname: next } }, { 'x-request-id': `for-${name}` });
    expect((await client.get(`/domains/${name}`)).body.data.domain).toMatchObject({
      statuses: { serverHold: 'a note' },
      contacts: [{ code: mari.code }],
    });
    const rows = await registry.sql.rows(sql<{ operation: string; requestId: string }>`
      select operation, request_id as "requestId" from history where object_name = ${name} order by id desc limit 1`);
    expect(rows).toEqual([{ operation: 'replace nameserver', requestId: `for-${name}` }]);
  });

  test('success: more domains than one batch', async () => {
    const [host, next, run] = [freshHost(), freshHost(), freshCode()];
    // As many as this take long to register one by one.
    await registry.sql.run(sql`
      with made as (
        insert into domains (name, zone, registrar_id, registrant_id, transfer_code, created_at, updated_at, expire_time)
        select ${run} || '-' || n || '.ee', 'ee', c.registrar_id, c.id, 'some-transfer-code', now(), now(), now() + interval '1 year'
        from contacts c, generate_series(1, 2500) as n where c.code = ${mari.code} returning id)
      insert into domain_nameservers (domain_id, hostname) select made.id, h from made, unnest(${[host, OTHER]}::text[]) as h`);
    const { affected_domains, skipped_domains } = (
      await replace({ id: host, attributes: { hostname: next } })
    ).body.data;
    expect([affected_domains.length, new Set(affected_domains).size, skipped_domains]).toEqual([
      2500,
      2500,
      [],
    ]);
    expect(affected_domains).toEqual(affected_domains.toSorted());
    const [left] = await registry.sql.rows(sql`
      select count(*) filter (where hostname = ${host})::int as old, count(*) filter (where hostname = ${next})::int as new from domain_nameservers`);
    expect(left).toEqual({ old: 0, new: 2500 });
  });
});

describe('an address below a domain that gets the host', () => {
  test('failure: one that cannot be published refuses the whole, listed or not, and in a dry run', async () => {
    const host = freshHost();
    const [parent, other] = [await withHost(host), await withHost(host)];
    const attributes = { hostname: `ns1.${parent}`, ipv4: ['192.0.2.1', '127.0.0.1'], ipv6: ['fe80::1'] };
    for (const reply of [
      await replace({ id: host, attributes }),
      await replace({ id: host, domains: [other, parent], attributes }),
      await replace({ id: host, attributes }, { 'dry-run': 'true' }),
    ]) {
      expect(firstFailure(reply)).toEqual([400, 2005, 'data.attributes.ipv4.1']);
      expect(reply.body.errors).toHaveLength(2);
    }
    for (const name of [parent, other]) expect(await hostsOf(name)).toEqual([host, OTHER]);
  });

  test('success: on others that address is taken, since it is never published', async () => {
    const host = freshHost();
    const [parent, other] = [await withHost(host), await withHost(host)];
    const attributes = { hostname: `ns1.${parent}`, ipv4: ['127.0.0.1'] };
    const reply = await replace({ id: host, domains: [other], attributes });
    expect(reply.body.data).toMatchObject({ affected_domains: [other], skipped_domains: [] });
  });
});

describe('domains that are skipped', () => {
  const PROHIBITING = ['clientUpdateProhibited'];

  test.each(PROHIBITING.map((status) => [status]))('success: %s, listed or not', async (status) => {
    const [host, next] = [freshHost(), freshHost()];
    const [free, held] = [await withHost(host), await withHost(host)];
    await setStatuses(registry.sql, held, { [status]: '' });
    const attributes = { hostname: next };
    const dryRun = await replace({ id: host, domains: [held, free], attributes }, { 'dry-run': 'true' });
    for (const reply of [dryRun, await replace({ id: host, attributes })])
      expect(reply.body.data).toMatchObject({ affected_domains: [free], skipped_domains: [held] });
    expect(await hostsOf(held)).toEqual([host, OTHER]);
  });

  test('success: listed ones without the old host, another registrar’s, unknown, removed and invalid ones, in the order of names', async () => {
    const [host, next] = [freshHost(), freshHost()];
    const mine = await withHost(host);
    const without = await mari.register({ nameservers_attributes: hosts(OTHER, 'ns3.example.net') });
    const bare = await mari.register();
    const theirs = await (await Registrant.of(beta(registry.url))).register({
      nameservers_attributes: hosts(host, OTHER),
    });
    const removed = await withHost(host);
    await purge(registry.sql, removed);
    const domains = ['no name at all', freshName(), theirs, removed, without, bare, mine];
    const reply = await replace({ id: host, domains, attributes: { hostname: next } });
    expect(reply.body.data).toMatchObject({
      affected_domains: [mine],
      skipped_domains: domains.slice(0, -1).toSorted(),
    });
    expect(await hostsOf(theirs, beta(registry.url))).toEqual([host, OTHER]);
  });

  test('success: domains of another registrar are neither changed nor named', async () => {
    const [host, next] = [freshHost(), freshHost()];
    const mine = await withHost(host);
    const theirs = await (await Registrant.of(beta(registry.url))).register({
      nameservers_attributes: hosts(host, OTHER),
    });
    const reply = await replace({ id: host, attributes: { hostname: next } });
    expect(reply.body.data).toMatchObject({ affected_domains: [mine], skipped_domains: [] });
    expect(await hostsOf(theirs, beta(registry.url))).toEqual([host, OTHER]);
  });

  test('success: a domain from which a concurrent transaction removed the old host', async () => {
    const [host, next] = [freshHost(), freshHost()];
    const [kept, stripped] = [await withHost(host), await withHost(host)];
    const reply = await whileChanging(
      registry.sql,
      stripped,
      (db) =>
        db.rows(
          sql`delete from domain_nameservers n using domains d where d.id = n.domain_id and d.name = ${stripped}`,
        ),
      () => replace({ id: host, domains: [kept, stripped], attributes: { hostname: next } }),
    );
    expect(reply.body.data).toMatchObject({ affected_domains: [kept], skipped_domains: [stripped] });
    expect(await hostsOf(stripped)).toEqual([]);
  });

  test('success: all of them', async () => {
    const [host, next] = [freshHost(), freshHost()];
    const name = await withHost(host);
    await setStatuses(registry.sql, name, { pendingUpdate: '' });
    const reply = await replace({ id: host, attributes: { hostname: next } });
    expect([...outcome(reply), reply.body.data.affected_domains]).toEqual([200, 1000, []]);
  });
});

describe('what is refused', () => {
  const attributes = { hostname: 'ns9.example.net' };

  test.each([
    [undefined, 2003, 'data'],
    [{}, 2003, 'data'],
    [{ data: {} }, 2003, 'data.type'],
    [{ data: { type: 'nameserver', attributes } }, 2003, 'data.id'],
    [{ data: { type: 'nameserver', id: '', attributes } }, 2003, 'data.id'],
    [{ data: { type: 'nameserver', id: 'localhost', attributes } }, 2005, 'data.id'],
    [{ data: { type: 'nameserver', id: 'a.example' } }, 2003, 'data.attributes'],
    [{ data: { type: 'nameserver', id: 'a.example', attributes: {} } }, 2003, 'data.attributes.hostname'],
    [
      { data: { type: 'nameserver', id: 'a.example', attributes: { hostname: 'b_c' } } },
      2005,
      'data.attributes.hostname',
    ],
    [
      { data: { type: 'nameserver', id: 'a.example', attributes: { ...attributes, ipv4: '192.0.2.1' } } },
      2005,
      'data.attributes.ipv4',
    ],
    [
      { data: { type: 'nameserver', id: 'a.example', attributes: { ...attributes, ipv4: ['2001:db8::1'] } } },
      2005,
      'data.attributes.ipv4.0',
    ],
    [{ data: { type: 'host', id: 'a.example', attributes } }, 2005, 'data.type'],
    [{ data: { type: 'nameserver', id: 'a.example', attributes, domains: 'a.ee' } }, 2005, 'data.domains'],
    [{ data: { type: 'nameserver', id: 'a.example', attributes, domains: [5] } }, 2005, 'data.domains.0'],
    [{ data: { type: 'nameserver', id: 'a.example', attributes, all: true } }, 2005, 'data.all'],
  ])('failure: %j', async (body, code, field) => {
    expect(firstFailure(await client.put('/registrar/nameservers', body))).toEqual([400, code, field]);
  });

  test('failure: an empty list is never taken for all domains', async () => {
    const host = freshHost();
    const name = await withHost(host);
    expect(firstFailure(await replace({ id: host, domains: [], attributes }))).toEqual([
      400,
      2003,
      'data.domains',
    ]);
    expect(await hostsOf(name)).toEqual([host, OTHER]);
  });

  test('failure: 10,001 domains; 10,000 are not too many', async () => {
    const host = freshHost();
    await withHost(host);
    const domains = Array.from({ length: 10_001 }, (_, index) => `none-${index}.ee`);
    expect(firstFailure(await replace({ id: host, domains, attributes }))).toEqual([
      400,
      2004,
      'data.domains',
    ]);
    const reply = await replace({ id: host, domains: domains.slice(1), attributes });
    expect(reply.body.data.skipped_domains).toHaveLength(10_000);
  });

  test('failure: 21 addresses', async () => {
    const ipv4 = Array.from({ length: 21 }, (_, index) => `192.0.2.${index}`);
    expect(firstFailure(await replace({ id: freshHost(), attributes: { ...attributes, ipv4 } }))).toEqual([
      400,
      2004,
      'data.attributes.ipv4',
    ]);
  });

  test('failure: the same host, in any spelling, even if no domain has it', async () => {
    const host = freshHost();
    const same = () =>
      replace({ id: host, attributes: { hostname: `${host.toUpperCase()}.`, ipv4: ['192.0.2.1'] } });
    expect(firstFailure(await same())).toEqual([400, 2306, 'data.attributes.hostname']);
    const name = await withHost(host);
    expect(firstFailure(await same())).toEqual([400, 2306, 'data.attributes.hostname']);
    expect(await nameserversOf(name)).toMatchObject([{ hostname: host, ipv4: [] }, {}]);
  });

  test('failure: a host that none of the registrar’s domains has, though others have it', async () => {
    const host = freshHost();
    await (await Registrant.of(beta(registry.url))).register({ nameservers_attributes: hosts(host, OTHER) });
    const [theirs, unknown] = [
      await replace({ id: host, attributes }),
      await replace({ id: freshHost(), attributes }),
    ];
    for (const reply of [theirs, unknown]) expect(firstFailure(reply)).toEqual([400, 2303, 'data.id']);
    expect(theirs.body.message).toBe(`Object does not exist: ${host}`);
  });

  test('failure: a billing user', async () => {
    const reply = await replace({ id: 'a.example', attributes }, {}, alphaBilling(registry.url));
    expect(outcome(reply)).toEqual([403, 2201]);
  });
});

describe('replays and dry runs', () => {
  test('success: the same key gets the same answer; without it there is nothing left to replace', async () => {
    const [host, next, key] = [freshHost(), freshHost(), { 'idempotency-key': freshCode() }];
    const name = await withHost(host);
    const replacement = { id: host, attributes: { hostname: next } };
    const first = await replace(replacement, key);
    const second = await replace(replacement, key);
    expect([second.body, second.headers.get('idempotency-replayed')]).toEqual([first.body, 'true']);
    expect(first.body.data.affected_domains).toEqual([name]);
    expect(firstFailure(await replace(replacement))).toEqual([400, 2303, 'data.id']);
    expect(firstFailure(await replace({ ...replacement, domains: [name] }, key))).toEqual([
      400,
      2005,
      'Idempotency-Key',
    ]);
  });

  test('success: a dry run returns what would be changed, and changes nothing', async () => {
    const [host, next] = [freshHost(), freshHost()];
    const [free, held] = [await withHost(host), await withHost(host)];
    await setStatuses(registry.sql, held, { serverUpdateProhibited: '' });
    const before = (await client.get(`/domains/${free}`)).text;
    const reply = await replace({ id: host, attributes: { hostname: next } }, { 'dry-run': 'true' });
    expect(reply.body.data).toMatchObject({
      affected_domains: [free],
      skipped_domains: [held],
      dry_run: { price: '0.00' },
    });
    expect((await client.get(`/domains/${free}`)).text).toBe(before);
  });
});

test.each([[null], [''], [[]]])('failure: %j instead of domains never means all', async (domains) => {
  const host = freshHost();
  const name = await withHost(host);
  const reply = await replace({ id: host, domains, attributes: { hostname: freshHost() } });
  expect(firstFailure(reply)).toEqual([400, 2003, 'data.domains']);
  expect(await hostsOf(name)).toContain(host);
});
