import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { KeyAlgorithm } from './list-secondary-keys.ts';

export type KnownKey = {
  readonly secondary: string;
  readonly name: string;
  readonly algorithm: KeyAlgorithm;
  readonly secret: Buffer;
};
export type KnownSecondary = {
  readonly secondary: string;
  readonly address: string;
  readonly port: number;
  /** That it knows: the one that it used last, else the oldest valid one. */
  readonly key: KnownKey;
};
type Row = KnownKey & { readonly address: string; readonly port: number };

/** Secondaries with their valid keys, cached so that requests need no query. They are reloaded every second. */
export class KnownSecondaries {
  readonly #sql: Sql;
  readonly #lastUsed = new Map<string, string>();
  #rows: readonly Row[] = [];

  constructor(db: Sql) {
    this.#sql = db;
  }

  async refresh(): Promise<void> {
    this.#rows = await this.#sql.rows(sql<Row>`
      select s.name as secondary, host(s.address) as address, s.port, k.name, k.algorithm, k.secret
      from dns_secondaries s join dns_keys k on k.secondary_id = s.id
      where s.removed_at is null and k.secret is not null order by k.id`);
  }

  findKey(name: string): KnownKey | undefined {
    return this.#rows.find((row) => row.name === name);
  }

  /** A new key is not used for NOTIFY before the secondary has used it itself: until then it may not know it. */
  noteUse(secondary: string, key: string): void {
    this.#lastUsed.set(secondary, key);
  }

  list(): readonly KnownSecondary[] {
    const bySecondary = Map.groupBy(this.#rows, ({ secondary }) => secondary);
    return [...bySecondary.values()].flatMap((rows) => {
      const [oldest] = rows;
      const key = rows.find(({ name, secondary }) => this.#lastUsed.get(secondary) === name) ?? oldest;
      return key ? [{ secondary: key.secondary, address: key.address, port: key.port, key }] : [];
    });
  }
}
