import { compareRecords, type ZoneRecord } from './zone-record.ts';

/**
 * Servers of a zone may have names in it, such as `ns.tld.ee` in `ee`. Their addresses are stored with the apex, which
 * is read first, and belong further back in canonical order.
 */
export class ApexHosts {
  readonly #zone: string;
  #waiting: readonly ZoneRecord[] = [];

  constructor(zone: string) {
    this.#zone = zone;
  }

  /** The records of one page, in order, with the hosts that belong before its end; with all of them in the last. */
  place(
    owners: readonly { readonly label: string; readonly records: readonly ZoneRecord[] }[],
    isLast: boolean,
  ): ZoneRecord[] {
    const page: ZoneRecord[] = [];
    for (const { label, records } of owners)
      if (label === '') {
        page.push(...records.filter(({ name }) => name === this.#zone));
        this.#waiting = records.filter(({ name }) => name !== this.#zone);
      } else page.push(...records);
    if (this.#waiting.length === 0) return page;
    const end = page.at(-1);
    const isDue = (host: ZoneRecord) => isLast || (end !== undefined && compareRecords(host, end) < 0);
    const due = this.#waiting.filter(isDue);
    this.#waiting = this.#waiting.filter((host) => !isDue(host));
    return due.length === 0 ? page : [...page, ...due].toSorted(compareRecords);
  }
}
