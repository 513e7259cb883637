import type { ZoneHistory, ZoneStep } from '../../registry/zones/zone-history.ts';
import type { SoaRecord, ZoneRecord } from '../../registry/zones/zone-record.ts';

export type { SoaRecord, ZoneHistory, ZoneRecord, ZoneStep };

/** What is published. */
export type ZoneSource = {
  /** Rejects if the zone was never published. */
  soa(zone: string): Promise<SoaRecord>;
  /** One snapshot, its SOA first. */
  stream(zone: string): AsyncIterable<readonly ZoneRecord[]>;
  /** From exactly this serial to the present one; undefined if they are not known that far back. */
  changes(zone: string, fromSerial: number): Promise<ZoneHistory | undefined>;
};
