import type { Database } from '../../platform/database/database.ts';
import { readChanges } from '../../registry/zones/zone-history.ts';
import { readSoa, streamZone } from '../../registry/zones/zone-store.ts';
import type { ZoneSource } from './zone-source.ts';

/** The zones for the DNS door, as they are published. */
export const databaseZones = ({
  reads,
  lists,
  writes,
}: Pick<Database, 'reads' | 'lists' | 'writes'>): ZoneSource => ({
  async soa(zone) {
    const soa = await readSoa(reads, zone);
    if (!soa) throw new Error(`${zone} was never published`);
    return soa;
  },
  stream: (zone) => streamZone(writes, zone),
  changes: (zone, fromSerial) => readChanges(lists, zone, fromSerial),
});
