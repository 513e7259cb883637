export const MAX_LABEL_BYTES = 63;
export const MAX_NAME_BYTES = 255;
/** A name of a message that compresses well has one or two. */
const MAX_POINTERS = 16;
const POINTER = 0xc0;
const DOT = 0x2e;

/** A message that does not follow RFC 1035. */
export class InvalidMessage extends Error {
  override name = 'InvalidMessage';
}

/** Characters that need no escape in a written name. */
const PLAIN = /^[a-z0-9_*-]+$/;

type WireName = { readonly name: string; readonly end: number; readonly isCompressed: boolean };

/**
 * The name at this offset in lower case, without the final dot and with other characters as `\DDD`, and where it ends.
 * A pointer must lead to before the labels that it ends, so none can be followed twice; their number is limited, since
 * each of thousands of names could follow thousands.
 */
export function readName(message: Buffer, start: number): WireName {
  const labels: string[] = [];
  let [at, segment, bytes, pointers] = [start, start, 1, 0];
  let end: number | undefined;
  for (;;) {
    const length = byteAt(message, at);
    if ((length & POINTER) === POINTER) {
      const target = ((length & ~POINTER) << 8) | byteAt(message, at + 1);
      end ??= at + 2;
      if (target >= segment) throw new InvalidMessage('a compression pointer does not lead backwards');
      pointers += 1;
      if (pointers > MAX_POINTERS) throw new InvalidMessage('a name of too many compression pointers');
      at = target;
      segment = target;
      continue;
    }
    if (length > MAX_LABEL_BYTES) throw new InvalidMessage('a label of an unknown kind');
    at += 1;
    if (length === 0) return { name: labels.join('.'), end: end ?? at, isCompressed: end !== undefined };
    bytes += 1 + length;
    if (bytes > MAX_NAME_BYTES) throw new InvalidMessage('a name of more than 255 bytes');
    if (at + length > message.length) throw new InvalidMessage('a name beyond the end of the message');
    labels.push(labelText(message.toString('latin1', at, at + length).toLowerCase()));
    at += length;
  }
}

function byteAt(message: Buffer, at: number): number {
  const byte = message[at];
  if (byte === undefined) throw new InvalidMessage('a name beyond the end of the message');
  return byte;
}

function labelText(label: string): string {
  if (PLAIN.test(label)) return label;
  return Array.from(label, (character) =>
    PLAIN.test(character) ? character : `\\${String(character.charCodeAt(0)).padStart(3, '0')}`,
  ).join('');
}

/** The labels of a written name; `\.` and `\DDD` stand for single bytes (RFC 1035, 5.1). */
export function labelsOf(name: string): readonly Buffer[] {
  if (name === '' || name === '.') return [];
  const labels: number[][] = [[]];
  for (let at = 0; at < name.length; at += 1) {
    const decimal = /^\\(\d{3})/.exec(name.slice(at, at + 4))?.[1];
    if (decimal !== undefined) {
      labels.at(-1)?.push(Number(decimal));
      at += 3;
    } else if (name[at] === '\\' && at + 1 < name.length) {
      at += 1;
      labels.at(-1)?.push(name.charCodeAt(at));
    } else if (name.charCodeAt(at) === DOT) labels.push([]);
    else labels.at(-1)?.push(name.charCodeAt(at));
  }
  if (labels.at(-1)?.length === 0) labels.pop();
  return labels.map((bytes) => {
    if (bytes.length === 0 || bytes.length > MAX_LABEL_BYTES || bytes.some((byte) => byte > 255))
      throw new InvalidMessage(`${name} is no domain name`);
    return Buffer.from(Buffer.from(bytes).toString('latin1').toLowerCase(), 'latin1');
  });
}

/** Without compression and in lower case, as signatures need it. */
export function encodeName(name: string): Buffer {
  const bytes = Buffer.concat([
    ...labelsOf(name).flatMap((label) => [Buffer.of(label.length), label]),
    Buffer.of(0),
  ]);
  if (bytes.length > MAX_NAME_BYTES) throw new InvalidMessage(`${name} is longer than 255 bytes`);
  return bytes;
}
