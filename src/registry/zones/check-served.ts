import type { Pool } from '../../platform/sql/executor.ts';
import { type ZoneRecord, zoneFileLine } from './zone-record.ts';
import { streamZone } from './zone-store.ts';

export type ServedZone = AsyncIterable<readonly ZoneRecord[]>;
export type ServedDifference = {
  readonly serial: number | undefined;
  readonly servedSerial: number | undefined;
  /** Lines of the projection that the server does not have; those that only the server has. */
  readonly missing: readonly string[];
  readonly extra: readonly string[];
};

/**
 * Compares what a server serves, without the records that the signer adds, with the projection. Between two serials they
 * differ rightly. One set of lines is held in memory.
 */
export async function compareServed(pool: Pool, zone: string, served: ServedZone): Promise<ServedDifference> {
  const there = await readLines(served);
  const missing: string[] = [];
  let serial: number | undefined;
  for await (const page of streamZone(pool, zone))
    for (const record of page)
      if (record.type === 'SOA') serial = record.data.serial;
      else if (!there.lines.delete(zoneFileLine(record))) missing.push(zoneFileLine(record));
  return { serial, servedSerial: there.serial, missing, extra: [...there.lines] };
}

async function readLines(served: ServedZone) {
  const lines = new Set<string>();
  let serial: number | undefined;
  for await (const page of served)
    for (const record of page)
      if (record.type === 'SOA') serial = record.data.serial;
      else lines.add(zoneFileLine(record));
  return { serial, lines };
}
