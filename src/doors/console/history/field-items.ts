import { addressLine } from '../../../registry/contacts/postal-address.ts';
import { countryIn, isolated } from '../../html/language.ts';
import { type Html, html, type Language } from '../../html/layout.ts';
import { statusWord } from '../domains/status-word.ts';

/** A value, or an item of a list: two with the same key are the same. */
export type Item = { readonly key: string; readonly shown: Html };

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const textItem = (value: unknown): Item => ({ key: String(value), shown: isolated(String(value)) });

/** A value of which nothing is known. */
export const writtenItem = (value: unknown): Item | undefined =>
  value === undefined || value === null
    ? undefined
    : textItem(typeof value === 'string' ? value : JSON.stringify(value));

type Members = Readonly<Record<string, unknown>>;
const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const written = (value: unknown): Item => ({
  key: JSON.stringify(value),
  shown: html`<code>${JSON.stringify(value)}</code>`,
});

/** By its name, with the addresses that it has inside the domain. */
export function nameserverItem(value: unknown): Item {
  const { hostname, ipv4, ipv6 } = membersOf(value);
  if (typeof hostname !== 'string') return written(value);
  const addresses = [...listOf(ipv4), ...listOf(ipv6)].join(', ');
  const shown = html`<code>${hostname}</code>${addresses !== '' && ` (${addresses})`}`;
  return { key: `${hostname} ${addresses}`, shown };
}

const SHOWN_OF_KEY = 12;

/** By its beginning, the whole of it on hover. */
export function keyItem(value: unknown): Item {
  const { flags, protocol, alg, public_key: publicKey } = membersOf(value);
  if (typeof publicKey !== 'string') return written(value);
  const whole = `${String(flags)} ${String(protocol)} ${String(alg)} ${publicKey}`;
  const beginning = publicKey.length > SHOWN_OF_KEY ? `${publicKey.slice(0, SHOWN_OF_KEY)}…` : publicKey;
  const shown = html`<code title="${whole}">${String(flags)} ${String(alg)} ${beginning}</code>`;
  return { key: whole, shown };
}

/** Each by its words, with the note of the registry; but the one that the operation is named after. */
export const statusItems = (value: unknown, told: string | undefined, lang: Language): readonly Item[] =>
  Object.entries(membersOf(value))
    .filter(([status]) => status !== told)
    .map(([status, note]) => {
      const text = textOf(note) ?? '';
      return {
        key: `${status} ${text}`,
        shown: html`${statusWord(status, lang)}${text !== '' && ` (${text})`}`,
      };
    });

export function addressItem(value: unknown, lang: Language): Item {
  const { street, city, state, postal_code: postalCode, country_code: countryCode } = membersOf(value);
  if (typeof city !== 'string' || typeof countryCode !== 'string') return written(value);
  const address = {
    street: listOf(street).map(String),
    city,
    countryCode,
    ...(typeof state === 'string' && { state }),
    ...(typeof postalCode === 'string' && { postalCode }),
  };
  return textItem(addressLine(address, countryIn(lang, countryCode)));
}
