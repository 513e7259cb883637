import { type Cents, toDecimal } from '../../platform/values/money.ts';
import type { Language } from './layout.ts';

/** English with the sign in front, Estonian with a comma, and spaces that do not break. */
const LOCALES: Readonly<Record<Language, string>> = { et: 'et', en: 'en-GB' };
const formatters = new Map<string, Intl.NumberFormat>();

function formatter(lang: Language, currency: string): Intl.NumberFormat {
  const key = `${lang} ${currency}`;
  const known =
    formatters.get(key) ??
    new Intl.NumberFormat(LOCALES[lang], { style: 'currency', currency, useGrouping: 'always' });
  formatters.set(key, known);
  return known;
}

/** An amount as its reader writes it: `1 234,50 €` or `€1,234.50`, with a true minus. Files have `1234.50`. */
export const amountIn = (lang: Language, cents: Cents | string, currency: string): string =>
  formatter(lang, currency)
    .format(toDecimal(BigInt(cents)) as Intl.StringNumericLiteral)
    .replace('-', '−');
