import { PORTAL_API } from '../support/portal.ts';
import { exchange } from '../support/raw-http.ts';
import type { Parser } from './linear-work.ts';

type Request = {
  readonly line: string;
  readonly headers?: readonly string[];
  readonly body?: string;
};

const ALPHA = `Authorization: Basic ${Buffer.from('alpha:alpha-sandbox-password').toString('base64')}`;
const PORTAL = 'Authorization: Bearer portal-sandbox-token';
/** Below the limit of a head with its other lines. */
const MAX_HEAD_LENGTH = 7_600;
const MAX_BODY_LENGTH = 1_000_000;
const BARE = ['', ''] as const;

const HEADERS = [
  'Accept',
  'Accept-Encoding',
  'Accept-Language',
  'Authorization',
  'Content-Type',
  'Cookie',
  'Dry-Run',
  'Forwarded',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Origin',
  'Range',
  'Traceparent',
  'X-Forwarded-For',
  'X-Request-Id',
];
const HEADER_PIECES = [
  'a',
  ' ',
  '\t',
  ',',
  ';',
  '=',
  ':',
  '"',
  '\\',
  '/',
  '*',
  '%',
  '%41',
  'é',
  '1',
  '.',
  '-',
  'q=0,',
  '__Host-console=a;',
  'Basic ',
];
const QUERY_PIECES = ['a', '&', '=', '%', '+', '%41', '%C3', '%ZZ', ';', '[', ']', 'a=b&', '?', '/', '.'];
const BODY_PIECES = ['"a":1,', '"a":{},', '"a":" ",', '"domain":{"name":"a.ee"},', '"names":[],'];

/** What is in a request, through the whole product: the address is known once it is started. */
export const requestParsers = (url: () => string): readonly Parser[] => {
  const parserOf = (
    name: string,
    limits: Pick<Parser, 'maxLength' | 'pieces' | 'frames'>,
    requestOf: (text: string) => Request,
  ): Parser => ({
    ...limits,
    name,
    // Its answer, the database and what the product does meanwhile are in it.
    maxStepsPerCharacter: 100,
    maxStepsAtAll: 300_000,
    parse: (text) => send(Number(new URL(url()).port), requestOf(text)),
  });
  const head = { maxLength: MAX_HEAD_LENGTH, frames: [BARE] };
  const body = {
    maxLength: MAX_BODY_LENGTH,
    pieces: BODY_PIECES,
    frames: [
      ['{', '"b":1}'],
      ['{"data":{', '"b":1}}'],
    ] as const,
  };
  return [
    ...HEADERS.map((header) =>
      parserOf(`the header ${header}`, { ...head, pieces: HEADER_PIECES }, (text) => ({
        line: 'GET /console/domains',
        headers: [`${header}: ${text}`],
      })),
    ),
    ...['/registry/v1/domains', '/lookup', '/console/login', '/rdap/domain/a.ee'].map((path) =>
      parserOf(`the query of ${path}`, { ...head, pieces: QUERY_PIECES }, (text) => ({
        line: `GET ${path}?${text}`,
        headers: [ALPHA],
      })),
    ),
    ...['/rdap/domain/', '/lookup/', '/registry/v1/domains/', '/'].map((path) =>
      parserOf(
        `the path behind ${path}`,
        { ...head, pieces: QUERY_PIECES.filter((piece) => piece !== '?') },
        (text) => ({
          line: `GET ${path}${text}`,
          headers: [ALPHA],
        }),
      ),
    ),
    parserOf(
      'many headers',
      {
        ...head,
        pieces: ['a:\r\n', 'a: b\r\n', 'Cookie: a\r\n', 'Accept: a\r\n', 'X-Forwarded-For: 10.0.0.1\r\n'],
      },
      (text) => ({
        line: 'GET /console/domains',
        headers: [text.slice(0, -2)],
      }),
    ),
    parserOf('a body of the registrar API', body, (text) => ({
      line: 'POST /registry/v1/domains',
      headers: [ALPHA],
      body: uniqueMembers(text),
    })),
    parserOf('a body of the reservation API', body, (text) => ({
      line: `POST ${PORTAL_API}/long_reserve_domains`,
      headers: [PORTAL],
      body: uniqueMembers(text),
    })),
  ];
};

/** Members of one name would replace each other. */
function uniqueMembers(text: string): string {
  let count = 0;
  return text.replaceAll('"a"', () => {
    count += 1;
    return `"${count}"`;
  });
}

async function send(port: number, { line, headers = [], body }: Request): Promise<void> {
  const content =
    body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`];
  const lines = [`${line} HTTP/1.1`, 'Host: a', 'Connection: close', ...content, ...headers];
  await exchange(port, [Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`, 'latin1')], {
    silenceMs: 20_000,
  });
}
