import type { ZoneSource } from '../doors/dns/zone-source.ts';
import type { Database } from '../platform/sql/database.ts';
import { readChanges, readSoa, streamZone } from '../registry/zones/zone-store.ts';

/** The zones for the DNS door, as they are published. */
export const databaseZones = ({ reads, lists, writes }: Database): ZoneSource => ({
  async soa(zone) {
    const soa = await readSoa(reads, zone);
    if (!soa) throw new Error(`${zone} was never published`);
    return soa;
  },
  stream: (zone) => streamZone(writes, zone),
  async changes(zone, fromSerial) {
    const history = await readChanges(lists, zone, fromSerial);
    return history?.steps.map(({ soa, removed, added }, index) => ({
      ...{ serial: soa.data.serial, soaAfter: soa, removed, added },
      soaBefore: history.steps[index - 1]?.soa ?? history.from,
    }));
  },
});
