import type {
  SoaRecord,
  ZoneHistory,
  ZoneRecord,
  ZoneSource,
  ZoneStep,
} from '../../src/doors/dns/zone-source.ts';

type MadeChange = Pick<ZoneStep, 'soaBefore' | 'soaAfter'> & Required<Difference>;
type Difference = { readonly removed?: readonly ZoneRecord[]; readonly added?: readonly ZoneRecord[] };

/** A published zone and the differences that led to it, in memory. */
export class MemoryZone implements ZoneSource {
  readonly origin: string;
  readonly changesMade: MadeChange[] = [];
  /** How many snapshots are open. */
  open = 0;
  batchSize = 500;
  /** Thrown by the next reading. */
  failure: Error | undefined;
  #serial: number;
  #records: readonly ZoneRecord[];

  constructor(origin: string, serial: number, records: readonly ZoneRecord[] = []) {
    this.origin = origin;
    this.#serial = serial;
    this.#records = [{ name: origin, type: 'NS', ttl: 86_400, data: `ns.registry.${origin}` }, ...records];
  }

  /** All of them, as they are transferred. */
  get records(): readonly ZoneRecord[] {
    return [this.#soa(), ...this.#records];
  }

  /** One new serial. */
  change({ removed = [], added = [] }: Difference, serial = this.#serial + 1): MadeChange {
    const soaBefore = this.#soa();
    const gone = new Set(removed.map((record) => JSON.stringify(record)));
    const left =
      gone.size === 0 ? this.#records : this.#records.filter((record) => !gone.has(JSON.stringify(record)));
    this.#records = [...left, ...added];
    this.#serial = serial;
    const change = { soaBefore, soaAfter: this.#soa(), removed, added };
    this.changesMade.push(change);
    return change;
  }

  async soa(): Promise<SoaRecord> {
    this.#throwFailure();
    return this.#soa();
  }

  async *stream(): AsyncGenerator<readonly ZoneRecord[]> {
    const snapshot = this.records;
    this.open += 1;
    try {
      for (let at = 0; at < snapshot.length; at += this.batchSize) {
        this.#throwFailure();
        yield snapshot.slice(at, at + this.batchSize);
      }
    } finally {
      this.open -= 1;
    }
  }

  async changes(_: string, from: number): Promise<ZoneHistory | undefined> {
    const first = this.changesMade.findIndex(({ soaBefore }) => soaBefore.data.serial === from);
    const changes = this.changesMade.slice(first);
    async function* steps(): AsyncGenerator<ZoneStep> {
      for (const { removed, added, ...soas } of changes)
        yield { ...soas, removed: [removed], added: [added] };
    }
    return first < 0 ? undefined : { soa: this.#soa(), steps: steps() };
  }

  #throwFailure(): void {
    if (this.failure) throw this.failure;
  }

  #soa(): SoaRecord {
    const times = { refresh: 3_600, retry: 600, expire: 1_209_600, minimum: 300 };
    return {
      name: this.origin,
      type: 'SOA',
      ttl: 3_600,
      data: {
        primary: `ns.registry.${this.origin}`,
        mailbox: `hostmaster.${this.origin}`,
        serial: this.#serial,
        ...times,
      },
    };
  }
}

/** What the registry publishes of a domain with two nameservers, one of them its own, and a key. */
export const delegation = (name: string, number: number): readonly ZoneRecord[] => [
  { name, type: 'NS', ttl: 3_600, data: `ns1.${name}` },
  { name, type: 'NS', ttl: 3_600, data: `ns${number % 7}.hosting.example` },
  {
    name,
    type: 'DS',
    ttl: 3_600,
    data: { keyTag: number & 0xffff, algorithm: 13, digestType: 2, digest: 'AB'.repeat(32) },
  },
  { name: `ns1.${name}`, type: 'A', ttl: 3_600, data: `192.0.2.${number % 256}` },
  { name: `ns1.${name}`, type: 'AAAA', ttl: 3_600, data: `2001:db8::${(1 + (number % 9_999)).toString(16)}` },
];
