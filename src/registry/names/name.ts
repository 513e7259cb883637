import { toASCII, toUnicode } from 'tr46';
import type { Policy } from '../../policy/policy.ts';

declare const checked: unique symbol;

/** A name that could be registered: one label below one of our zones, in both of its writings. */
export type DomainName = {
  readonly unicode: string;
  readonly ascii: string;
  readonly zone: string;
  readonly [checked]: 'domain name';
};

const STRICT = {
  checkBidi: true,
  checkHyphens: true,
  checkJoiners: true,
  useSTD3ASCIIRules: true,
  verifyDNSLength: true,
  transitionalProcessing: false,
};
const LONGEST_TEXT = 255;

/** Reads a name as somebody wrote it: any case, Unicode or punycode. Undefined when no zone of ours can have it. */
export function parseDomainName(text: string, policy: Policy): DomainName | undefined {
  const written = text.trim().normalize('NFC').toLowerCase();
  if (written.length > LONGEST_TEXT) return undefined;
  const ascii = toASCII(written, STRICT);
  if (ascii === null) return undefined;
  const { domain: unicode, error } = toUnicode(ascii, STRICT);
  // Characters that the mapping would drop or replace are not what the client meant to register.
  if (error || (written !== unicode && written !== ascii)) return undefined;
  const dot = unicode.indexOf('.');
  const [label, zone] = [unicode.slice(0, dot), unicode.slice(dot + 1)];
  if (dot < 1 || !policy.zones.some(({ origin }) => origin === zone) || !policy.labels.test(label))
    return undefined;
  return { unicode, ascii, zone } as DomainName;
}

/** Whether the text is the name of a zone itself: nobody can have that. */
export const isZoneOrigin = (text: string, policy: Policy): boolean =>
  policy.zones.some(({ origin }) => origin === text);
