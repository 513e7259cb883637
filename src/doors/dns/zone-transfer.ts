import { isLaterSerial } from '../../registry/zones/serial.ts';
import { ednsOf, type Message, type Question } from './message-reader.ts';
import { MAX_MESSAGE_BYTES, MessageWriter, SHORT_MESSAGE_BYTES } from './message-writer.ts';
import type { SoaRecord, ZoneHistory, ZoneRecord, ZoneSource } from './zone-source.ts';

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
  if (!changes || !isLaterSerial(changes.soa.data.serial, from)) return wholeZone(source, zone);
  // Changes may be newer than the SOA that was read before them.
  const { serial } = changes.soa.data;
  return { kind: 'differences', serial: () => serial, records: differences(changes, from) };
}

export const presentSerial = (soa: SoaRecord): Transfer => ({
  kind: 'up-to-date',
  serial: () => soa.data.serial,
  records: inOneBatch([soa]),
});

async function* inOneBatch(records: readonly ZoneRecord[]): AsyncGenerator<readonly ZoneRecord[]> {
  yield records;
}

/** A gap would leave the secondary with a zone that never was: the transfer fails before its last SOA. */
async function* differences(
  { soa, steps }: ZoneHistory,
  from: number,
): AsyncGenerator<readonly ZoneRecord[]> {
  let serial = from;
  yield [soa];
  for await (const { soaBefore, removed, soaAfter, added } of steps) {
    if (soaBefore.data.serial !== serial || !isLaterSerial(soaAfter.data.serial, serial))
      throw new Error(`the changes of ${soa.name} after ${serial} are not those of the next serial`);
    yield [soaBefore];
    yield* removed;
    yield [soaAfter];
    yield* added;
    serial = soaAfter.data.serial;
  }
  if (serial !== soa.data.serial) throw new Error(`the changes of ${soa.name} end with ${serial}`);
  yield [soa];
}

/** Unsigned messages, each as full as it can be. Only the first has the question and EDNS. */
export async function* transferMessages(
  request: Message,
  question: Question,
  { kind, records }: Transfer,
): AsyncGenerator<Buffer> {
  const { id, opcode, isRecursionDesired } = request;
  const header = { id, opcode, isRecursionDesired, isAuthoritative: true };
  const edns = ednsOf(request);
  let isFirst = true;
  const maxBytes = kind === 'up-to-date' ? SHORT_MESSAGE_BYTES : MAX_MESSAGE_BYTES;
  let writer = new MessageWriter(header, maxBytes).question(question);
  const finish = () => {
    if (isFirst && edns) writer.edns(edns);
    isFirst = false;
    return writer.finish();
  };
  for await (const batch of records) {
    for (const record of batch) {
      if (writer.answer(record)) continue;
      yield finish();
      writer = new MessageWriter(header, maxBytes);
      writer.answer(record);
    }
  }
  yield finish();
}
