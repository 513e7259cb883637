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
  /** When a retry makes sense, unless the refusal itself says so. */
  readonly retryAfterSeconds?: number;
};
export type Catalogue = Readonly<Record<string, CatalogueEntry>>;

/** One reason why a request is refused: a member of a closed catalogue, with its placeholders filled in. */
export type Refusal = {
  readonly name: string;
  readonly code: number;
  readonly kind: RefusalKind;
  readonly message: string;
  readonly field: string | null;
  /** The message of the whole answer, where it says more than the message of this first refusal. */
  readonly summary?: string;
  /** When a retry makes sense, if that is known. */
  readonly retryAfterSeconds?: number;
  /** The values of the placeholders, for interfaces whose format has separate fields for them. */
  readonly details?: Readonly<Record<string, unknown>>;
};
export type Refusals = readonly [Refusal, ...Refusal[]];

/** Carries every failure found, in the order of the checks. Nothing was changed. */
export class Refused extends Error {
  override name = 'Refused';
  readonly refusals: Refusals;

  /** A list, since so many arguments as there may be refusals overflow the stack. */
  constructor(first: Refusal, rest: readonly Refusal[] = []) {
    super(first.summary ?? first.message);
    this.refusals = [first, ...rest];
  }
}

/** The parsed value, or everything that is wrong with it. */
export type Parsed<T> = { readonly value: T } | { readonly refusals: readonly Refusal[] };

/** Throws if there are any refusals. */
export function requireNone([first, ...rest]: readonly Refusal[]): void {
  if (first) throw new Refused(first, rest);
}

type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;
type Details<Text extends string> = {
  readonly [P in Placeholders<Text>]: string | number;
} & {
  readonly field?: string;
};
/** The name of a refusal and, if its text has placeholders, their values. */
type Arguments<C extends Catalogue, N extends keyof C> =
  Record<never, never> extends Details<C[N]['text']>
    ? [name: N, details?: Details<C[N]['text']>]
    : [name: N, details: Details<C[N]['text']>];

type RefusalMaker<C extends Catalogue> = {
  refusal<N extends keyof C & string>(...[name, details]: Arguments<C, N>): Refusal;
  refuse<N extends keyof C & string>(...[name, details]: Arguments<C, N>): never;
};

/** The functions that create and throw the refusals of a module's catalogue, with type-checked placeholders. */
export function defineRefusals<const C extends Catalogue>(catalogue: C): RefusalMaker<C> {
  const refusal = (name: string, details: Readonly<Record<string, unknown>> = {}): Refusal => {
    const entry = catalogue[name];
    if (!entry) throw new Error(`no such refusal: ${name}`);
    const { code, kind, text, retryAfterSeconds } = entry;
    const message = text.replace(/\{(\w+)\}/g, (_, key: string) => String(details[key]));
    const field = typeof details.field === 'string' ? details.field : null;
    const seconds = typeof details.seconds === 'number' ? details.seconds : retryAfterSeconds;
    const retry = seconds === undefined ? {} : { retryAfterSeconds: seconds };
    return { name, code, kind, message, field, ...retry, details };
  };
  return {
    refusal,
    refuse: (name: string, details?: Readonly<Record<string, unknown>>): never => {
      throw new Refused(refusal(name, details));
    },
  };
}
