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
    when: 'the request line, a header or the framing is broken, the Host header is missing, invalid or there twice, or the request took too long to arrive',
  },
  fieldMissing: {
    code: 2003,
    kind: 'syntax',
    text: 'Field is missing or empty: {field}',
    when: 'a required field is absent or null, or a field is empty',
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
  tooManyValues: {
    code: 2004,
    kind: 'syntax',
    text: 'Request body holds more than {most} values',
    when: 'the objects and lists of the body hold more values than any call takes',
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
    when: 'too many wrong credentials came from this address, or for this username from addresses at which it is not known',
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

  notSponsor: {
    code: 2201,
    kind: 'forbidden',
    text: 'Authorization error',
    when: 'the domain belongs to another registrar',
  },
  bodyObjectMissing: {
    code: 2303,
    kind: 'rule',
    text: 'Object does not exist: {object}',
    when: 'an object named in the body does not exist, or is a contact of another registrar',
  },

  nameTaken: { code: 2302, kind: 'rule', text: 'Domain name already exists', when: 'the name is registered' },
  nameBlocked: {
    code: 2308,
    kind: 'rule',
    text: 'Domain name is blocked',
    when: 'the registry does not give the name to anybody, or it is a zone',
  },
  reservationCodeMissing: {
    code: 2003,
    kind: 'rule',
    text: 'reserved_pw is required: the name is {why}',
    when: 'the name is reserved or disputed and no code came with the request',
  },
  wrongCode: {
    code: 2202,
    kind: 'rule',
    text: 'Invalid authorization information: wrong {what}',
    when: 'a transfer code, Auth-Code or reserved_pw is wrong',
  },
  alreadySponsor: {
    code: 2002,
    kind: 'rule',
    text: 'Domain already belongs to the querying registrar',
    when: 'a registrar transfers a domain to himself',
  },
  notTransferable: {
    code: 2106,
    kind: 'rule',
    text: 'Object is not eligible for transfer',
    when: 'the domain is about to be deleted',
  },
  sameContact: {
    code: 2304,
    kind: 'rule',
    text: 'The new contact is the current one',
    when: 'a contact is to be replaced by itself',
  },
  sameNameserver: {
    code: 2306,
    kind: 'rule',
    text: 'The new hostname is the current one',
    when: 'a nameserver is to be replaced by itself',
  },
  tooManyWrongCodes: {
    code: 2502,
    kind: 'limited',
    text: 'Too many wrong codes for this name; try again in {seconds} s',
    when: 'this registrar sent more than 10 wrong codes for one name within an hour',
  },
  noPrice: {
    code: 2104,
    kind: 'rule',
    text: 'There is no price for this operation and period',
    when: 'the price list has no such period',
  },
  noFunds: {
    code: 2104,
    kind: 'rule',
    text: 'The balance does not cover the price',
    when: 'the account holds less than the price, or a debt stands',
  },
  providerAway: {
    code: 2400,
    kind: 'unavailable',
    text: 'Command failed; invoices cannot be paid at the moment',
    when: 'no payment provider is configured',
  },
  noInvoiceNumber: {
    code: 2306,
    kind: 'rule',
    text: 'No invoice can be issued: the range of numbers is used up',
    when: 'every number of the range for invoices was handed out',
  },

  contactTwice: {
    code: 2306,
    kind: 'rule',
    text: 'A contact is named twice in one role: {contact}',
    when: 'the same contact stands twice in one role',
  },
  contactNotLinked: {
    code: 2303,
    kind: 'rule',
    text: 'The domain has no such {role} contact: {contact}',
    when: 'a contact to be removed is not linked in that role',
  },
  adminNotPerson: {
    code: 2306,
    kind: 'rule',
    text: 'An admin contact must be a person: {contact}',
    when: 'an organisation is named as admin contact',
  },
  adminTooYoung: {
    code: 2304,
    kind: 'rule',
    text: 'An admin contact must be of age: {contact}',
    when: 'an admin contact is younger than 18',
  },
  adminRequired: {
    code: 2306,
    kind: 'rule',
    text: 'An admin contact is required',
    when: 'the policy asks for one and there is none',
  },

  nameserverCount: {
    code: 2308,
    kind: 'rule',
    text: 'A domain has no nameservers, or {least} to {most}',
    when: 'the number of nameservers would be outside its bounds',
  },
  nameserverTaken: {
    code: 2302,
    kind: 'rule',
    text: 'The domain has this nameserver already',
    when: 'a hostname stands twice on a domain',
  },
  glueMissing: {
    code: 2003,
    kind: 'rule',
    text: 'A nameserver below the domain itself needs an address',
    when: 'a host below the domain has neither an IPv4 nor an IPv6 address',
  },
  dnsKeyTaken: {
    code: 2302,
    kind: 'rule',
    text: 'The domain has this key already',
    when: 'a public key stands twice on a domain',
  },
  dnsKeyMissing: {
    code: 2303,
    kind: 'rule',
    text: 'The domain has no such key',
    when: 'a key to be removed is not there',
  },
  tooMany: {
    code: 2004,
    kind: 'rule',
    text: 'A domain has at most {most} {what}',
    when: 'there would be too many keys or contacts',
  },

  statusUnsupported: {
    code: 2306,
    kind: 'rule',
    text: 'A registrar sets and removes clientHold only',
    when: 'another status is named',
  },
  statusAbsent: {
    code: 2306,
    kind: 'rule',
    text: 'The domain does not have this status',
    when: 'a status to be removed is not there',
  },
  expiryMismatch: {
    code: 2306,
    kind: 'rule',
    text: 'exp_date is not the present expiry date',
    when: 'the given expiry date differs from the present one',
  },
  expiryTooFar: {
    code: 2105,
    kind: 'rule',
    text: 'The expiry would not lie before {limit}',
    when: 'a renewal would reach beyond eleven years from now',
  },
  expiryPast: {
    code: 2105,
    kind: 'rule',
    text: 'The domain would still be expired: a period that ends on {day} is too short',
    when: 'the expiry after a late renewal would not lie in the future',
  },
  renewalTooEarly: {
    code: 2105,
    kind: 'rule',
    text: 'Renewal opens {days} days before expiry',
    when: 'the policy has a renewal window and it is not open yet',
  },
  domainTwice: {
    code: 2005,
    kind: 'rule',
    text: 'A domain is named twice: {name}',
    when: 'a bulk call names a domain twice',
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
    text: 'Object association prohibits operation: the contact is used by domains or awaited by one',
    when: 'the contact is registrant, admin or tech contact of a domain, or is to become its registrant',
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
    when: 'too many requests or too many lists of the registrar are under way, or a lock was not free or the answer not ready in time',
  },
  databaseAway: {
    code: 2400,
    kind: 'unavailable',
    text: 'The registry cannot reach its database; try again',
    when: 'the database cannot be reached',
  },
  clockWrong: {
    code: 2400,
    kind: 'unavailable',
    text: 'The registry does not know what time it is; try again',
    when: 'the clocks of this server and of its database disagree',
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

/** Throws when there is anything to throw. */
export function refuseAll([first, ...rest]: readonly Refusal[]): void {
  if (first) throw new Refused(first, ...rest);
}
