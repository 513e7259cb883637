export type SoaData = {
  readonly primary: string;
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

type RecordOf<Type extends string, Data> = {
  /** A-labels in lower case, without the final dot. */
  readonly name: string;
  readonly type: Type;
  readonly ttl: number;
  readonly data: Data;
};
export type SoaRecord = RecordOf<'SOA', SoaData>;
export type NsRecord = RecordOf<'NS', string>;
export type DsRecord = RecordOf<'DS', DsData>;
/** A record of a zone as it is published, without those that the signer adds. */
export type ZoneRecord = SoaRecord | NsRecord | DsRecord | RecordOf<'A' | 'AAAA', string>;

/** The record as a line of a zone file. Two records are the same if their lines are. */
export const zoneFileLine = (record: ZoneRecord): string =>
  `${record.name}. ${record.ttl} IN ${record.type} ${presentationOf(record)}`;

function presentationOf(record: ZoneRecord): string {
  switch (record.type) {
    case 'SOA': {
      const { primary, mailbox, serial, refresh, retry, expire, minimum } = record.data;
      return `${primary}. ${mailbox}. ${serial} ${refresh} ${retry} ${expire} ${minimum}`;
    }
    case 'DS':
      return dsPresentation(record.data);
    case 'NS':
      return `${record.data}.`;
    default:
      return record.data;
  }
}

export const dsPresentation = ({ keyTag, algorithm, digestType, digest }: DsData): string =>
  `${keyTag} ${algorithm} ${digestType} ${digest}`;

/** Whether their lines are the same, without writing them. */
export function isSameRecord(one: ZoneRecord, other: ZoneRecord | undefined): boolean {
  if (one.name !== other?.name || one.type !== other.type || one.ttl !== other.ttl) return false;
  return typeof one.data === 'string'
    ? one.data === other.data
    : presentationOf(one) === presentationOf(other);
}

const TYPE_ORDER = ['SOA', 'NS', 'DS', 'A', 'AAAA'];

/** By name in the canonical order of RFC 4034 (6.1), by type, by data. */
export function compareRecords(one: ZoneRecord, other: ZoneRecord): number {
  if (one.name !== other.name) return compareNames(one.name, other.name);
  if (one.type !== other.type) return TYPE_ORDER.indexOf(one.type) - TYPE_ORDER.indexOf(other.type);
  return compareTexts(zoneFileLine(one), zoneFileLine(other));
}

function compareNames(one: string, other: string): number {
  const [labels, others] = [one.split('.').toReversed(), other.split('.').toReversed()];
  for (const [index, label] of labels.entries()) {
    const against = others[index];
    if (against === undefined) return 1;
    if (label !== against) return compareTexts(label, against);
  }
  return labels.length - others.length;
}

const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

export type RecordDifference = {
  readonly removed: readonly ZoneRecord[];
  readonly added: readonly ZoneRecord[];
};

const NO_DIFFERENCE: RecordDifference = { removed: [], added: [] };

export function differenceOf(before: readonly ZoneRecord[], after: readonly ZoneRecord[]): RecordDifference {
  // Nearly always in a rebuild, and both are in canonical order.
  if (before.length === after.length && after.every((record, index) => isSameRecord(record, before[index])))
    return NO_DIFFERENCE;
  const [was, is] = [new Set(before.map(zoneFileLine)), new Set(after.map(zoneFileLine))];
  return {
    removed: before.filter((record) => !is.has(zoneFileLine(record))),
    added: after.filter((record) => !was.has(zoneFileLine(record))),
  };
}
