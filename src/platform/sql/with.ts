import { identifier, type Statement, sql } from './statement.ts';

type Cte = {
  readonly name: string;
  readonly reads: readonly string[];
  readonly body: Statement;
  readonly isMaterialized: boolean;
};

/** One part of a `with` statement, or several that belong together: what they are called and what they read from. */
export type Part<Name extends string, Reads extends string> = {
  readonly ctes: readonly Cte[];
  /** Only for the compiler. */
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

/** Parts that always go together. */
export function parts<const Each extends readonly (Part<string, string> | undefined)[]>(
  ...each: Each
): Part<NameOf<Each[number]>, Exclude<ReadsOf<Each[number]>, NameOf<Each[number]>>> {
  return { ctes: each.flatMap((one) => one?.ctes ?? []) };
}

/** An argument that nobody has: what is wrong stands in its name. */
type Check<Name extends string, Reads extends string, Known extends string> = [Reads] extends [never]
  ? [error: 'a part must read from one before it, or a lost guard does not stop it']
  : [Reads] extends [Known]
    ? [Name & Known] extends [never]
      ? []
      : [error: 'there is a part of this name already']
    : [error: 'a part reads from one that is not before it'];

/**
 * A `with` statement, part by part. A part of a name that is taken, or that reads from nothing before it, does not
 * compile; one that may be missing is looked for when the statement is put together.
 */
export class WithStatement<Known extends string> {
  readonly #ctes: readonly Cte[];

  private constructor(ctes: readonly Cte[]) {
    this.#ctes = ctes;
  }

  /** The part on which everything else hangs. */
  static from<Name extends string>(first: Part<Name, never>): WithStatement<Name> {
    return new WithStatement(first.ctes);
  }

  and<Name extends string, Reads extends string>(
    next: Part<Name, Reads> | undefined,
    ..._check: Check<NoInfer<Name>, NoInfer<Reads>, Known>
  ): WithStatement<Known | Name> {
    return new WithStatement([...this.#ctes, ...(next?.ctes ?? [])]);
  }

  end<Row extends object = object>(reads: readonly Known[], body: Statement): Statement<Row> {
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
