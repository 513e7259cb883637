import { toASCII, toUnicode } from 'tr46';
import { normaliseText } from '../../platform/values/text.ts';
import type { Policy } from '../../policy/policy.ts';

declare const checked: unique symbol;

/** A name that could be registered: one label below one of our zones. */
export type DomainName = BothWritings & { readonly zone: string; readonly [checked]: 'domain name' };

/** Reads a name as somebody wrote it. Undefined when no zone of ours can have it. */
export function parseDomainName(text: string, policy: Policy): DomainName | undefined {
  const name = parseIdn(text);
  if (!name) return undefined;
  const dot = name.unicode.indexOf('.');
  const [label, zone] = [name.unicode.slice(0, dot), name.unicode.slice(dot + 1)];
  if (dot < 1 || !isZoneOrigin(zone, policy) || !policy.labels.test(label)) return undefined;
  return { ...name, zone } as DomainName;
}

/** Whether the text is the name of a zone itself: nobody can have that. */
export const isZoneOrigin = (text: string, policy: Policy): boolean =>
  policy.zones.some(({ origin }) => origin === text);

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
/** Before it is composed and trimmed: room for a mark on each letter and for spaces around it. */
const MAX_WRITTEN = 1_024;
const MAX_TEXT_LENGTH = 255;
const MAX_NAME_LENGTH = 253;
/** Labels that mean themselves in both writings: letters, digits and hyphens, none where punycode has its own. */
const PLAIN =
  /^(?!..--)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.(?!..--)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** Reads a name in any case, Unicode or punycode, by the strict rules of UTS 46; undefined when it is none. */
export function parseIdn(text: string): BothWritings | undefined {
  const written = normaliseText(text, MAX_WRITTEN)?.trim().toLowerCase();
  if (written === undefined) return undefined;
  if (written.length <= MAX_NAME_LENGTH && PLAIN.test(written)) return { unicode: written, ascii: written };
  return parseByTable(written);
}

/** The whole of UTS 46. */
export function parseByTable(written: string): BothWritings | undefined {
  const ascii = written.length > MAX_TEXT_LENGTH ? null : toASCII(written, STRICT);
  if (ascii === null) return undefined;
  const { domain: unicode, error } = toUnicode(ascii, STRICT);
  // Characters that the mapping would drop or replace are not what the client meant.
  return error || (written !== unicode && written !== ascii) ? undefined : { unicode, ascii };
}
