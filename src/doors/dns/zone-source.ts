export type SoaData = {
  readonly primary: string;
  /** As a domain name. */
  readonly mailbox: string;
  readonly serial: number;
  readonly refresh: number;
  readonly retry: number;
  readonly expire: number;
  readonly minimum: number;
};
export type DsData = {
  readonly keyTag: number;
  readonly algorithm: number;
  readonly digestType: number;
  /** Hexadecimal, upper case. */
  readonly digest: string;
};

/** Names are in A-labels, without the final dot. */
export type ZoneRecord = { readonly name: string; readonly ttl: number } & (
  | { readonly type: 'SOA'; readonly data: SoaData }
  | { readonly type: 'DS'; readonly data: DsData }
  | { readonly type: 'NS' | 'A' | 'AAAA'; readonly data: string }
);
export type SoaRecord = Extract<ZoneRecord, { type: 'SOA' }>;

/** From one serial to the next that was published. */
export type ZoneChange = {
  readonly serial: number;
  readonly soaBefore: SoaRecord;
  readonly soaAfter: SoaRecord;
  readonly removed: readonly ZoneRecord[];
  readonly added: readonly ZoneRecord[];
};

/** What is published. A zone without a serial has not been published yet. */
export type ZoneSource = {
  serial(zone: string): Promise<number | undefined>;
  soa(zone: string): Promise<SoaRecord>;
  /** One snapshot, its SOA first. */
  stream(zone: string): AsyncIterable<readonly ZoneRecord[]>;
  /** In their order, from exactly this serial to the present one; undefined if they are not known that far back. */
  changes(zone: string, fromSerial: number): Promise<readonly ZoneChange[] | undefined>;
};

/** RFC 1982: serials are compared around the circle of 32 bits. */
export const isNewerSerial = (one: number, other: number): boolean => ((one - other) | 0) > 0;
