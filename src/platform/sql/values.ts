import type { CustomTypesConfig } from 'pg';

export type Encoded = string | Buffer | null;

/** Sent as jsonb, even if it is an array or a text, which would otherwise be sent as such. */
export class Json {
  readonly text: string;
  constructor(value: unknown) {
    this.text = JSON.stringify(value);
  }
}

/** The wire format of a value: text, except for bytes. */
export function encode(value: unknown): Encoded {
  if (value === null) return null;
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'object':
      return encodeObject(value);
    default:
      throw new TypeError(`a value of a statement is ${typeof value}`);
  }
}

function encodeObject(value: object): string | Buffer {
  if (value instanceof Json) return value.text;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (Array.isArray(value)) return `{${value.map(encodeElement).join()}}`;
  return JSON.stringify(value);
}

function encodeElement(element: unknown): string {
  if (typeof element === 'string') return quoted(element);
  if (element === null) return 'null';
  if (Array.isArray(element)) return `{${element.map(encodeElement).join()}}`;
  const encoded = encode(element);
  return quoted(Buffer.isBuffer(encoded) ? `\\x${encoded.toString('hex')}` : String(encoded));
}

const SPECIAL = /["\\]/;
const quoted = (text: string): string =>
  SPECIAL.test(text) ? `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"` : `"${text}"`;

/** The cast behind a placeholder, which gives the server a type where the context does not. */
export function castOf(value: unknown): string {
  switch (typeof value) {
    case 'boolean':
      return '::boolean';
    case 'bigint':
      return '::bigint';
    case 'object':
      if (value instanceof Date) return '::timestamptz';
      if (value instanceof Json) return '::jsonb';
      return value instanceof Uint8Array ? '::bytea' : '';
    default:
      return '';
  }
}

export type Parse = (text: string) => unknown;

/** Cents and identifiers are exact; an unsafe integer is an error. */
function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is beyond exact numbers`);
  return value;
}

const same: Parse = (text) => text;
const date: Parse = (text) => new Date(text);
const bytes: Parse = (text) => Buffer.from(text.slice(2), 'hex');
const parsed: Parse = (text) => JSON.parse(text);

/** Scalar types by OID, each with the OID of its array. Others stay text. */
const SCALARS: readonly (readonly [scalar: number, array: number, parse: Parse])[] = [
  [16, 1000, (text) => text === 't'], // boolean
  [17, 1001, bytes],
  [19, 1003, same], // name
  [20, 1016, wholeNumber], // bigint
  [21, 1005, Number], // smallint
  [23, 1007, Number], // integer
  [25, 1009, same], // text
  [26, 1028, Number], // oid
  [114, 199, parsed], // json
  [650, 651, same], // cidr
  [700, 1021, Number], // real
  [701, 1022, Number], // double precision
  [869, 1041, same], // inet
  [1042, 1014, same], // character
  [1043, 1015, same], // character varying
  [1082, 1182, date],
  [1114, 1115, date], // timestamp
  [1184, 1185, date], // timestamptz
  [1700, 1231, same], // numeric: as text, since a number would round it
  [2950, 2951, same], // uuid
  [3802, 3807, parsed], // jsonb
];

const PARSERS = new Map<number, Parse>(
  SCALARS.flatMap(([scalar, array, parse]): [number, Parse][] => [
    [scalar, parse],
    [array, (text) => parseArray(text, parse)],
  ]),
);

/** The parser of a type, by OID. */
export const parserOf = (type: number): Parse => PARSERS.get(type) ?? same;

/** The same for answers that the driver parses itself. */
export const parsers = { getTypeParser: parserOf } as CustomTypesConfig;

/** Reads an array in PostgreSQL's format: {1,NULL,"a \"b\""}, nested or with bounds in front. */
function parseArray(text: string, parse: Parse): unknown[] {
  let at = text.indexOf('{');
  const readList = (): unknown[] => {
    const items: unknown[] = [];
    at += 1;
    while (text[at] !== '}') {
      if (text[at] === ',') at += 1;
      else if (text[at] === '{') items.push(readList());
      else items.push(text[at] === '"' ? parse(readQuoted()) : readPlain());
    }
    at += 1;
    return items;
  };
  const readQuoted = (): string => {
    let item = '';
    for (at += 1; text[at] !== '"'; at++) {
      if (text[at] === '\\') at += 1;
      item += text[at];
    }
    at += 1;
    return item;
  };
  const readPlain = (): unknown => {
    const from = at;
    while (text[at] !== ',' && text[at] !== '}') at += 1;
    const item = text.slice(from, at);
    return item === 'NULL' ? null : parse(item);
  };
  return readList();
}
