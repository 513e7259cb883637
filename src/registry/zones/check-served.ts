import type { Pool } from '../../platform/sql/executor.ts';
import { LineDigests, segmentOf } from './line-digests.ts';
import { type ZoneRecord, zoneFileLine } from './zone-record.ts';
import { streamZone } from './zone-store.ts';

export type ServedZone = AsyncIterable<readonly ZoneRecord[]>;
export type ServedDifference = {
  readonly serial: number | undefined;
  readonly servedSerial: number | undefined;
  /** Lines of the projection that the server does not have; those that only the server has. */
  readonly missing: readonly string[];
  readonly extra: readonly string[];
  /** False if so much differs that only a part of it is listed. */
  readonly isComplete: boolean;
};

/** A zone of three million records has some fifty lines in each. */
const MAX_LISTED_SEGMENTS = 200;

/**
 * Compares what a server serves, without the records that the signer adds, with the projection. Between two serials they
 * differ rightly. Servers send records in any order, and neither zone fits into memory: digests are compared, and only
 * if they differ is the zone transferred once more for the lines.
 */
export async function compareServed(
  pool: Pool,
  zone: string,
  transfer: () => ServedZone,
): Promise<ServedDifference> {
  const digests = new LineDigests();
  const servedSerial = await readLines(transfer(), (line) => digests.add(line));
  const serial = await readLines(streamZone(pool, zone), (line) => digests.subtract(line));
  const differing = digests.differing();
  if (differing.length === 0) return { serial, servedSerial, missing: [], extra: [], isComplete: true };
  const listed = new Set(differing.slice(0, MAX_LISTED_SEGMENTS));
  const isListed = (line: string) => listed.has(segmentOf(line));
  const extra = new Set<string>();
  const missing: string[] = [];
  return {
    servedSerial: await readLines(transfer(), (line) => void (isListed(line) && extra.add(line))),
    serial: await readLines(
      streamZone(pool, zone),
      (line) => void (isListed(line) && !extra.delete(line) && missing.push(line)),
    ),
    missing,
    extra: [...extra],
    isComplete: differing.length === listed.size,
  };
}

/** Returns the serial; the start of authority is no line. */
async function readLines(zone: ServedZone, use: (line: string) => void): Promise<number | undefined> {
  let serial: number | undefined;
  for await (const page of zone)
    for (const record of page)
      if (record.type === 'SOA') serial = record.data.serial;
      else use(zoneFileLine(record));
  return serial;
}
