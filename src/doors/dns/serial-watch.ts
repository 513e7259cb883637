import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { readSoa } from '../../registry/zones/zone-store.ts';
import type { Notifier, NotifyTarget } from './notify.ts';

type Options = {
  readonly reads: Sql;
  readonly notifier: Pick<Notifier, 'publish' | 'retain'>;
  readonly targets: () => readonly NotifyTarget[];
};

/** Tells secondaries of serials that the writer of a zone has published, and new secondaries of the present ones. */
export class SerialWatch {
  readonly #options: Options;
  readonly #serials = new Map<string, number>();
  #targets: ReadonlySet<string> = new Set();

  constructor(options: Options) {
    this.#options = options;
  }

  async look(): Promise<void> {
    const { reads, notifier } = this.#options;
    const targets = this.#options.targets();
    notifier.retain(targets);
    const added = targets.filter((target) => !this.#targets.has(keyOf(target)));
    for (const { zone, serial } of await reads.rows(
      sql<{ zone: string; serial: number }>`select zone, serial from zones`,
    )) {
      const recipients = this.#serials.get(zone) === serial ? added : targets;
      const soa = recipients.length === 0 ? undefined : await readSoa(reads, zone);
      if (soa) notifier.publish(soa, recipients);
      this.#serials.set(zone, soa?.data.serial ?? serial);
    }
    this.#targets = new Set(targets.map(keyOf));
  }
}

const keyOf = ({ secondary, address, port }: NotifyTarget): string => `${secondary} ${address} ${port}`;
