import { expect, test } from 'vitest';
import { ApexHosts } from '../../../src/registry/zones/apex-hosts.ts';
import { compareRecords, type ZoneRecord } from '../../../src/registry/zones/zone-record.ts';

const address = (name: string): ZoneRecord => ({ name, type: 'A', ttl: 60, data: '192.0.2.1' });
const server = (name: string): ZoneRecord => ({ name, type: 'NS', ttl: 60, data: 'ns.example.net' });
const owner = (label: string, ...records: ZoneRecord[]) => ({ label, records });

test('success: hosts of the zone itself are in canonical order, on whatever page', () => {
  const hosts = ['ns.aa.ee', 'b.tld.ee', 'ns.tld.ee', 'ns.zz.ee'].map(address);
  const hosting = new ApexHosts('ee');
  const pages = [
    hosting.place([owner('', server('ee'), ...hosts), owner('ab', server('ab.ee'))], false),
    hosting.place([owner('mm', server('mm.ee')), owner('tld', server('tld.ee'), address('c.tld.ee'))], false),
    hosting.place([owner('tm', server('tm.ee'))], false),
    hosting.place([], true),
  ];
  expect(pages.map((page) => page.map(({ name }) => name))).toEqual([
    ['ee', 'ns.aa.ee', 'ab.ee'],
    ['mm.ee', 'tld.ee', 'b.tld.ee', 'c.tld.ee'],
    ['ns.tld.ee', 'tm.ee'],
    ['ns.zz.ee'],
  ]);
  const all = pages.flat();
  expect(all).toEqual(all.toSorted(compareRecords));
});
