import { expect, test, vi } from 'vitest';
import { Notifier } from '../../../src/doors/dns/notify.ts';
import { transferZone } from '../../../src/doors/dns/transfer-client.ts';
import { zoneFileLine } from '../../../src/registry/zones/zone-record.ts';
import { KEY, startMemoryServer } from '../../support/dns-server.ts';
import { delegation, MemoryZone } from '../../support/memory-zone.ts';
import { BIND, NSD, startPublicServer } from '../../support/public-servers.ts';
import { onTestFinished } from '../../support/this-test.ts';

/** Real name servers belong to the long run. */
const IN_LONG_RUN = { reason: 'in npm run test:long' };
const servers = [NSD, BIND].map((server) => ({
  server,
  unpacked: process.env.TORTURE ? server.find() : IN_LONG_RUN,
}));

for (const { server, unpacked } of servers)
  test.skipIf('reason' in unpacked)(
    `success: ${server.name} transfers the zone and follows changes${'reason' in unpacked ? ` (${unpacked.reason})` : ''}`,
    async () => {
      if ('reason' in unpacked) return;
      const zone = new MemoryZone('ee', 1_000, [...delegation('one.ee', 1), ...delegation('two.ee', 2)]);
      const notifier = new Notifier({ notified: () => {}, firstRetryMs: 100 });
      onTestFinished(() => notifier.close());
      const primary = await startMemoryServer(zone);
      const set = { zone: 'ee', primaryPort: primary.port, key: KEY };
      const port = await startPublicServer(server, unpacked.root, set);
      const served = async () => {
        const lines: string[] = [];
        for await (const batch of transferZone({ host: '127.0.0.1', port, zone: 'ee', key: KEY }))
          lines.push(...batch.map(zoneFileLine));
        return lines.toSorted();
      };
      const hasAll = () =>
        vi.waitFor(async () => expect(await served()).toEqual(zone.records.map(zoneFileLine).toSorted()), {
          timeout: 20_000,
          interval: 50,
        });
      await hasAll();
      for (const [removed, added] of [
        ['one.ee', 'three.ee'],
        ['three.ee', 'four.ee'],
      ] as const) {
        const { soaAfter } = zone.change({ removed: delegation(removed, 1), added: delegation(added, 1) });
        notifier.publish(soaAfter, [{ secondary: 'public', address: '127.0.0.1', port, key: KEY }]);
        await hasAll();
      }
      expect(primary.answers.map(({ kind }) => kind).filter((kind) => kind !== 'soa')).toEqual([
        'whole',
        'differences',
        'differences',
      ]);
      await vi.waitFor(() => expect(notifier.pending).toBe(0));
    },
  );
