import { toASCII, toUnicode } from 'tr46';

/** A name in its two writings. */
export type BothWritings = { readonly unicode: string; readonly ascii: string };

const STRICT = {
  checkBidi: true,
  checkHyphens: true,
  checkJoiners: true,
  useSTD3ASCIIRules: true,
  verifyDNSLength: true,
  transitionalProcessing: false,
};
const LONGEST_TEXT = 255;

/** Reads a name in any case, Unicode or punycode, by the strict rules of UTS 46; undefined when it is none. */
export function parseIdn(text: string): BothWritings | undefined {
  const written = text.trim().normalize('NFC').toLowerCase();
  const ascii = written.length > LONGEST_TEXT ? null : toASCII(written, STRICT);
  if (ascii === null) return undefined;
  const { domain: unicode, error } = toUnicode(ascii, STRICT);
  // Characters that the mapping would drop or replace are not what the client meant.
  return error || (written !== unicode && written !== ascii) ? undefined : { unicode, ascii };
}
