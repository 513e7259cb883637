/**
 * Everything the registry can refuse, in one closed list. Codes are those of EPP (RFC 5730); what a door makes
 * of a kind (an HTTP status, an EPP response) is the door's business. docs/errors.md is generated from here.
 */
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

type Entry = {
  readonly code: number;
  readonly kind: RefusalKind;
  readonly text: string;
  readonly when: string;
};

export const catalogue = {
  malformedJson: {
    code: 2001,
    kind: 'syntax',
    text: 'Request body is not valid JSON',
    when: 'the body is not JSON, or not UTF-8',
  },
  malformedRequest: {
    code: 2001,
    kind: 'syntax',
    text: 'Request is not valid HTTP',
    when: 'the request line, a header or the framing is broken, or the request took too long to arrive',
  },
  fieldMissing: {
    code: 2003,
    kind: 'syntax',
    text: 'Required field is missing or empty: {field}',
    when: 'a required field is absent, null or empty',
  },
  outOfRange: {
    code: 2004,
    kind: 'syntax',
    text: '{field} must be {expected}',
    when: 'a number or a count lies outside its bounds',
  },
  bodyTooLarge: {
    code: 2004,
    kind: 'syntax',
    text: 'Request body is larger than 1 MiB',
    when: 'the body has more than 1,048,576 bytes',
  },
  unknownField: {
    code: 2005,
    kind: 'syntax',
    text: 'Unknown field: {field}',
    when: 'a body or query has a member that the call does not know',
  },
  wrongSyntax: {
    code: 2005,
    kind: 'syntax',
    text: '{field} must be {expected}',
    when: 'a value has the wrong type or form',
  },
  unprintableText: {
    code: 2005,
    kind: 'syntax',
    text: '{field} holds characters that cannot be stored',
    when: 'a text holds a NUL or half of a surrogate pair',
  },
  keyReused: {
    code: 2005,
    kind: 'syntax',
    text: 'Idempotency-Key was used before with another request',
    when: 'the same key came with another method, path or body',
  },

  unknownPath: { code: 2000, kind: 'unknown-path', text: 'Unknown path', when: 'no call has this path' },
  otherMethod: {
    code: 2101,
    kind: 'other-method',
    text: 'Method not allowed here; see the Allow header',
    when: 'the path exists with other methods',
  },
  otherFormat: {
    code: 2102,
    kind: 'other-format',
    text: 'Only JSON is spoken here',
    when: 'the Accept header leaves out JSON, or the body is declared as something else',
  },
  teapot: {
    code: 2101,
    kind: 'teapot',
    text: 'This registry is a teapot',
    when: 'the body is declared as message/coffeepot (RFC 2324)',
  },

  badCredentials: {
    code: 2202,
    kind: 'unauthenticated',
    text: 'Invalid authorization information',
    when: 'user, password, certificate or address is not accepted, or user or registrar is not active',
  },
  notAllowed: {
    code: 2201,
    kind: 'forbidden',
    text: 'Authorization error',
    when: "the user's role has no right to this call",
  },
  tooManyRequests: {
    code: 2502,
    kind: 'limited',
    text: 'Too many requests; try again in {seconds} s',
    when: "the API user's requests per minute are used up",
  },
  tooManyFailures: {
    code: 2502,
    kind: 'limited',
    text: 'Too many failed logins; try again in {seconds} s',
    when: 'too many wrong credentials came from this address or for this username',
  },

  objectMissing: {
    code: 2303,
    kind: 'missing',
    text: 'Object does not exist',
    when: 'the addressed object does not exist, or is a contact or message of another registrar',
  },
  objectGone: {
    code: 2303,
    kind: 'gone',
    text: 'Object was removed',
    when: 'the addressed object was sponsored by this registrar and was removed',
  },
  statusProhibits: {
    code: 2304,
    kind: 'rule',
    text: 'Object status prohibits operation',
    when: 'a status of the object forbids the operation',
  },

  contactCodeTaken: {
    code: 2302,
    kind: 'rule',
    text: 'Contact code already exists',
    when: 'a contact with this code exists, in whatever case it is written',
  },
  contactLinked: {
    code: 2305,
    kind: 'rule',
    text: 'Object association prohibits operation: the contact is used by domains',
    when: 'the contact is registrant, admin or tech contact of a domain',
  },
  identUnchangeable: {
    code: 2308,
    kind: 'rule',
    text: 'The identification of a contact cannot be changed; create a new contact',
    when: 'an update carries an identification other than the stored one',
  },

  maintenance: {
    code: 2400,
    kind: 'unavailable',
    text: 'The registry is under maintenance',
    when: 'an operator switched maintenance on',
  },
  overload: {
    code: 2400,
    kind: 'unavailable',
    text: 'The registry is busy; try again',
    when: 'too many requests are under way, or a lock was not free in time',
  },
  databaseAway: {
    code: 2400,
    kind: 'unavailable',
    text: 'The registry cannot reach its database; try again',
    when: 'the database cannot be reached',
  },
  fault: {
    code: 2400,
    kind: 'fault',
    text: 'Command failed; request {requestId}',
    when: 'a fault of ours; the request id finds it in our logs',
  },
} as const satisfies Record<string, Entry>;

export type RefusalName = keyof typeof catalogue;

export type Refusal = {
  readonly name: RefusalName;
  readonly code: number;
  readonly kind: RefusalKind;
  readonly message: string;
  readonly field: string | null;
  /** When it makes sense to try again, where that is known. */
  readonly retryAfterSeconds?: number;
};

type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;
type Details<N extends RefusalName> = {
  readonly [P in Placeholders<(typeof catalogue)[N]['text']>]: string | number;
} & {
  readonly field?: string;
};

export function refusal<N extends RefusalName>(
  name: N,
  ...[details]: Record<never, never> extends Details<N> ? [Details<N>?] : [Details<N>]
): Refusal {
  const { code, kind, text } = catalogue[name];
  const values: Readonly<Record<string, unknown>> = details ?? {};
  const message = text.replace(/\{(\w+)\}/g, (_, key: string) => String(values[key]));
  const retry = typeof values.seconds === 'number' ? { retryAfterSeconds: values.seconds } : {};
  return { name, code, kind, message, field: details?.field ?? null, ...retry };
}

/** Thrown by a guard; carries every failure found, the first one first. */
export class Refused extends Error {
  override name = 'Refused';
  readonly refusals: readonly [Refusal, ...Refusal[]];

  constructor(...refusals: readonly [Refusal, ...Refusal[]]) {
    super(refusals[0].message);
    this.refusals = refusals;
  }
}

export function refuse<N extends RefusalName>(...args: Parameters<typeof refusal<N>>): never {
  throw new Refused(refusal(...args));
}

/** What a parser found: the value, or everything that is wrong with it. */
export type Parsed<T> = { readonly value: T } | { readonly refusals: readonly Refusal[] };
