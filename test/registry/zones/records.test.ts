import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ee } from '../../../src/policy/ee.ts';
import { apexOwners, apexRecords, recordsOf } from '../../../src/registry/zones/records.ts';
import { zoneFileLine } from '../../../src/registry/zones/zone-record.ts';
import { domainOf, nameserver, signedKey } from '../../support/decisions.ts';
import { zoneOf } from '../../support/zones.ts';

const linesOf = (changes: Parameters<typeof domainOf>[0]) =>
  recordsOf(domainOf(changes), ee).map(zoneFileLine);
const HOSTS = [nameserver('ns1.example.net'), nameserver('ns2.example.net')];

describe('the records of a domain', () => {
  test('success: servers, glue of its own hosts and DS of its secure entry points, in canonical order', () => {
    const zsk = { ...signedKey('other'), flags: 256 };
    const own = { hostname: 'ns.õun.ee', ipv4: ['192.0.2.2', '192.0.2.1'], ipv6: ['2001:db8::1'] };
    const name = { name: 'õun.ee', nameservers: [...HOSTS, own], dnsKeys: [zsk, signedKey('a')] };
    expect(linesOf(name)).toEqual([
      'xn--un-bka.ee. 3600 IN NS ns.xn--un-bka.ee.',
      'xn--un-bka.ee. 3600 IN NS ns1.example.net.',
      'xn--un-bka.ee. 3600 IN NS ns2.example.net.',
      'xn--un-bka.ee. 3600 IN DS 1 13 2 AB',
      'ns.xn--un-bka.ee. 3600 IN A 192.0.2.1',
      'ns.xn--un-bka.ee. 3600 IN A 192.0.2.2',
      'ns.xn--un-bka.ee. 3600 IN AAAA 2001:db8::1',
    ]);
    expect(linesOf({ ...name, nameservers: name.nameservers.toReversed() })).toEqual(linesOf(name));
  });

  test.each([
    ['without nameservers, though it has a key', { nameservers: [], dnsKeys: [signedKey('a')] }],
    ['held by its registrar', { nameservers: HOSTS, statuses: { clientHold: '' } }],
    ['held by the registry', { nameservers: HOSTS, statuses: { serverHold: '', expired: '' } }],
  ])('success: none for a domain %s', (_what, changes) => {
    expect(linesOf(changes)).toEqual([]);
  });

  test('success: expired, locked and with serverManualInzone, it stays', () => {
    const statuses = { expired: '', serverManualInzone: '', serverUpdateProhibited: '' };
    expect(linesOf({ nameservers: HOSTS, statuses })).toHaveLength(2);
  });

  test('success: no domain publishes glue of other hosts or records outside of it', () => {
    const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,5}[a-z0-9])?$/);
    const zone = fc.constantFrom(...ee.zones.map(({ origin }) => origin));
    const hostname = fc.oneof(
      fc.tuple(label, label, zone).map((labels) => labels.join('.')),
      fc.tuple(label, zone).map((labels) => labels.join('.')),
      fc.constantFrom('ns.notexample.ee', 'example.ee', 'ns.example.ee', 'example.ee.example.net'),
    );
    const host = fc.record({
      hostname,
      ipv4: fc.array(fc.ipV4(), { maxLength: 2 }),
      ipv6: fc.array(fc.ipV6(), { maxLength: 2 }),
    });
    const hosts = fc.uniqueArray(host, { selector: (one) => one.hostname, maxLength: 6 });
    const domain = fc.constantFrom('example.ee', 'a.com.ee', 'com.ee.ee', 'õun.pri.ee');
    fc.assert(
      fc.property(domain, hosts, (name, nameservers) => {
        const records = recordsOf(
          domainOf({ name, zone: name.slice(name.indexOf('.') + 1), nameservers }),
          ee,
        );
        const [own = ''] = records.map((record) => record.name).toSorted((a, b) => a.length - b.length);
        for (const record of records) {
          expect(record.name === own || record.name.endsWith(`.${own}`)).toBe(true);
          if (record.type === 'A' || record.type === 'AAAA')
            expect(records).toContainEqual(expect.objectContaining({ type: 'NS', data: record.name }));
          else expect(record.name).toBe(own);
        }
        expect(new Set(records.map(zoneFileLine)).size).toBe(records.length);
      }),
    );
  });
});

describe('the records of the policy', () => {
  const signer = { keyTag: 7, algorithm: 13, digestType: 2, digest: 'CD' };

  test('success: the top zone delegates the others with their signers, and these only have servers', () => {
    const top = apexRecords(zoneOf('ee'), ee, new Map([['com.ee', [signer]]])).map(zoneFileLine);
    expect(top).toContain('ee. 86400 IN NS ns1.registry.example.');
    expect(top).toContain('com.ee. 3600 IN NS ns2.registry.example.');
    expect(top).toContain('com.ee. 3600 IN DS 7 13 2 CD');
    expect(top).toHaveLength(11);
    const below = apexRecords(zoneOf('com.ee'), ee, new Map([['com.ee', [signer]]]));
    expect(below.map(({ name, type }) => [name, type])).toEqual([
      ['com.ee', 'NS'],
      ['com.ee', 'NS'],
    ]);
  });

  test('success: addresses of servers below the zone appear once, under the label that owns them', () => {
    const nameservers = [{ hostname: 'a.tld.ee', addresses: ['192.0.2.1', '2001:db8::1'] }];
    const policy = { ...ee, zones: ee.zones.map((zone) => ({ ...zone, nameservers })) };
    const [top, below] = policy.zones;
    if (!top || !below) throw new Error('the policy has several zones');
    const owners = apexOwners(top, policy, new Map());
    expect([...owners.keys()]).toEqual(['', 'com', 'fie', 'med', 'pri']);
    expect(owners.get('')?.map(zoneFileLine)).toEqual([
      'ee. 86400 IN NS a.tld.ee.',
      'a.tld.ee. 3600 IN A 192.0.2.1',
      'a.tld.ee. 3600 IN AAAA 2001:db8::1',
    ]);
    expect(owners.get('com')).toHaveLength(1);
    expect(apexRecords(below, policy, new Map())).toHaveLength(1);
  });
});
