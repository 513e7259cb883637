import { type Refusal, Refused } from '../../operations/refusal.ts';
import { mediaType } from './negotiation.ts';
import { refusal, refuse } from './request-refusals.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });
/** Escapes that JSON allows but PostgreSQL or UTF-8 cannot store: NUL and (possibly unpaired) surrogates. */
const SUSPICIOUS_ESCAPE = /\\u(?:0000|d[89a-f])/i;

/** The largest list of any call has 10,000 names. */
export const MAX_VALUES = 25_000;

/**
 * Parses a JSON body. Empty content is no body, whatever type is declared; a missing type means JSON. Values are counted
 * before they are made: an object of a hundred thousand members takes longer to make than a hundred calls.
 */
export function parseJsonBody(
  contentType: string | undefined,
  bytes: Buffer,
  maxValues = MAX_VALUES,
): unknown {
  if (bytes.length === 0) return undefined;
  const type = mediaType(contentType);
  if (type !== undefined && type !== 'application/json') refuse('otherFormat');
  const { values, depth } = sizeOf(bytes);
  if (depth > MAX_DEPTH) refuse('malformedJson');
  if (values > maxValues) refuse('tooManyValues', { most: maxValues });
  let text: string;
  let body: unknown;
  try {
    text = utf8.decode(bytes);
    body = JSON.parse(text);
  } catch {
    return refuse('malformedJson');
  }
  if (SUSPICIOUS_ESCAPE.test(text)) requireStorable(body);
  return body;
}

/** Deeper than any valid body; deeper nesting could overflow the stack. */
const MAX_DEPTH = 32;

const [QUOTATION_MARK, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPENING_BRACKET, CLOSING_BRACKET, OPENING_BRACE, CLOSING_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];
const SPACE = 0x20;

/** The number of values of all kinds and the depth of their nesting, if the bytes are valid JSON. */
function sizeOf(bytes: Buffer): { readonly values: number; readonly depth: number } {
  let [values, depth, deepest] = [1, 0, 0];
  // An object or list has one value more than commas, unless it is empty.
  let isBegun = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte <= SPACE) continue;
    if (byte === CLOSING_BRACKET || byte === CLOSING_BRACE) depth -= 1;
    else if (isBegun || byte === COMMA) values += 1;
    isBegun = byte === OPENING_BRACKET || byte === OPENING_BRACE;
    if (isBegun) {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (byte === QUOTATION_MARK) at = endOfText(bytes, at);
  }
  return { values, depth: deepest };
}

/** The quotation mark that ends the text which begins at `from`, if it comes before the end. */
export function endOfText(bytes: Buffer, from: number, end = bytes.length): number {
  let at = from + 1;
  while (at < end && bytes[at] !== QUOTATION_MARK) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

export function requireStorable(body: unknown): void {
  const found = unstorableTexts(body, '');
  if (found[0]) throw new Refused(found[0], found.slice(1));
}

function unstorableTexts(value: unknown, field: string): Refusal[] {
  if (typeof value === 'string')
    return isStorable(value) ? [] : [refusal('unprintableText', { field: field || 'body' })];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => {
    if (!isStorable(name)) return [refusal('unprintableText', { field: field || 'body' })];
    return unstorableTexts(item, field === '' ? name : `${field}.${name}`);
  });
}

export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();
