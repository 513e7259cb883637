import { isLaterSerial } from '../../registry/zones/serial.ts';
import { OPCODE } from './codes.ts';
import type { Question } from './message-reader.ts';
import { MessageWriter } from './message-writer.ts';
import type { SoaRecord, ZoneChange, ZoneRecord, ZoneSource } from './zone-source.ts';

export type TransferKind = 'whole' | 'differences' | 'up-to-date';
export type Transfer = {
  readonly kind: TransferKind;
  /** That the secondary has afterwards; of a whole transfer it is known when its first records are. */
  readonly serial: () => number | undefined;
  readonly records: AsyncIterable<readonly ZoneRecord[]>;
};

/** AXFR (RFC 5936): the records of one snapshot between two copies of its SOA. */
export function wholeZone(source: ZoneSource, zone: string): Transfer {
  let soa: SoaRecord | undefined;
  async function* records(): AsyncGenerator<readonly ZoneRecord[]> {
    for await (const batch of source.stream(zone)) {
      soa ??= requireSoa(zone, batch[0]);
      yield batch;
    }
    yield [requireSoa(zone, soa)];
  }
  return { kind: 'whole', serial: () => soa?.data.serial, records: records() };
}

function requireSoa(zone: string, record: ZoneRecord | undefined): SoaRecord {
  if (record?.type !== 'SOA') throw new Error(`the records of ${zone} do not begin with its SOA`);
  return record;
}

/**
 * IXFR (RFC 1995): the differences from the secondary's serial, one SOA if it has the present one or claims a later
 * one, and the whole zone if the differences are not known that far back.
 */
export async function incrementalTransfer(source: ZoneSource, zone: string, from: number): Promise<Transfer> {
  const soa = await source.soa(zone);
  if (!isLaterSerial(soa.data.serial, from)) return presentSerial(soa);
  const changes = await source.changes(zone, from);
  const last = changes?.at(-1);
  if (!changes || !last || !isUnbroken(changes, from)) return wholeZone(source, zone);
  // Changes may be newer than the SOA that was read before them.
  const { soaAfter } = last;
  const { serial } = soaAfter.data;
  return { kind: 'differences', serial: () => serial, records: differences(changes, soaAfter) };
}

export const presentSerial = (soa: SoaRecord): Transfer => ({
  ...{ kind: 'up-to-date', serial: () => soa.data.serial, records: inOneBatch([soa]) },
});

async function* inOneBatch(records: readonly ZoneRecord[]): AsyncGenerator<readonly ZoneRecord[]> {
  yield records;
}

/** A gap would leave the secondary with a zone that never was. */
function isUnbroken(changes: readonly ZoneChange[], from: number): boolean {
  let serial = from;
  for (const { soaBefore, soaAfter } of changes) {
    if (soaBefore.data.serial !== serial || !isLaterSerial(soaAfter.data.serial, serial)) return false;
    serial = soaAfter.data.serial;
  }
  return true;
}

async function* differences(
  changes: readonly ZoneChange[],
  last: SoaRecord,
): AsyncGenerator<readonly ZoneRecord[]> {
  yield [last];
  for (const { soaBefore, removed, soaAfter, added } of changes)
    yield [soaBefore, ...removed, soaAfter, ...added];
  yield [last];
}

type Request = { readonly id: number; readonly question: Question; readonly hasEdns: boolean };

/** Unsigned messages, each as full as it can be. Only the first has the question and EDNS. */
export async function* transferMessages(
  { id, question, hasEdns }: Request,
  { records }: Transfer,
): AsyncGenerator<Buffer> {
  const header = { id, opcode: OPCODE.QUERY, isAuthoritative: true };
  let isFirst = true;
  let writer = new MessageWriter(header).question(question);
  const finish = () => {
    if (isFirst && hasEdns) writer.edns();
    isFirst = false;
    return writer.finish();
  };
  for await (const batch of records) {
    for (const record of batch) {
      if (writer.answer(record)) continue;
      yield finish();
      writer = new MessageWriter(header);
      writer.answer(record);
    }
  }
  yield finish();
}
