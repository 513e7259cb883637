import { fillIn } from '../platform/values/placeholders.ts';
import {
  type Catalogue,
  type CatalogueEntry,
  newRefusal,
  type Path,
  type Refusal,
  type Refusals,
  Refused,
  type ValueNames,
} from './refusal.ts';

/** A refusal in the words of an interface. */
export type NamedRefusal = Refusal & {
  /** What the interface calls that which the refusal is about. */
  readonly field: string | null;
  readonly message: string;
};
export type NamedRefusals = readonly [NamedRefusal, ...NamedRefusal[]];

/** Every path of a type as one text, with `#` for any position: `nameservers.#.hostname`. */
export type PatternOf<At extends Path> = At extends readonly [infer Step, ...infer Rest extends Path]
  ? `${Step extends number ? '#' : Step & string}${Rest extends readonly [] ? '' : `.${PatternOf<Rest>}`}`
  : never;

/**
 * What an interface calls each place of a command. `#` in a name stands for the position at the same place of the path;
 * null is what the call itself addresses, such as by its path.
 */
export type Names<At extends Path> = Readonly<Record<PatternOf<At>, string | null>>;

const patternOf = (path: Path): string =>
  path.map((step) => (typeof step === 'number' ? '#' : step)).join('.');

/** The name of a place, by the table of an interface; undefined if it is not in the table. */
export function nameAt(path: Path, names: NameTable): string | null | undefined {
  const positions = path.filter((step) => typeof step === 'number').values();
  const name = names[patternOf(path)];
  return name?.replaceAll('#', () => String(positions.next().value)) ?? name;
}

const isNamed = (refusal: Refusal): refusal is NamedRefusal => 'message' in refusal;

/** The same refusal in the words of an interface; `member` is a shorter name, for texts that need no more. */
export function withName(
  refusal: Refusal,
  field: string | null,
  member: string | null = field?.split('.').findLast((step) => !/^\d+$/.test(step)) ?? null,
): NamedRefusal {
  return { ...refusal, field, message: fillIn(refusal.text, { ...refusal.values, field, member }) };
}

/** What an interface calls the places of a command; the type of the table says which it has. */
export type NameTable = Readonly<Record<string, string | null>>;

export function nameRefusal(refusal: Refusal, names: NameTable): NamedRefusal {
  if (isNamed(refusal)) return refusal;
  const field = refusal.at && nameAt(refusal.at, names);
  if (field === undefined) throw new Error(`the interface has no name for ${refusal.at?.join('.')}`);
  return withName(refusal, field);
}

export const nameRefusals = ([first, ...rest]: Refusals, names: NameTable): NamedRefusals => [
  nameRefusal(first, names),
  ...rest.map((refusal) => nameRefusal(refusal, names)),
];

/** Does something whose refusals get their names by a table. */
export async function naming<Value>(names: NameTable, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const [first, ...rest] = nameRefusals(error.refusals, names);
    throw new Refused(first, rest);
  }
}

type Values<Entry extends CatalogueEntry> = {
  readonly [P in Exclude<ValueNames<Entry>, 'member'>]: string | number;
} & {
  readonly field?: string;
};
type Arguments<C extends Catalogue, N extends keyof C> =
  Record<never, never> extends Values<C[N]>
    ? [name: N, values?: Values<C[N]>]
    : [name: N, values: Values<C[N]>];

type NamedRefusalMaker<C extends Catalogue> = {
  refusal<N extends keyof C & string>(...[name, values]: Arguments<C, N>): NamedRefusal;
  refuse<N extends keyof C & string>(...[name, values]: Arguments<C, N>): never;
};

/** The functions that create and throw the refusals of an interface itself, which are about its own fields. */
export function defineNamedRefusals<const C extends Catalogue>(catalogue: C): NamedRefusalMaker<C> {
  const refusal = (name: string, given: Readonly<Record<string, unknown>> = {}): NamedRefusal => {
    const { field, ...values } = given;
    return withName(newRefusal(catalogue, name, { values }), typeof field === 'string' ? field : null);
  };
  return {
    refusal,
    refuse: (name: string, given?: Readonly<Record<string, unknown>>): never => {
      throw new Refused(refusal(name, given));
    },
  };
}
