import type { Sql } from '../platform/sql/executor.ts';
import type { Policy } from '../policy/policy.ts';
import { isZoneOrigin, parseDomainName } from '../registry/names/name.ts';
import { filterAvailable } from './reservation.ts';

/** A legal form without case and diacritics, and its number of words. */
type Form = { readonly text: string; readonly words: number };

/** Names for an organisation that can be registered now, in the order of `variantsOf`. */
export function suggest(
  db: Sql,
  organizationName: string,
  when: { readonly policy: Policy; readonly now: Date },
): Promise<string[]> {
  return filterAvailable(db, variantsOf(organizationName, when.policy), when.now);
}

/**
 * Candidate names for an organisation: its words joined, then hyphenated, each in every zone with suggestions.
 * Diacritics are kept; labels our zones do not allow are omitted.
 */
export function variantsOf(organizationName: string, policy: Policy): string[] {
  const words = withoutLegalForms(wordsOf(organizationName), formsOf(policy));
  const parts = words.flatMap((word) => word.split('-')).filter((part) => part !== '');
  const labels = parts.length === 0 ? [] : [parts.join(''), parts.join('-')];
  return [...new Set(labels)].flatMap((label) => inEveryZone(label, policy));
}

/** Labels have the same rules in all zones, and checking is expensive: it is done for one zone. */
function inEveryZone(text: string, policy: Policy): string[] {
  const zones = policy.zones.filter(({ suggest: offered }) => offered).map(({ origin }) => origin);
  const name = parseDomainName(`${text}.${zones[0]}`, policy);
  const label = name?.unicode.slice(0, -(name.zone.length + 1));
  const names = label === undefined ? [] : zones.map((zone) => `${label}.${zone}`);
  return names.filter((each) => !isZoneOrigin(each, policy));
}

/** Words of hyphens only are dropped. */
function wordsOf(text: string): string[] {
  const words = text.normalize('NFC').toLowerCase().split(/\s+/);
  return words.filter((word) => /[^-]/.test(word));
}

/**
 * Removes legal forms from the end and then the start, repeatedly, but never the last word left. Only whitespace
 * separates a form: "Foo-AS" is one word.
 */
function withoutLegalForms(words: readonly string[], forms: readonly Form[]): readonly string[] {
  const found = (at: (form: Form) => readonly string[]) =>
    forms.find((form) => form.words < words.length && folded(at(form).join(' ')) === form.text);
  const last = found((form) => words.slice(-form.words));
  if (last) return withoutLegalForms(words.slice(0, -last.words), forms);
  const first = found((form) => words.slice(0, form.words));
  return first ? withoutLegalForms(words.slice(first.words), forms) : words;
}

const known = new WeakMap<Policy, readonly Form[]>();

/** Longest first, since one form may be the suffix of another. */
function formsOf(policy: Policy): readonly Form[] {
  const forms = known.get(policy) ?? readForms(policy);
  known.set(policy, forms);
  return forms;
}

function readForms({ reservations }: Policy): Form[] {
  const forms = reservations.legalForms.map((form) => ({
    text: folded(form),
    words: form.split(' ').length,
  }));
  return forms.sort((one, other) => other.words - one.words);
}

/** Without case and diacritics: OÜ, Oü and OU are common spellings. */
const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
