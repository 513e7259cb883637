import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database, Pool, Sql } from '../../../src/platform/database/database.ts';

/**
 * What happens at one of the moments at which something is written: the process dies before, in the middle or after,
 * the connection breaks before or after, or another transaction was quicker.
 */
export const mishaps = [
  'die before',
  'die during',
  'die after',
  'break before',
  'break after',
  'race',
] as const;
export type Mishap = (typeof mishaps)[number];
/** The first moments are numbered from 0. */
export type Plan = readonly { readonly moment: number; readonly mishap: Mishap }[];

/** The process is gone: whoever is left of it can do nothing any more. */
export class Dead extends Error {
  override name = 'Dead';
}
class Broken extends Error {
  override name = 'Broken';
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}
export const isMishap = (error: unknown): boolean => error instanceof Dead || error instanceof Broken;

type Observe<Seen> = (sql: Sql) => Promise<Seen>;
type Work = (sql: Sql) => Promise<unknown>;

/** A database that fails on order, and remembers what every transaction saw at its end, in the order of their locks. */
export class FaultyDatabase<Label, Seen> {
  readonly database: Database;
  readonly #real: Database;
  readonly #observe: Observe<Seen>;
  readonly #labels = new AsyncLocalStorage<Label>();
  #log: { readonly label: Label | undefined; readonly seen: Seen }[] = [];
  #plan: Plan = [];
  #moments = 0;
  #dead = false;

  constructor(real: Database, observe: Observe<Seen>) {
    this.#real = real;
    this.#observe = observe;
    const writes = new Proxy(real.writes, {
      get: (target, name) => (name === 'begin' ? this.#begin : Reflect.get(target, name)),
      apply: (target, _this, parts) => this.#statement(Reflect.apply(target as never, undefined, parts)),
    }) as Pool;
    this.database = { ...real, writes };
  }

  arm(plan: Plan): void {
    this.#plan = plan;
    this.#moments = 0;
  }

  /** A process that begins anew. */
  restart(): void {
    this.#plan = [];
    this.#dead = false;
  }

  readonly alive = (): void => {
    if (this.#dead) throw new Dead();
  };

  labelled<T>(label: Label, work: () => Promise<T>): Promise<T> {
    return this.#labels.run(label, work);
  }

  /** What was committed since it was last asked for. */
  takeLog(): { readonly label: Label | undefined; readonly seen: Seen }[] {
    const log = this.#log;
    this.#log = [];
    return log;
  }

  readonly #begin = async (work: Work): Promise<unknown> => {
    const mishap = this.#before();
    const label = this.#labels.getStore();
    let entry: { readonly label: Label | undefined; readonly seen: Seen } | undefined;
    const result = await this.#real.writes
      .begin(async (sql) => {
        const done = await work(sql);
        this.alive();
        const seen = await this.#observe(sql);
        if (mishap === 'race') throw new Broken('40001');
        if (mishap === 'die during') this.#die();
        this.alive();
        entry = { label, seen };
        this.#log.push(entry);
        return done;
      })
      .catch((error: unknown) => {
        this.#log = this.#log.filter((each) => each !== entry);
        throw error;
      });
    this.#after(mishap);
    return result;
  };

  /** A statement of its own; nothing is sent before it is awaited. */
  #statement(statement: PromiseLike<unknown>): PromiseLike<unknown> {
    const send = Reflect.get(statement, 'then').bind(statement) as PromiseLike<unknown>['then'];
    const sent = async () => {
      const mishap = this.#before();
      const rows = await new Promise((resolve, reject) => void send(resolve, reject));
      this.#after(mishap);
      return rows;
    };
    const then: PromiseLike<unknown>['then'] = (done, failed) => sent().then(done, failed);
    return Object.defineProperty(statement, 'then', { value: then });
  }

  #before(): Mishap | undefined {
    this.alive();
    const moment = this.#moments++;
    const mishap = this.#plan.find((each) => each.moment === moment)?.mishap;
    if (mishap === 'die before') this.#die();
    if (mishap === 'break before') throw new Broken('CONNECTION_CLOSED');
    return mishap;
  }

  #after(mishap: Mishap | undefined): void {
    if (mishap === 'die after' || mishap === 'die during') this.#die();
    if (mishap === 'break after') throw new Broken('CONNECTION_CLOSED');
    this.alive();
  }

  #die(): never {
    this.#dead = true;
    throw new Dead();
  }
}
