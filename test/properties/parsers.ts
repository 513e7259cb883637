import type { FastifyRequest } from 'fastify';
import { readMessage } from '../../src/doors/dns/message-reader.ts';
import { parseXml } from '../../src/doors/epp/xml/parse.ts';
import { FormFields } from '../../src/doors/html/form-fields.ts';
import { fingerprintReader } from '../../src/doors/http/client-certificate.ts';
import { readCsv } from '../../src/doors/http/csv.ts';
import { parseJsonBody } from '../../src/doors/http/json-body.ts';
import { parseProxyHeader } from '../../src/doors/proxy-protocol.ts';
import {
  MAX_FORM_BYTES,
  parseFormBody,
} from '../../src/doors/registrar-api/compatibility/parse-form-body.ts';
import { MAX_QUERY_BYTES } from '../../src/doors/whois/answer-query.ts';
import { readRequest } from '../../src/platform/certificates/certificate-request.ts';
import { ee } from '../../src/policy/ee.ts';
import { parseDomainName } from '../../src/registry/names/name.ts';
import { LIMITS, type Parser } from './linear-work.ts';

const MIB = 1024 * 1024;
const BARE = ['', ''] as const;
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

const FORM_PIECES = [
  'a',
  '&',
  '=',
  '%',
  '+',
  '%41',
  '%C3',
  '%ZZ',
  '%00',
  ';',
  'é',
  'a=b&',
  'a[]=',
  '[',
  ']',
  '[a]',
];
const readCertificateHeader = fingerprintReader({
  certificates: 'proxy',
  certificateHeader: 'client-cert',
  trustedProxies: ['10.0.0.1/32'],
});

export const parsers: readonly Parser[] = [
  {
    ...LIMITS,
    name: 'a form of the console',
    maxLength: MIB,
    pieces: FORM_PIECES,
    frames: [BARE, ['a=', '']],
    parse: (text) => FormFields.parse(text, 1_100),
  },
  {
    ...LIMITS,
    name: 'a form of the compatibility profile',
    maxLength: MAX_FORM_BYTES,
    pieces: FORM_PIECES,
    frames: [BARE, ['domain[', ']=a']],
    parse: (text) => parseFormBody(Buffer.from(text)),
  },
  {
    ...LIMITS,
    name: 'a JSON body',
    maxLength: MIB,
    pieces: [
      '{',
      '}',
      '[',
      ']',
      '"',
      ':',
      ',',
      '\\',
      '\\u0000',
      '\\ud800',
      'a',
      '1',
      'e',
      ' ',
      '"a":',
      '[],',
      '{"a":',
      '"",',
    ],
    frames: [BARE, ['[', '1]'], ['["', '"]'], ['{"a":[', '1]}']],
    parse: (text) => parseJsonBody('application/json', Buffer.from(text)),
  },
  {
    ...LIMITS,
    name: 'a frame of EPP',
    maxLength: 65_536,
    pieces: [
      '<',
      '>',
      '<a>',
      '</a>',
      '<a/>',
      '<!--',
      '-->',
      '-',
      '<?',
      '?>',
      '?',
      '&',
      ';',
      '&lt;',
      '&#65;',
      '<![CDATA[',
      ']]>',
      ']',
      '"',
      "'",
      '=',
      ' a="',
      ' ',
      '\n',
      '\r',
      'x',
      'xmlns:a="b" ',
      ':',
    ],
    frames: [
      BARE,
      ['<a>', '</a>'],
      ['<a b="', '"/>'],
      ['<a ', '/>'],
      ['<a><!--', '--></a>'],
      ['<a><?x ', '?></a>'],
      ['<a><![CDATA[', ']]></a>'],
      ['<!DOCTYPE a [', ']><a/>'],
    ],
    parse: (text) => parseXml(Buffer.from(text)),
  },
  {
    ...LIMITS,
    name: 'a message of DNS',
    maxLength: 65_535,
    pieces: [
      '\x00',
      '\x01a',
      '\xc0\x0c',
      '\xc0\x0e',
      '\xc0\x10',
      '\xff',
      `\x3f${'a'.repeat(63)}`,
      `\x3f${'\0'.repeat(63)}`,
      '\x00\x00\x06\x00\x01',
      '\x40',
    ],
    frames: [0, 1, 12, 65_535].map((records) => [dnsHeader(records), ''] as const),
    parse: (text) => readMessage(latin1(text), 12),
  },
  {
    ...LIMITS,
    // A name is at most 253 characters, whose rules are many.
    maxStepsPerCharacter: 300,
    name: 'a name, as in a line of WHOIS and a path of RDAP',
    maxLength: MAX_QUERY_BYTES,
    pieces: ['a', '.', '-', 'xn--', 'õ', '\u0301', ' ', '。', '1', 'ß', '\u200d', 'א', '.ee', 'A'],
    frames: [BARE, ['', '.ee'], ['xn--', '.ee']],
    parse: (text) => parseDomainName(text, ee),
  },
  {
    ...LIMITS,
    // Every byte may arrive alone.
    maxStepsPerCharacter: 60,
    name: 'a header of the PROXY protocol, byte by byte',
    maxLength: 2_064,
    pieces: ['\x00', '\xff', '\x21', '\x11', '\r\n'],
    frames: [
      BARE,
      [proxyHeader('\x21\x11'), ''],
      [proxyHeader('\x21\x21'), ''],
      [proxyHeader('\x20\x00'), ''],
    ],
    parse: (text) => {
      const bytes = latin1(text);
      for (let length = 1; length <= bytes.length; length += 1)
        if (parseProxyHeader(bytes.subarray(0, length))) return;
    },
  },
  {
    ...LIMITS,
    name: 'a CSV file',
    maxLength: MIB,
    pieces: ['a', ',', ';', '\t', '"', '""', '\n', '\r', ' ', "'", '='],
    frames: [BARE, ['a', ''], ['"', '"'], ['a,"', '']],
    parse: (text) => {
      for (const _row of readCsv(text));
    },
  },
  {
    ...LIMITS,
    // Its ASN.1 is read by a package.
    maxStepsPerCharacter: 3_000,
    name: 'a certificate request',
    maxLength: 10_000,
    pieces: [
      '-',
      '-----BEGIN CERTIFICATE REQUEST-----\n',
      '-----END CERTIFICATE REQUEST-----\n',
      'A',
      '=',
      '\n',
      ' ',
      'MAAA',
      'MIAw',
      'AAAA',
      'BgYG',
      ':',
    ],
    frames: [
      BARE,
      ['-----BEGIN CERTIFICATE REQUEST-----\n', '\n-----END CERTIFICATE REQUEST-----\n'],
      ['-----BEGIN CERTIFICATE REQUEST-----\nMIIY', '\n-----END CERTIFICATE REQUEST-----\n'],
    ],
    parse: readRequest,
  },
  {
    ...LIMITS,
    name: 'a certificate in a header',
    maxLength: 16_384,
    pieces: [
      '-',
      '-----BEGIN CERTIFICATE-----',
      '-----END CERTIFICATE-----',
      'A',
      '=',
      ' ',
      '%0A',
      '%',
      '%41',
      'MAAA',
      'MIAw',
      ':',
    ],
    frames: [BARE, ['-----BEGIN CERTIFICATE----- ', ' -----END CERTIFICATE-----'], [':', ':']],
    parse: (text) =>
      readCertificateHeader({
        raw: { socket: { remoteAddress: '10.0.0.1' }, headers: { 'client-cert': text } },
      } as unknown as FastifyRequest),
  },
];

function dnsHeader(records: number): string {
  const header = Buffer.alloc(12);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records, 10);
  return header.toString('latin1');
}

function proxyHeader(kind: string): string {
  return `\r\n\r\n\0\r\nQUIT\n${kind}\x08\x00`;
}
