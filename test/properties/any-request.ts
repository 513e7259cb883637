import fc from 'fast-check';
import { headerText, strangeText, toJson } from './strange-values.ts';

/** A request as it is sent, and its caller. */
export type FuzzRequest = {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | undefined;
  readonly caller: Caller;
};
export type Caller = 'alpha' | 'beta' | 'other';

const API = '/registry/v1';
/** One call: mostly an existing one, with a mostly valid body. */
export type Call = { readonly method: string; readonly path: string; readonly value: unknown };

export const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString('base64')}`;
export const WRONG_PASSWORD = 'guessed-and-wrong-password';

type Header = readonly [string, string];
export const header = (name: string, ...values: string[]) =>
  fc
    .oneof({ weight: 5, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: headerText })
    .map((text) => [name, text] as const);
const everyHeader = [
  header('Idempotency-Key', 'fuzz-key-1', 'fuzz-key-2', '', 'k'.repeat(255), 'k'.repeat(256), 'võti'),
  header('Dry-Run', 'true', 'false', 'TRUE', '1', ''),
  header('Accept', 'application/json', '*/*', 'text/html', 'application/json;q=0', ',;=', ''),
  header('X-Request-Id', 'mine-1', 'a'.repeat(128), 'a'.repeat(129), 'two words', ''),
  header('Expect', '100-continue', 'miracles'),
  header('Content-Encoding', 'gzip', 'identity'),
  header('X-Forwarded-For', '10.0.0.1', 'nobody'),
  header('X-HTTP-Method-Override', 'DELETE'),
];
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

const bodyOf = (value: unknown): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constant(value).map(toJson) },
    { weight: 1, arbitrary: fc.constant(value).map((item) => toJson(item).slice(0, -1)) },
    { weight: 1, arbitrary: strangeText },
  );

type Parts = {
  readonly calls: fc.Arbitrary<Call>;
  readonly pair: fc.Arbitrary<string>;
  readonly headers?: readonly fc.Arbitrary<Header>[];
};

/** Requests of these calls, with queries, headers and callers of all kinds. CALLER in a path or body stands for who sends it. */
export function requestsOf({ calls, pair, headers = [] }: Parts): fc.Arbitrary<FuzzRequest> {
  const query = fc.oneof(
    { weight: 6, arbitrary: fc.constant('') },
    {
      weight: 1,
      arbitrary: fc.array(pair, { minLength: 1, maxLength: 4 }).map((pairs) => `?${pairs.join('&')}`),
    },
  );
  return fc
    .record({
      call: calls.chain((call) => bodyOf(call.value).map((body) => ({ ...call, body }))),
      query,
      headers: fc.oneof(
        { weight: 3, arbitrary: fc.constant([]) },
        { weight: 2, arbitrary: fc.array(fc.oneof(...everyHeader, ...headers), { maxLength: 4 }) },
      ),
      contentType: fc.option(contentType, { nil: undefined, freq: 10 }),
      credentials,
    })
    .map(toRequest);
}

function toRequest({
  call: { method, path, value, body },
  query,
  headers,
  contentType,
  credentials: { caller, authorization },
}: {
  readonly call: Call & { readonly body: string };
  readonly query: string;
  readonly headers: readonly Header[];
  readonly contentType: string | undefined;
  readonly credentials: { readonly caller: Caller; readonly authorization: string | undefined };
}): FuzzRequest {
  const sent = value === undefined || method === 'GET' ? undefined : body.replaceAll('CALLER', caller);
  return {
    method,
    target: `${API}${path.replaceAll('CALLER', caller)}${query}`,
    headers: [
      ...headers,
      ...(authorization === undefined ? [] : [['Authorization', authorization] as const]),
      ...(contentType === undefined || sent === undefined ? [] : [['Content-Type', contentType] as const]),
    ],
    body: sent,
    caller,
  };
}

/** A call with a body, or with none where it takes none. */
export const call = (
  method: string,
  path: fc.Arbitrary<string>,
  value: fc.Arbitrary<unknown> = fc.constant(undefined),
): fc.Arbitrary<Call> => fc.record({ method: fc.constant(method), path, value });

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
