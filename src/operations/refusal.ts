import { fillIn, type Placeholders } from '../platform/values/placeholders.ts';

/** The category of a refusal; each interface maps it to its protocol (an HTTP status, an EPP response). */
export type RefusalKind =
  | 'syntax'
  | 'rule'
  | 'unauthenticated'
  | 'forbidden'
  | 'missing'
  | 'gone'
  | 'unknown-path'
  | 'other-method'
  | 'other-format'
  | 'teapot'
  | 'limited'
  | 'unavailable'
  | 'fault';

/** Codes are those of EPP (RFC 5730). Words in braces are placeholders of the text. */
export type CatalogueEntry = {
  readonly code: number;
  readonly kind: RefusalKind;
  readonly text: string;
  readonly when: string;
  /** Names of values that programs read from members of their own, whether or not the text has them. */
  readonly carries?: readonly string[];
  /** When a retry makes sense, unless the refusal itself says so. */
  readonly retryAfterSeconds?: number;
};
export type Catalogue = Readonly<Record<string, CatalogueEntry>>;

/** A place in a command: the names of its members, and positions in its lists. */
export type Path = readonly (string | number)[];

/** One reason why a request is refused, in the words of the operation: a member of a closed catalogue, with its values. */
export type Refusal = {
  readonly name: string;
  readonly code: number;
  readonly kind: RefusalKind;
  /** As in the catalogue: an interface fills in its placeholders. */
  readonly text: string;
  /** What it is about; null for the request as a whole, or for the object that it addresses. */
  readonly at: Path | null;
  /** The values of the placeholders, and others for interfaces whose format has separate fields for them. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Those of the values that an interface shows as members of their own. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** The object that it is about, where a command is about several. */
  readonly object?: string;
  /** When a retry makes sense, if that is known. */
  readonly retryAfterSeconds?: number;
};
export type Refusals = readonly [Refusal, ...Refusal[]];

/** The text as the interface has it, or else with the words of the operation itself. */
export function textOf(refusal: Refusal & { readonly message?: string }): string {
  if (refusal.message !== undefined) return refusal.message;
  const field = refusal.at?.join('.');
  return fillIn(refusal.text, { ...refusal.values, field, member: refusal.at?.at(-1) });
}

/** Carries every failure found, in the order of the checks. Nothing was changed. */
export class Refused extends Error {
  override name = 'Refused';
  readonly refusals: Refusals;

  /** A list, since so many arguments as there may be refusals overflow the stack. */
  constructor(first: Refusal, rest: readonly Refusal[] = []) {
    super(textOf(first));
    this.refusals = [first, ...rest];
  }
}

/** The parsed value, or everything that is wrong with it. */
export type Parsed<T> = { readonly value: T } | { readonly refusals: readonly Refusal[] };

/** Throws if there are any refusals. */
export function requireNone([first, ...rest]: readonly Refusal[]): void {
  if (first) throw new Refused(first, rest);
}

/** What the interface calls the place of the refusal: the whole name, and the last part of it. */
type OwnNames = 'field' | 'member';
/** The names of the values of a refusal: those of its text, and those that it carries besides. */
export type ValueNames<Entry extends CatalogueEntry> =
  | Placeholders<Entry['text']>
  | (Entry extends { readonly carries: readonly (infer Name extends string)[] } ? Name : never);
/** The values that an operation knows, and the place; a text that names the place needs one. */
type Values<Entry extends CatalogueEntry, At extends Path> = {
  readonly [P in Exclude<ValueNames<Entry>, OwnNames>]: string | number;
} & (OwnNames & Placeholders<Entry['text']> extends never ? { readonly at?: At } : { readonly at: At });
/** The name of a refusal and, if it needs any, its values. */
type Arguments<C extends Catalogue, N extends keyof C, At extends Path> =
  Record<never, never> extends Values<C[N], At>
    ? [name: N, values?: Values<C[N], At>]
    : [name: N, values: Values<C[N], At>];

export type RefusalMaker<C extends Catalogue, At extends Path> = {
  refusal<N extends keyof C & string>(...[name, values]: Arguments<C, N, At>): Refusal;
  refuse<N extends keyof C & string>(...[name, values]: Arguments<C, N, At>): never;
};

/** A refusal of a catalogue. */
export function newRefusal(
  catalogue: Catalogue,
  name: string,
  { at = null, values }: { readonly at?: Path | null; readonly values: Readonly<Record<string, unknown>> },
): Refusal {
  const entry = catalogue[name];
  if (!entry) throw new Error(`no such refusal: ${name}`);
  const { code, kind, text, carries } = entry;
  const members = carries && Object.fromEntries(carries.map((each) => [each, values[each]]));
  const seconds = typeof values.seconds === 'number' ? values.seconds : entry.retryAfterSeconds;
  const retry = seconds === undefined ? {} : { retryAfterSeconds: seconds };
  return { name, code, kind, text, at, values, ...(members && { members }), ...retry };
}

/** The functions that create and throw the refusals of a catalogue, with type-checked values and places. */
export function defineRefusals<const C extends Catalogue, At extends Path = never>(
  catalogue: C,
): RefusalMaker<C, At> {
  const refusal = (name: string, { at, ...values }: Given = {}): Refusal =>
    newRefusal(catalogue, name, { ...(at && { at }), values });
  return {
    refusal,
    refuse: (name: string, given?: Given): never => {
      throw new Refused(refusal(name, given));
    },
  };
}

type Given = { readonly at?: Path } & Readonly<Record<string, unknown>>;
