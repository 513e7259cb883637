import type postgres from 'postgres';

type Driver = postgres.ISql<{ bigint: number }>;

/** A name that is written into a statement as it is, and not as a value. */
class Identifier {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * What a tagged template makes: a part of a statement until it is awaited, then the statement. The driver's own
 * parts are promises each, which costs more than everything else a request does; these are plain values.
 */
class Template implements PromiseLike<unknown> {
  readonly #driver: Driver;
  readonly #strings: readonly string[];
  readonly #values: readonly unknown[];
  readonly #prepare: boolean;

  constructor(driver: Driver, strings: readonly string[], values: readonly unknown[], prepare: boolean) {
    this.#driver = driver;
    this.#strings = strings;
    this.#values = values;
    this.#prepare = prepare;
  }

  // biome-ignore lint/suspicious/noThenProperty: awaiting a template is how it is sent
  then<Done, Failed>(
    done?: ((rows: unknown) => Done | PromiseLike<Done>) | null,
    failed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    return this.#send().then(done, failed);
  }

  catch<Failed>(failed: (reason: unknown) => Failed | PromiseLike<Failed>): Promise<unknown> {
    return this.#send().catch(failed);
  }

  #send(): Promise<unknown> {
    const parameters: postgres.SerializableParameter[] = [];
    const text = this.#write(parameters);
    // Without `simple: false` a statement without values would be sent unprepared.
    const options = { prepare: this.#prepare, simple: false } as postgres.UnsafeQueryOptions;
    return this.#driver.unsafe(text, parameters as never[], options);
  }

  #write(parameters: unknown[]): string {
    let text = this.#strings[0] ?? '';
    for (const [index, value] of this.#values.entries()) {
      if (value instanceof Template) text += value.#write(parameters);
      else if (value instanceof Identifier) text += `"${value.name.replaceAll('"', '""')}"`;
      else text += `$${parameters.push(value)}`;
      text += this.#strings[index + 1] ?? '';
    }
    return text;
  }
}

/**
 * The driver with cheap templates: statements are still sent, prepared and answered by the driver. Transactions may
 * have connections of their own. They write few rows or many with the same statements, which no plan fits that was
 * made for all of them: so these are planned each time.
 */
export function withTemplates<D extends Driver>(driver: D, transactions: Driver = driver, prepare = true): D {
  const tag = (first: TemplateStringsArray | string, ...values: readonly unknown[]) =>
    typeof first === 'string' ? new Identifier(first) : new Template(driver, first, values, prepare);
  const begin = (work: (sql: Driver) => unknown) => {
    const within = (transaction: unknown) => {
      const inside = transaction as Driver;
      return work(withTemplates(inside, inside, false)) as never;
    };
    return isTransaction(transactions)
      ? transactions.savepoint(within)
      : (transactions as unknown as postgres.Sql).begin(within);
  };
  return new Proxy(tag, {
    get: (_, name) => (name === 'begin' ? begin : bound(driver, name)),
  }) as unknown as D;
}

/** Whoever begins a transaction within one gets a part of it, which fails by itself. */
const isTransaction = (driver: Driver): driver is postgres.TransactionSql<{ bigint: number }> =>
  'savepoint' in driver;

function bound(driver: Driver, name: string | symbol): unknown {
  const member: unknown = Reflect.get(driver, name);
  return typeof member === 'function' ? member.bind(driver) : member;
}
