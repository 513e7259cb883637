import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database } from '../../../src/platform/database/database.ts';
import type { Pool, Sql } from '../../../src/platform/sql/executor.ts';

/**
 * Faults injected at a write: the process dies before, during or after it,
 * the connection breaks before or after, or a concurrent transaction wins.
 */
export const injectedFaults = [
  'die before',
  'die during',
  'die after',
  'break before',
  'break after',
  'race',
] as const;
export type InjectedFault = (typeof injectedFaults)[number];
/** Writes are numbered from 0. */
export type Plan = readonly { readonly moment: number; readonly fault: InjectedFault }[];

/** The process is dead: its remaining code can do nothing any more. */
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
export const isInjectedFault = (error: unknown): boolean => error instanceof Dead || error instanceof Broken;

type Observe<Seen> = (db: Sql) => Promise<Seen>;

/** A database with injected faults, which records what every transaction saw at its end, in the order of their locks. */
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
    const { writes } = real;
    this.database = {
      ...real,
      writes: {
        rows: (statement) => this.#statement(() => writes.rows(statement)),
        one: (statement) => this.#statement(() => writes.one(statement)),
        maybe: (statement) => this.#statement(() => writes.maybe(statement)),
        run: (statement) => this.#statement(() => writes.run(statement)),
        script: (text) => this.#statement(() => writes.script(text)),
        begin: (work) => this.#begin(work),
      },
    };
  }

  inject(plan: Plan): void {
    this.#plan = plan;
    this.#moments = 0;
  }

  /** The process is restarted. */
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

  /** Transactions committed since the last call. */
  takeLog(): { readonly label: Label | undefined; readonly seen: Seen }[] {
    const log = this.#log;
    this.#log = [];
    return log;
  }

  async #begin<T>(work: (db: Pool) => Promise<T>): Promise<T> {
    const fault = this.#before();
    const label = this.#labels.getStore();
    let entry: { readonly label: Label | undefined; readonly seen: Seen } | undefined;
    const result = await this.#real.writes
      .begin(async (db) => {
        const done = await work(db);
        this.alive();
        const seen = await this.#observe(db);
        if (fault === 'race') throw new Broken('40001');
        if (fault === 'die during') this.#die();
        this.alive();
        entry = { label, seen };
        this.#log.push(entry);
        return done;
      })
      .catch((error: unknown) => {
        this.#log = this.#log.filter((each) => each !== entry);
        throw error;
      });
    this.#after(fault);
    return result;
  }

  /** A single statement. */
  async #statement<T>(send: () => Promise<T>): Promise<T> {
    const fault = this.#before();
    const answer = await send();
    this.#after(fault);
    return answer;
  }

  #before(): InjectedFault | undefined {
    this.alive();
    const moment = this.#moments++;
    const fault = this.#plan.find((each) => each.moment === moment)?.fault;
    if (fault === 'die before') this.#die();
    if (fault === 'break before') throw new Broken('CONNECTION_LOST');
    return fault;
  }

  #after(fault: InjectedFault | undefined): void {
    if (fault === 'die after' || fault === 'die during') this.#die();
    if (fault === 'break after') throw new Broken('CONNECTION_LOST');
    this.alive();
  }

  #die(): never {
    this.#dead = true;
    throw new Dead();
  }
}
