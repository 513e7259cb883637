import fc from 'fast-check';

/** A request as it is put on the wire, and whose it is. */
export type FuzzRequest = {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | undefined;
  readonly caller: Caller;
};
export type Caller = 'alpha' | 'beta' | 'other';

const API = '/registry/v1';
export const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString('base64')}`;
export const WRONG_PASSWORD = 'guessed-and-wrong-password';

/** Codes that exist before the run; the others are made and removed by the run itself. */
export const alphaCodes = ['fuzz-alpha-1', 'fuzz-alpha-2', 'FUZZ:Alpha.3'];
export const betaCodes = ['fuzz-beta-1', 'fuzz-beta-2'];

const NUL = '\u0000';
const LONE_SURROGATE = '\ud800';
const strangeText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.constantFrom(
    '',
    ' ',
    NUL,
    `a${NUL}b`,
    LONE_SURROGATE,
    `${LONE_SURROGATE}x`,
    '__proto__',
    'constructor',
    '0',
    '-1',
  ),
  fc.constantFrom(
    'true',
    'null',
    '1e309',
    '<b>',
    "' or 1=1 --",
    '\u202e',
    '\ufeff',
    'İ'.repeat(255),
    'x'.repeat(256),
  ),
  fc.integer({ min: 1, max: 60_000 }).map((length) => 'õ'.repeat(length)),
);
const DEEP = 100_000;
const deep = fc.constantFrom('DEEP-LIST', 'DEEP-OBJECT');
const junk = fc.oneof(
  { weight: 6, arbitrary: strangeText },
  { weight: 4, arbitrary: fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }) },
  { weight: 1, arbitrary: deep },
);
const mostly = <T>(valid: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 5, arbitrary: valid as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: junk });

const code = fc.oneof(
  fc.constantFrom(...alphaCodes, ...betaCodes),
  fc.integer({ min: 1, max: 30 }).map((n) => `fuzz-made-${n}`),
);
const ident = fc.record(
  {
    ident: mostly(fc.constantFrom('60001019906', '12345678', '1990-01-31')),
    ident_type: mostly(fc.constantFrom('priv', 'org', 'birthday')),
    ident_country_code: mostly(fc.constantFrom('EE', 'fi', 'US')),
  },
  { requiredKeys: [] },
);
const contact = fc.record(
  {
    id: mostly(code),
    name: mostly(fc.constantFrom('Mari Maasikas', 'Ühing 1', 'Šarlote Žukova')),
    email: mostly(fc.constantFrom('mari@example.ee', 'õun@näide.ee')),
    phone: mostly(fc.constantFrom('+372.5551234', '+1.1')),
    ident: mostly(ident),
    PROTO: junk,
    surplus: junk,
  },
  { requiredKeys: ['name', 'email', 'phone'] },
);
const whole = fc.record({
  name: fc.constant('Mari Maasikas'),
  email: fc.constant('mari@example.ee'),
  phone: fc.constant('+372.5551234'),
  ident: fc.constant({ ident: '60001019906', ident_type: 'priv', ident_country_code: 'EE' }),
});
const value = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ contact: mostly(contact), more: junk }, { requiredKeys: ['contact'] }),
  },
  { weight: 6, arbitrary: fc.tuple(whole, code).map(([rest, id]) => ({ contact: { id, ...rest } })) },
  { weight: 3, arbitrary: whole.map((contact) => ({ contact })) },
  { weight: 2, arbitrary: fc.record({ contact: fc.record({ phone: fc.constant('+372.7') }) }) },
  { weight: 2, arbitrary: junk },
);

/** Keys and depths that JSON.stringify would not write stand for themselves until here. */
function toJson(value: unknown): string {
  return (JSON.stringify(value) ?? 'null')
    .replaceAll('"PROTO":', '"__proto__":')
    .replaceAll('"DEEP-LIST"', `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`)
    .replaceAll('"DEEP-OBJECT"', `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`);
}
const body = fc.oneof(
  { weight: 12, arbitrary: value.map(toJson) },
  { weight: 1, arbitrary: value.map((item) => toJson(item).slice(0, -1)) },
  { weight: 1, arbitrary: strangeText },
);

const escaped = fc.oneof(
  strangeText.map((text) => encodeURIComponent(text.toWellFormed()).slice(0, 3000)),
  fc.constantFrom(
    '%00',
    '%zz',
    '%ff',
    '%ed%a0%80',
    '..%2f..',
    '%2e%2e',
    'a%2fb',
    '%',
    '+',
    'a'.repeat(1100),
    'check',
  ),
);
const pathCode = fc.oneof({ weight: 6, arbitrary: code }, { weight: 1, arbitrary: escaped });
const one = pathCode.map((id) => `/contacts/${id}`);
const call = (method: string, path: fc.Arbitrary<string>) => fc.record({ method: fc.constant(method), path });
/** Mostly calls that exist; the others are about paths and methods that do not go together. */
const calls = fc.oneof(
  { weight: 3, arbitrary: call('GET', fc.constant('/contacts')) },
  { weight: 8, arbitrary: call('POST', fc.constant('/contacts')) },
  {
    weight: 2,
    arbitrary: call(
      'GET',
      pathCode.map((id) => `/contacts/check/${id}`),
    ),
  },
  { weight: 4, arbitrary: call('GET', one) },
  { weight: 6, arbitrary: call('PUT', one) },
  { weight: 3, arbitrary: call('DELETE', one) },
  {
    weight: 2,
    arbitrary: fc.record({
      method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'),
      path: fc.oneof(
        fc.constant('/contacts'),
        one,
        escaped.map((text) => `/${text}`),
      ),
    }),
  },
);
const pair = fc.oneof(
  fc.constantFrom(
    'limit=5',
    'limit=0',
    'limit=1001',
    'offset=2',
    'offset=-1',
    'q=FUZZ',
    'details=true',
    'simple=true',
  ),
  fc.constantFrom(
    'sort=-name',
    'sort=name',
    'limit=1&limit=2',
    'q[]=a',
    '__proto__=1',
    'details=1',
    'offset=9999999999',
  ),
  fc
    .tuple(fc.oneof(fc.constantFrom('q', 'limit', 'sort', 'offset', 'details'), escaped), escaped)
    .map((both) => both.join('=')),
);
const query = fc.oneof(
  { weight: 6, arbitrary: fc.constant('') },
  {
    weight: 1,
    arbitrary: fc.array(pair, { minLength: 1, maxLength: 4 }).map((pairs) => `?${pairs.join('&')}`),
  },
);

const headerText = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((n) => n !== 0x7f)
    .map((n) => String.fromCharCode(n)),
  maxLength: 300,
});
const header = (name: string, ...values: string[]) =>
  fc
    .oneof({ weight: 5, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: headerText })
    .map((text) => [name, text] as const);
const someHeaders = fc.array(
  fc.oneof(
    header('Idempotency-Key', 'fuzz-key-1', 'fuzz-key-2', '', 'k'.repeat(255), 'k'.repeat(256), 'võti'),
    header('Dry-Run', 'true', 'false', 'TRUE', '1', ''),
    header('Accept', 'application/json', '*/*', 'text/html', 'application/json;q=0', ',;=', ''),
    header('X-Request-Id', 'mine-1', 'a'.repeat(128), 'a'.repeat(129), 'two words', ''),
    header('Expect', '100-continue', 'miracles'),
    header('Content-Encoding', 'gzip', 'identity'),
    header('X-Forwarded-For', '10.0.0.1', 'nobody'),
    header('X-HTTP-Method-Override', 'DELETE'),
  ),
  { maxLength: 4 },
);
const contentType = fc.oneof(
  { weight: 12, arbitrary: fc.constant('application/json') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'application/json; charset=utf-8',
      'text/plain',
      'message/coffeepot',
      '',
      ';',
      'application/json, text/html',
    ),
  },
  { weight: 1, arbitrary: headerText },
);
const credentials: fc.Arbitrary<{ caller: Caller; authorization: string | undefined }> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.constant({
      caller: 'alpha' as const,
      authorization: basic('alpha:alpha-sandbox-password'),
    }),
  },
  {
    weight: 20,
    arbitrary: fc.constant({ caller: 'beta' as const, authorization: basic('beta:beta-sandbox-password') }),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(
        basic('poor:poor-sandbox-password'),
        basic('alpha-billing:alpha-billing-sandbox-password'),
      )
      .map(asOther),
  },
  // A full verification is slow on purpose, so few requests ask for one.
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(basic(`alpha:${WRONG_PASSWORD}`), basic(`nobody:${WRONG_PASSWORD}`))
      .map(asOther),
  },
  {
    weight: 2,
    arbitrary: fc
      .oneof(fc.constantFrom(undefined, '', 'Basic', 'Bearer x', 'Basic YQ==', 'Basic 4pyT'), headerText)
      .map(asOther),
  },
);
function asOther(authorization: string | undefined) {
  return { caller: 'other' as const, authorization };
}

export const request: fc.Arbitrary<FuzzRequest> = fc
  .record({
    call: calls,
    query,
    headers: someHeaders,
    contentType: fc.option(contentType, { nil: undefined, freq: 10 }),
    body: fc.option(body, { nil: undefined, freq: 8 }),
    credentials,
  })
  .map(
    ({
      call: { method, path },
      query,
      headers,
      contentType,
      body,
      credentials: { caller, authorization },
    }) => ({
      method,
      target: `${API}${path}${query}`,
      headers: [
        ...headers,
        ...(authorization === undefined ? [] : [['Authorization', authorization] as const]),
        ...(contentType === undefined || body === undefined ? [] : [['Content-Type', contentType] as const]),
      ],
      body: isBare(method, contentType) ? undefined : body,
      caller,
    }),
  );

/** A reading has no body, and a deletion seldom. */
const isBare = (method: string, contentType: string | undefined) =>
  method === 'GET' || (method === 'DELETE' && contentType === 'application/json');

/** The bytes of a request that ends with its answer. */
export function toBytes({ method, target, headers, body }: FuzzRequest): Buffer {
  const payload = Buffer.from(body ?? '');
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    ...headers.map(([name, text]) => `${name}: ${text}`),
    ...(body === undefined ? [] : [`Content-Length: ${payload.length}`]),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), payload]);
}
