import { isUtf8 } from 'node:buffer';

/** RFC 5730 wants UTF-8, and allows UTF-16. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** The names that a declaration may have, in lower case. */
const DECLARABLE: Readonly<Record<Encoding, readonly string[]>> = {
  'utf-8': ['utf-8', 'us-ascii'],
  'utf-16le': ['utf-16', 'utf-16le'],
  'utf-16be': ['utf-16', 'utf-16be'],
};

export const isDeclarable = (encoding: Encoding, declared: string): boolean =>
  DECLARABLE[encoding].includes(declared.toLowerCase());

/** By byte order mark, or by the `<` that every document begins with (XML 1.0, appendix F). */
export function encodingOf([first, second]: Uint8Array): Encoding {
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  return 'utf-8';
}

/**
 * The text in slices, the byte order mark included. Invalid bytes are thrown, not replaced. UTF-8 is not read with a
 * streaming TextDecoder, which makes strings of two bytes per character.
 */
export function* decodedSlices(bytes: Uint8Array, encoding: Encoding, sliceBytes: number): Generator<string> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const decoder =
    encoding === 'utf-8' ? undefined : new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  for (let start = 0; start < buffer.length; ) {
    const end = Math.min(start + sliceBytes, buffer.length);
    const cut = decoder ? end : characterStart(buffer, end);
    const slice = buffer.subarray(start, cut);
    if (decoder) yield decoder.decode(slice, { stream: cut < buffer.length });
    else if (isUtf8(slice)) yield slice.toString('utf8');
    else throw new TypeError('it contains bytes that are not UTF-8');
    start = cut;
  }
}

/** The last place up to `end` where no character is cut; a longer run of continuation bytes is invalid anyway. */
function characterStart(buffer: Buffer, end: number): number {
  if (end === buffer.length) return end;
  for (let at = end; at > end - 4; at -= 1) if (((buffer[at] ?? 0) & 0xc0) !== 0x80) return at;
  return end;
}
