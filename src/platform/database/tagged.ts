import type { Pool, Sql } from '../sql/executor.ts';
import { identifier, json, Statement } from '../sql/statement.ts';

/** A statement that is bound to an executor, and sent when it is awaited. */
class Pending<Row extends object> extends Statement<Row> implements Promise<Row[]> {
  readonly #on: Sql;
  readonly [Symbol.toStringTag] = 'Pending';
  constructor(on: Sql, strings: readonly string[], inserted: readonly unknown[]) {
    super(strings, inserted);
    this.#on = on;
  }

  // biome-ignore lint/suspicious/noThenProperty: awaiting it is how it is sent
  then<Done = Row[], Failed = never>(
    done?: ((rows: Row[]) => Done | PromiseLike<Done>) | null,
    failed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    return this.#on.rows(this as Statement<Row>).then(done, failed);
  }

  catch<Failed = never>(
    failed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Row[] | Failed> {
    return this.#on.rows(this as Statement<Row>).catch(failed);
  }

  finally(done?: (() => void) | null): Promise<Row[]> {
    return this.#on.rows(this as Statement<Row>).finally(done);
  }
}

type Tag = {
  // biome-ignore lint/suspicious/noExplicitAny: as the callers that say nothing of their rows expect it
  <Rows extends readonly object[] = Record<string, any>[]>(
    strings: TemplateStringsArray,
    ...inserted: readonly unknown[]
  ): Pending<Rows[number]>;
  (name: string): ReturnType<typeof identifier>;
  json: typeof json;
};

/** An executor in the form that most of the code still has: a tag that runs what it is given when that is awaited. */
export type TaggedSql = Sql & Tag;
export type TaggedPool = Omit<Pool, 'begin'> &
  Tag & { begin<T>(work: (transaction: TaggedPool) => Promise<T> | PromiseLike<T>): Promise<T> };

export function withTag(sql: Sql): TaggedSql {
  const tag = (first: TemplateStringsArray | string, ...inserted: readonly unknown[]) =>
    typeof first === 'string' ? identifier(first) : new Pending(sql, first, inserted);
  return Object.assign(tag, sql, { json }) as TaggedSql;
}

export function poolWithTag<P extends Pool>(pool: P): TaggedPool & Omit<P, 'begin'> {
  const begin = <T>(work: (transaction: TaggedPool) => Promise<T> | PromiseLike<T>): Promise<T> =>
    pool.begin(async (transaction) => work(poolWithTag(transaction)));
  return Object.assign(withTag(pool), pool, { begin }) as TaggedPool & Omit<P, 'begin'>;
}
