import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { readMessage } from '../../src/doors/dns/message-reader.ts';
import { readZoneRecord } from '../../src/doors/dns/record-data.ts';
import { type TransferRequest, transferAnswers, transferZone } from '../../src/doors/dns/transfer-client.ts';
import type { SoaRecord, ZoneRecord } from '../../src/doors/dns/zone-source.ts';

/** A secondary that transfers the zone once, then follows it by IXFR after every NOTIFY. It keeps no zone. */
export class Follower {
  readonly #request: TransferRequest;
  readonly #socket: Socket = createSocket('udp4');
  #soa: SoaRecord | undefined;
  #isFollowing = false;
  #isNotified = false;
  #failure: unknown;
  /** When each owner of NS records was first told as added, on the monotonic clock. */
  readonly addedAt = new Map<string, number>();
  serials = 0;

  constructor(request: TransferRequest) {
    this.#request = request;
  }

  async listen(port: number): Promise<void> {
    this.#socket.bind(port, '127.0.0.1');
    await once(this.#socket, 'listening');
    this.#socket.on('message', (bytes) => {
      if (readMessage(bytes).questions[0]?.name !== this.#request.zone) return;
      this.#isNotified = true;
      if (!this.#isFollowing && this.#soa) void this.#follow();
    });
  }

  /** AXFR; returns the number of records. */
  async transfer(): Promise<number> {
    let records = 0;
    for await (const page of transferZone(this.#request)) {
      if (page[0]?.type === 'SOA') this.#soa = page[0];
      records += page.length;
    }
    return records;
  }

  /** Throws where following has failed. */
  requireNoFailure(): void {
    if (this.#failure) throw this.#failure;
  }

  close(): void {
    this.#socket.close();
  }

  async #follow(): Promise<void> {
    this.#isFollowing = true;
    try {
      while (this.#isNotified) {
        this.#isNotified = false;
        await this.#pull();
      }
    } catch (error) {
      this.#failure ??= error;
    }
    this.#isFollowing = false;
  }

  /** The answer ends with its first SOA: a third time after differences (RFC 1995, 4), else at once. */
  async #pull(): Promise<void> {
    const records: ZoneRecord[] = [];
    let repeated = 0;
    for await (const { message } of transferAnswers(this.#request, this.#soa)) {
      const read = message.answers.flatMap((record) => readZoneRecord(message, record) ?? []);
      records.push(...read);
      const newest = records[0];
      if (newest?.type !== 'SOA') throw new Error('an answer without a SOA');
      repeated += read.filter(
        ({ type, data }) => type === 'SOA' && serialOf(data) === newest.data.serial,
      ).length;
      if (records.length > 1 && records[1]?.type !== 'SOA')
        throw new Error('the whole zone instead of changes');
      if (records.length === 1 ? newest.data.serial === this.#soa?.data.serial : repeated === 3) break;
    }
    this.#note(records);
  }

  #note(records: readonly ZoneRecord[]): void {
    const now = performance.now();
    let soas = 0;
    for (const record of records) {
      if (record.type === 'SOA') soas += 1;
      // The first SOA is that of the end; then each pair begins with what is removed.
      const isAdded = soas > 1 && soas % 2 === 1;
      if (isAdded && record.type === 'NS' && !this.addedAt.has(record.name))
        this.addedAt.set(record.name, now);
    }
    this.serials += Math.max(0, (soas - 2) / 2);
    if (records[0]?.type === 'SOA') this.#soa = records[0];
  }
}

const serialOf = (data: ZoneRecord['data']): number | undefined =>
  typeof data === 'object' && 'serial' in data ? data.serial : undefined;
