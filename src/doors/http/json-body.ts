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
  const { commas, depth } = structureOf(bytes);
  if (commas >= maxValues) refuse('tooManyValues', { most: maxValues });
  if (depth > MAX_DEPTH) refuse('malformedJson');
  let text: string;
  let body: unknown;
  try {
    text = utf8.decode(bytes);
    body = JSON.parse(text);
  } catch {
    return refuse('malformedJson');
  }
  if (countValues(body) > maxValues) refuse('tooManyValues', { most: maxValues });
  if (SUSPICIOUS_ESCAPE.test(text)) requireStorable(body);
  return body;
}

/** Deeper than any valid body; deeper nesting could overflow the stack. */
const MAX_DEPTH = 32;
const [QUOTATION_MARK, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
/** Brackets and braces differ in this bit alone. */
const BRACE_BIT = 0x20;
const [OPENING, CLOSING] = [0x5b, 0x5d];

/** Of what is outside texts: the commas, of which a body has fewer than values, and how deep it is nested. */
function structureOf(bytes: Buffer): { readonly commas: number; readonly depth: number } {
  let [commas, level, depth, isText] = [0, 0, 0, false];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTATION_MARK) isText = !isText;
    else if (isText) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === COMMA) commas += 1;
    else if ((byte & ~BRACE_BIT) === OPENING) {
      level += 1;
      depth = Math.max(depth, level);
    } else if ((byte & ~BRACE_BIT) === CLOSING) level -= 1;
  }
  return { commas, depth };
}

/** The number of values of all kinds. */
function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const item of Object.values(value)) count += countValues(item);
  return count;
}

export function requireStorable(body: unknown): void {
  const found = unstorableTexts(body, '');
  if (found[0]) throw new Refused(found[0], ...found.slice(1));
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
