import { readFilled } from '../../../platform/values/placeholders.ts';
import { catalogue } from '../../../registry/registry-refusals.ts';
import type { Language } from '../../html/layout.ts';
import { refusalText } from '../refusal-texts.ts';

type Phrase = { readonly stored: string } & Readonly<Record<Language, string>>;

/** Reasons, causes and dates that stored texts contain in English, with the places of the stored ones. */
const PHRASES: readonly Phrase[] = [
  phrase('It cannot be renewed', { et: 'Seda ei saa pikendada' }),
  phrase('A renewal before that keeps it', { et: 'Kui pikendad enne seda, jääb domeen sulle' }),
  phrase('It begins on {start}, the domain is deleted on {deletion}', {
    et: 'See algab {start} ja domeen kustutatakse {deletion}',
  }),
  phrase('The domain can no longer be renewed', { et: 'Domeeni ei saa enam pikendada' }),
  phrase('soft', { en: 'at the end of the registration year', et: 'registreerimisaasta lõpus' }),
  phrase('fast track', { en: 'fast', et: 'kiirkorras' }),
  phrase('the domain is under force delete', {
    en: 'the domain is under forced deletion',
    et: 'domeenile määrati sundkustutamine',
  }),
  phrase('the domain is about to be deleted', { et: 'domeen kustutatakse kohe' }),
  phrase('the registrar has withdrawn the request', {
    en: 'you withdrew the request',
    et: 'võtsid taotluse tagasi',
  }),
  phrase('The new registrant no longer exists', { et: 'Uut registreerijat ei ole enam olemas' }),
  phrase('by the registrar', { en: 'by your registrar', et: 'selle tegi registripidaja' }),
  phrase('by the registry', { et: 'selle tegi register' }),
  phrase('by the registry, {reason}', { et: 'selle tegi register, {reason}' }),
  phrase('every attempt has failed for {days} days', { et: 'ükski katse pole {days} päeva õnnestunud' }),
  phrase('it answered 410 Gone', { et: 'vastus oli 410 Gone' }),
  phrase('Top-up by invoice {number}', { et: 'ettemaks arvega {number}' }),
  phrase('Reversal of invoice {number}', { et: 'arve {number} tühistamine' }),
  phrase('Correction: {reason}', { et: 'parandus: {reason}' }),
  phrase('Opening balance', { et: 'algsaldo' }),
  phrase('none', { et: 'puuduvad' }),
];

/** The same words where only the other language needs some. */
function phrase(stored: string, { en = stored, et }: { readonly en?: string; readonly et: string }): Phrase {
  return { stored, en, et };
}

/** A phrase of a stored text and the values in it; undefined for what somebody wrote. */
export function readPhrase(
  value: string,
  lang: Language,
): { readonly text: string; readonly values: Readonly<Record<string, string>> } | undefined {
  for (const known of PHRASES) {
    const values = readFilled(known.stored, value);
    if (values) return { text: known[lang], values };
  }
  return undefined;
}

/** A refusal that a stored text tells, as forms tell it; undefined for what is none. */
export function readRefusal(value: string, lang: Language): string | undefined {
  const found = Object.entries(catalogue)
    .map(([name, { text }]) => ({ name, text, values: readFilled(text, value) }))
    .filter(({ values }) => values !== undefined)
    // The more of it the catalogue says, the surer it is.
    .toSorted((one, other) => other.text.length - one.text.length)[0];
  if (!found?.values) return undefined;
  const text = refusalText({ name: found.name, values: found.values }, lang);
  // One that no form can meet has no text.
  return text === found.name ? undefined : text.replace(/\.$/, '');
}
