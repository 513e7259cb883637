import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../src/platform/database/database.ts';
import { ee } from '../../src/policy/ee.ts';
import { delegationSigner } from '../../src/registry/domains/rules/dnssec-keys.ts';
import { checkProjection, rebuildZone } from '../../src/registry/zones/rebuild-zone.ts';
import { writeZone } from '../../src/registry/zones/write-zone.ts';
import { openTestDatabase } from '../support/registry.ts';
import { DomainTables, linesOf, PUBLIC_KEYS, publish, Replay, zoneOf } from '../support/zones.ts';

const HISTORIES = process.env.TORTURE ? 2_000 : 20;
const LIMIT_MS = 1_800_000;
const zone = zoneOf('ee');
let database: Database;
let close: () => Promise<void>;
beforeAll(async () => {
  const opened = await openTestDatabase();
  [database] = opened.databases as [Database];
  close = opened.close;
  await publish(database.writes, 'ee');
});
afterAll(() => close());

/** A domain as the rules of publication see it; nothing in here knows how the registry stores it. */
type Modelled = {
  readonly hosts: Map<string, Set<string>>;
  held: boolean;
  readonly keys: Map<number, number>;
};

const NAMES = ['fuzz.ee', 'õun.ee', 'a.ee', 'ba.ee'];
const name = fc.constantFrom(...NAMES);
const hosts = fc.uniqueArray(
  fc.constantFrom<string>('ns1.fuzz.ee', 'fuzz.ee', 'ns.õun.ee', 'ns.ba.ee', 'a.ee', 'ns1.example.net'),
  { maxLength: 4 },
);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('create' as const), name, hosts }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), name }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('hold' as const), name, held: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('hosts' as const), name, hosts }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('address' as const),
      name,
      address: fc.constantFrom('192.0.2.7', '2001:db8::7'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('key' as const),
      name,
      flags: fc.constantFrom(256, 257),
      index: fc.nat({ max: PUBLIC_KEYS.length - 1 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('keys removed' as const), name }) },
  { weight: 3, arbitrary: fc.constantFrom({ kind: 'publish' as const }, { kind: 'crash' as const }) },
);
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

async function take(model: Map<string, Modelled>, each: Step): Promise<void> {
  const tables = new DomainTables(database.writes);
  if (each.kind === 'publish') return publish(database.writes, 'ee');
  if (each.kind === 'crash') return crash();
  const domain = model.get(each.name);
  switch (each.kind) {
    case 'create':
      await tables.create(each.name, each.hosts);
      if (!domain)
        model.set(each.name, {
          hosts: new Map(each.hosts.map((host) => [host, new Set(['192.0.2.1'])])),
          held: false,
          keys: new Map(),
        });
      return;
    case 'remove':
      model.delete(each.name);
      return tables.remove(each.name);
    case 'hold':
      if (domain) domain.held = each.held;
      return tables.setStatuses(each.name, each.held ? { serverHold: '' } : {});
    case 'hosts':
      for (const host of [...(domain?.hosts.keys() ?? [])])
        if (!each.hosts.includes(host)) domain?.hosts.delete(host);
      for (const host of each.hosts) domain?.hosts.set(host, domain.hosts.get(host) ?? new Set());
      return tables.replaceHosts(each.name, each.hosts);
    case 'address':
      for (const addresses of domain?.hosts.values() ?? []) {
        for (const other of [...addresses])
          if (other.includes(':') === each.address.includes(':')) addresses.delete(other);
        addresses.add(each.address);
      }
      return tables.setAddress(each.name, each.address);
    case 'key':
      domain?.keys.set(each.index, each.flags);
      return tables.setKey(each.name, each.flags, each.index);
    case 'keys removed':
      domain?.keys.clear();
      return tables.removeKeys(each.name);
  }
}

/** A writer that dies after its last statement. */
async function crash(): Promise<void> {
  const dying = database.writes.begin(async (db) => {
    await writeZone(db, zone, ee, new Date());
    throw new Error('killed');
  });
  await expect(dying).rejects.toThrow('killed');
}

function expectedLines(model: ReadonlyMap<string, Modelled>): string[] {
  return [...model].flatMap(([domain, { hosts: servers, held, keys }]) => {
    if (held || servers.size === 0) return [];
    const ascii = domainToASCII(domain);
    const secure = [...keys].filter(([, flags]) => flags === 257);
    return [
      ...[...servers.keys()].map((host) => `${ascii}. 3600 IN NS ${domainToASCII(host)}.`),
      ...[...servers]
        .filter(([host]) => host === domain || host.endsWith(`.${domain}`))
        .flatMap(([host, addresses]) =>
          [...addresses].map(
            (address) => `${domainToASCII(host)}. 3600 IN ${address.includes(':') ? 'AAAA' : 'A'} ${address}`,
          ),
        ),
      ...secure.map(([index, flags]) => {
        const publicKey = PUBLIC_KEYS[index] ?? '';
        const ds = delegationSigner({ flags, protocol: 3, alg: 13, publicKey }, ascii);
        return `${ascii}. 3600 IN DS ${ds.keyTag} 13 ${ds.digestType} ${ds.digest}`;
      }),
    ];
  });
}

test(
  'success: after any history the zone is a function of the domains, and its changes lead there',
  async () => {
    const history = fc.array(step, { maxLength: 25, size: 'max' });
    const ofPolicy = await linesOf(database.writes, 'ee');
    const property = fc.asyncProperty(history, async (steps) => {
      const [model, tables] = [new Map<string, Modelled>(), new DomainTables(database.writes)];
      // Of the history before, which may have failed.
      for (const domain of NAMES) await tables.remove(domain);
      await publish(database.writes, 'ee');
      const follower = await Replay.of(database.writes, 'ee');
      for (const each of steps) {
        await take(model, each);
        if (each.kind !== 'publish') continue;
        const published = await linesOf(database.writes, 'ee');
        expect(published.toSorted()).toEqual([...ofPolicy, ...expectedLines(model)].toSorted());
      }
      await publish(database.writes, 'ee');
      expect(await checkProjection(database.writes, zone, ee)).toMatchObject({ count: 0, waiting: 0 });
      expect((await rebuildZone(database.writes, zone, ee, new Date())).serial).toBeUndefined();
      await follower.follow(database.reads, 'ee');
      expect(follower.lines).toEqual([...ofPolicy, ...expectedLines(model)].toSorted());
    });
    await fc.assert(property, { numRuns: HISTORIES });
  },
  LIMIT_MS,
);
