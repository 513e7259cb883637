import { timingSafeEqual } from 'node:crypto';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { tokenHash } from '../../platform/values/token.ts';
import type { Requester } from './requesters.ts';

type Row = Requester & { readonly hash: Buffer; readonly expiresAt: Date };

/** A revoked token is refused within this time on every process. */
const MAX_AGE_MS = 1_000;

/** The valid requesters, cached so that a wrong token costs no query. */
export class KnownRequesters {
  readonly #sql: Sql;
  #rows: readonly Row[] = [];
  #loadedAt = Number.NEGATIVE_INFINITY;
  #loading: Promise<void> | undefined;

  constructor(reads: Sql) {
    this.#sql = reads;
  }

  /** Requests that come while it loads share one query. Fails while the database cannot be read. */
  refresh(): Promise<void> {
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  /** Compares with every token in constant time, so that timing reveals nothing. */
  async find(token: string, now: Date): Promise<Requester | undefined> {
    if (performance.now() - this.#loadedAt > MAX_AGE_MS) await this.refresh();
    const hash = tokenHash(token);
    const equal = this.#rows.filter((row) => timingSafeEqual(row.hash, hash));
    const valid = equal.find(({ expiresAt }) => expiresAt > now);
    return valid && { id: valid.id, name: valid.name, purpose: valid.purpose };
  }

  async #load(): Promise<void> {
    const startedAt = performance.now();
    this.#rows = await this.#sql.rows(sql<Row>`
      select id, name, purpose, token_hash as hash, expires_at as "expiresAt" from lookup_requesters where revoked_at is null`);
    this.#loadedAt = startedAt;
  }
}
