import { nextTurn } from '../../platform/concurrency/event-loop-turns.ts';
import { endOfText, parseJsonBody } from './json-body.ts';
import { MAX_BODY_BYTES } from './limits.ts';
import { refuse } from './request-refusals.ts';

/** Takes a millisecond or two to parse. */
const SLICE_BYTES = 65_536;
/** More than a slice of short items has. A single item may be as long as any other body. */
const MAX_VALUES_PER_SLICE = 65_536;

const [QUOTATION_MARK, COMMA, SPACE] = [0x22, 0x2c, 0x20];
const [OPENING_BRACKET, CLOSING_BRACKET, OPENING_BRACE, CLOSING_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];
const [BEFORE, AFTER] = [Buffer.from('['), Buffer.from(']')];

/**
 * Parses a JSON list of any length, in slices of its items over many turns of the event loop. A list is valid if each
 * slice between brackets is, since slices end where a comma separates two items of the list itself.
 */
export async function parseLongJsonList(
  contentType: string | undefined,
  bytes: Buffer,
  maxValues: number,
): Promise<unknown> {
  const [start, end] = [firstOf(bytes), lastOf(bytes)];
  // Other values than lists are valid up to the size that any body may have.
  if (bytes[start] !== OPENING_BRACKET || bytes[end] !== CLOSING_BRACKET)
    return bytes.length <= MAX_BODY_BYTES
      ? parseJsonBody(contentType, bytes, maxValues)
      : refuse('malformedJson');
  const items: unknown[] = [];
  for (let from = start + 1; from <= end; ) {
    await nextTurn();
    const to = endOfSlice(bytes, from, end);
    const slice = Buffer.concat([BEFORE, bytes.subarray(from, to), AFTER]);
    const parsed = parseJsonBody(contentType, slice, MAX_VALUES_PER_SLICE) as readonly unknown[];
    const isWholeList = from === start + 1 && to === end;
    if (parsed.length === 0 && !isWholeList) refuse('malformedJson');
    for (const item of parsed) items.push(item);
    if (items.length > maxValues) refuse('tooManyValues', { most: maxValues });
    from = to + 1;
  }
  return items;
}

/** The comma after the item in which the slice is long enough, or the end of the list. */
function endOfSlice(bytes: Buffer, from: number, end: number): number {
  let depth = 0;
  const last = Math.min(end, from + MAX_BODY_BYTES);
  for (let at = from; at < last; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTATION_MARK) at = endOfText(bytes, at, last);
    else if (byte === OPENING_BRACKET || byte === OPENING_BRACE) depth += 1;
    else if (byte === CLOSING_BRACKET || byte === CLOSING_BRACE) depth -= 1;
    else if (byte === COMMA && depth === 0 && at - from >= SLICE_BYTES) return at;
  }
  return last === end ? end : refuse('malformedJson');
}

function firstOf(bytes: Buffer): number {
  let at = 0;
  while (at < bytes.length && (bytes[at] ?? 0) <= SPACE) at += 1;
  return at;
}

function lastOf(bytes: Buffer): number {
  let at = bytes.length - 1;
  while (at > 0 && (bytes[at] ?? 0) <= SPACE) at -= 1;
  return at;
}
