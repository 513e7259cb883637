import { identifier, type Statement, sql } from './statement.ts';

type Cte = {
  readonly name: string;
  readonly reads: readonly string[];
  readonly body: Statement;
  readonly isMaterialized: boolean;
};

/** One CTE of a `with` statement, or several that belong together, with their names and the names that they read. */
export type Part<Name extends string, Reads extends string> = {
  readonly ctes: readonly Cte[];
  /** Only for type checking. */
  readonly of?: { readonly name: Name; readonly reads: Reads };
};

export function part<const Name extends string, const Reads extends string = never>(
  name: Name,
  reads: readonly Reads[],
  body: Statement,
  { isMaterialized = false }: { readonly isMaterialized?: boolean } = {},
): Part<Name, Reads> {
  return { ctes: [{ name, reads, body, isMaterialized }] };
}

type NameOf<P> = P extends Part<infer Name, string> ? Name : never;
type ReadsOf<P> = P extends Part<string, infer Reads> ? Reads : never;

/** Combines parts that are always used together. */
export function parts<const Each extends readonly (Part<string, string> | undefined)[]>(
  ...each: Each
): Part<NameOf<Each[number]>, Exclude<ReadsOf<Each[number]>, NameOf<Each[number]>>> {
  return { ctes: each.flatMap((one) => one?.ctes ?? []) };
}

/** A parameter that no caller can pass; its type names the error. */
type Check<Name extends string, Reads extends string, Known extends string> = [Reads] extends [never]
  ? [error: 'a part must read from one before it, or a lost guard does not stop it']
  : [Reads] extends [Known]
    ? [Name & Known] extends [never]
      ? []
      : [error: 'there is a part of this name already']
    : [error: 'a part reads from one that is not before it'];

/**
 * A `with` statement, built part by part. A duplicate name, or a part that reads from none before it, does not compile;
 * an optional part is checked when the statement is built.
 */
export class WithStatement<Known extends string> {
  readonly #ctes: readonly Cte[];

  private constructor(ctes: readonly Cte[]) {
    this.#ctes = ctes;
  }

  /** The part that all others depend on. */
  static from<Name extends string>(first: Part<Name, never>): WithStatement<Name> {
    return new WithStatement(first.ctes);
  }

  and<Name extends string, Reads extends string>(
    next: Part<Name, Reads> | undefined,
    ..._check: Check<NoInfer<Name>, NoInfer<Reads>, Known>
  ): WithStatement<Known | Name> {
    return new WithStatement([...this.#ctes, ...(next?.ctes ?? [])]);
  }

  end<Row extends object>(reads: readonly Known[], body: Statement<Row>): Statement<Row> {
    const known = new Set<string>();
    const requireKnown = (name: string) => {
      if (!known.has(name))
        throw new TypeError(`a with statement reads from ${name}, which is not before it`);
    };
    let head: Statement | undefined;
    for (const { name, reads: before, body: inner, isMaterialized } of this.#ctes) {
      before.forEach(requireKnown);
      if (known.has(name)) throw new TypeError(`a with statement has two parts called ${name}`);
      known.add(name);
      const cte = isMaterialized
        ? sql`${identifier(name)} as materialized (${inner})`
        : sql`${identifier(name)} as (${inner})`;
      head = head === undefined ? cte : sql`${head}, ${cte}`;
    }
    reads.forEach(requireKnown);
    return sql<Row>`with ${head ?? sql``} ${body}`;
  }
}
