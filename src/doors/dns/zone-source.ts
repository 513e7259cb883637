import type { SoaRecord, ZoneRecord } from '../../registry/zones/zone-record.ts';

export type { SoaRecord, ZoneRecord };

/** From one serial to the next that was published. */
export type ZoneChange = {
  readonly serial: number;
  readonly soaBefore: SoaRecord;
  readonly soaAfter: SoaRecord;
  readonly removed: readonly ZoneRecord[];
  readonly added: readonly ZoneRecord[];
};

/** What is published. */
export type ZoneSource = {
  /** Rejects if the zone was never published. */
  soa(zone: string): Promise<SoaRecord>;
  /** One snapshot, its SOA first. */
  stream(zone: string): AsyncIterable<readonly ZoneRecord[]>;
  /** In their order, from exactly this serial to the present one; undefined if they are not known that far back. */
  changes(zone: string, fromSerial: number): Promise<readonly ZoneChange[] | undefined>;
};
