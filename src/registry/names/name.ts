import { domainToUnicode } from 'node:url';
import { toASCII, toUnicode } from 'tr46';
import { normaliseText } from '../../platform/values/normalise-text.ts';
import type { Policy } from '../../policy/policy.ts';

declare const checked: unique symbol;

/** A name that could be registered: one label below one of our zones. */
export type DomainName = IdnForms & { readonly zone: string; readonly [checked]: 'domain name' };

/** Parses a name; undefined if it cannot exist in any of our zones. */
export function parseDomainName(text: string, policy: Policy): DomainName | undefined {
  const written = normaliseName(text);
  return written !== undefined && isPossible(written, policy)
    ? domainNameOf(parseWritten(written), policy)
    : undefined;
}

/**
 * Whether the tables of Unicode need to be asked. A valid name is written in Unicode or in punycode as a whole, so that
 * label and zone are those of the policy unless they are in punycode.
 */
function isPossible(written: string, policy: Policy): boolean {
  const dot = written.indexOf('.');
  const [label, zone] = [written.slice(0, dot), written.slice(dot + 1)];
  if (dot < 1 || !(zone.includes('xn--') || isZoneOrigin(zone, policy))) return false;
  return label.startsWith('xn--') ? label.length <= MAX_LABEL_LENGTH : policy.labels.test(label);
}

/** A name that was parsed as one that could be registered; undefined if it cannot exist in any of our zones. */
export function domainNameOf(name: IdnForms | undefined, policy: Policy): DomainName | undefined {
  if (!name) return undefined;
  const dot = name.unicode.indexOf('.');
  const [label, zone] = [name.unicode.slice(0, dot), name.unicode.slice(dot + 1)];
  if (dot < 1 || !isZoneOrigin(zone, policy) || !policy.labels.test(label)) return undefined;
  return { ...name, zone } as DomainName;
}

/** Whether a text, in any spelling, names a zone itself. */
export function isZoneName(text: string, policy: Policy): boolean {
  const name = parseIdn(text);
  return name !== undefined && isZoneOrigin(name.unicode, policy);
}

/** Whether the text is the name of a zone itself, which cannot be registered. */
export const isZoneOrigin = (text: string, policy: Policy): boolean =>
  policy.zones.some(({ origin }) => origin === text);

/** A name in Unicode and punycode. */
export type IdnForms = { readonly unicode: string; readonly ascii: string };

const STRICT = {
  checkBidi: true,
  checkHyphens: true,
  checkJoiners: true,
  useSTD3ASCIIRules: true,
  verifyDNSLength: true,
  transitionalProcessing: false,
};
/** Bound before normalisation and trimming: allows a combining mark per letter, and surrounding spaces. */
const MAX_RAW_LENGTH = 1_024;
export const MAX_TEXT_LENGTH = 255;
const MAX_NAME_LENGTH = 253;
const MAX_LABEL_LENGTH = 63;
/** LDH labels that are identical in Unicode and ASCII form; none with hyphens in positions 3 and 4, which IDNA reserves. */
const PLAIN =
  /^(?!..--)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.(?!..--)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** Parses a name in any case, Unicode or punycode, by the strict rules of UTS 46; undefined if it is invalid. */
export function parseIdn(text: string): IdnForms | undefined {
  const written = normaliseName(text);
  return written === undefined ? undefined : parseWritten(written);
}

const normaliseName = (text: string): string | undefined =>
  normaliseText(text, MAX_RAW_LENGTH)?.trim().toLowerCase();

function parseWritten(written: string): IdnForms | undefined {
  if (written.length <= MAX_NAME_LENGTH && PLAIN.test(written)) return { unicode: written, ascii: written };
  return parseByTable(written);
}

/** Full UTS 46 processing. */
export function parseByTable(written: string): IdnForms | undefined {
  const ascii = written.length > MAX_TEXT_LENGTH ? null : toASCII(written, STRICT);
  if (ascii === null) return undefined;
  // Quicker than the tables, and enough for a name that the mapping has not altered.
  if (domainToUnicode(ascii) === written) return { unicode: written, ascii };
  const { domain: unicode, error } = toUnicode(ascii, STRICT);
  // A name that the mapping would alter is refused rather than silently replaced by another.
  return error || (written !== unicode && written !== ascii) ? undefined : { unicode, ascii };
}
