import fc from 'fast-check';
import { basic } from './any-request.ts';

/** What is sent, piece by piece, and the call it began as. */
export type Broken = {
  readonly kind: string;
  readonly method: string;
  readonly target: string;
  readonly pieces: readonly Buffer[];
};

const TARGET = '/registry/v1/contacts';
const BODY = JSON.stringify({ contact: { name: 'Mari' } });
const HEAD = [
  'Host: localhost',
  'Connection: close',
  `Authorization: ${basic('alpha:alpha-sandbox-password')}`,
  'Content-Type: application/json',
];

const bytes = (text: string) => Buffer.from(text, 'latin1');
const message = (line: string, headers: readonly string[], body = '') =>
  bytes(`${[line, ...headers].join('\r\n')}\r\n\r\n${body}`);
const post = (headers: readonly string[], body = BODY, line = `POST ${TARGET} HTTP/1.1`) =>
  message(line, [...HEAD, ...headers], body);
const broken = (kind: string, piece: fc.Arbitrary<Buffer>): fc.Arbitrary<Broken> =>
  piece.map((only) => {
    const line = only.toString('latin1', 0, 5);
    // Methods are told apart by case: the document has no `post`.
    const unknown = line.startsWith('post ') ? 'UNKNOWN' : undefined;
    const method = unknown ?? /^(?:GET|BREW)(?= )/.exec(line)?.[0] ?? 'POST';
    return { kind, method, target: TARGET, pieces: [only] };
  });

const randomBytes = fc.uint8Array({ minLength: 1, maxLength: 400 }).map((array) => Buffer.from(array));
const framing = fc.constantFrom(
  post(['Content-Length: -1']),
  post(['Content-Length: 1, 2']),
  post(['Content-Length: 18446744073709551616']),
  post([`Content-Length: ${BODY.length}`, 'Content-Length: 3']),
  post([`Content-Length: ${BODY.length}`, 'Transfer-Encoding: chunked'], `5\r\n${BODY}\r\n0\r\n\r\n`),
  post(['Content-Length: 99999']),
  post(['Content-Length: 2']),
  post(['Transfer-Encoding: chunked'], 'zz\r\nabc\r\n0\r\n\r\n'),
  post(['Transfer-Encoding: chunked'], `ffffffffffffffff\r\n${BODY}`),
  post(['Transfer-Encoding: chunked'], `${BODY.length.toString(16)}\r\n${BODY}`),
  post(
    ['Transfer-Encoding: chunked'],
    `${BODY.length.toString(16)};x=${'y'.repeat(20_000)}\r\n${BODY}\r\n0\r\n\r\n`,
  ),
  post(['Transfer-Encoding: gzip, chunked'], '0\r\n\r\n'),
  post(['Transfer-Encoding: sideways']),
);
const lines = fc.constantFrom(
  post([], '', `POST ${TARGET}`),
  post([], '', `POST ${TARGET} HTTP/9.9`),
  post([], '', `POST  ${TARGET} HTTP/1.1`),
  post([], '', `post ${TARGET} HTTP/1.1`),
  post([], '', `BREW ${TARGET} HTTP/1.1`),
  post([], '', `POST ${TARGET}\u0000 HTTP/1.1`),
  post([], '', `POST ${TARGET}/${'a'.repeat(70_000)} HTTP/1.1`),
  message(`GET ${TARGET} HTTP/1.1`, HEAD.slice(1)),
  message(`GET ${TARGET} HTTP/1.1`, [...HEAD, 'Host: other']),
  message(`GET ${TARGET} HTTP/1.0`, HEAD.slice(1)),
  message(`CONNECT ${TARGET} HTTP/1.1`, HEAD),
  message(`GET ${TARGET} HTTP/1.1`, [...HEAD, 'Upgrade: h2c', 'Connection: Upgrade']),
  bytes('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  bytes('\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003'),
);
const headerLines = fc.oneof(
  fc
    .constantFrom('No colon', ': no name', 'Bad name: x', 'X: a\u0000b', ' folded: x', 'X: a\rb', 'X: a\nb')
    .map((line) => post([line])),
  fc
    .integer({ min: 100, max: 5000 })
    .map((count) => post(Array.from({ length: count }, (_, n) => `X-${n}: ${n}`))),
  fc.integer({ min: 1000, max: 100_000 }).map((length) => post([`X-Long: ${'a'.repeat(length)}`])),
  fc
    .uint8Array({ maxLength: 60 })
    .map((array) => post([`X-Bytes: ${Buffer.from(array).toString('latin1')}`])),
);
/** One byte of a valid request, after its first line, is changed. */
const flipped = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })).map(([place, byte]) => {
  const good = post([`Content-Length: ${BODY.length}`]);
  const first = good.indexOf('\r\n');
  good[first + (place % (good.length - first))] = byte;
  return good;
});
const cutShort = fc.nat().map((place) => {
  const good = post([`Content-Length: ${BODY.length}`]);
  return good.subarray(0, 1 + (place % (good.length - 1)));
});
const slow: fc.Arbitrary<Broken> = fc.array(fc.nat(), { minLength: 1, maxLength: 4 }).map((places) => {
  const good = message(`GET ${TARGET} HTTP/1.1`, HEAD);
  const cuts = [
    0,
    ...places.map((place) => place % good.length).sort((one, other) => one - other),
    good.length,
  ];
  const pieces = cuts.slice(1).map((cut, index) => good.subarray(cuts[index], cut));
  return { kind: 'slow', method: 'GET', target: TARGET, pieces };
});

export const brokenBytes: fc.Arbitrary<Broken> = fc.oneof(
  broken('random bytes', randomBytes),
  broken('framing', framing),
  broken('first line', lines),
  broken('header lines', headerLines),
  broken('one byte changed', flipped),
  broken('cut short', cutShort),
  slow,
);
