import type { FastifyRequest } from 'fastify';
import type { Policy } from '../../policy/policy.ts';
import { preferredLanguage } from '../http/negotiation.ts';
import { type Html, html, type Language } from './layout.ts';

/** The registry's own language first: it is the default. */
const LANGUAGES = ['et', 'en'] as const;
/** The locale in which dates are written. */
const LOCALES: Readonly<Record<Language, string>> = { et: 'et', en: 'en-GB' };

const countryNames = new Map<Language, Intl.DisplayNames>();

/** As `?lang=` says, else what the browser prefers. */
export function languageOf({ query, headers }: FastifyRequest): Language {
  const requested = (query as { lang?: unknown }).lang;
  return (
    LANGUAGES.find((known) => known === requested) ?? preferredLanguage(headers['accept-language'], LANGUAGES)
  );
}

/** Isolates names of any text direction from the words around them. */
export const isolated = (text: string): Html => html`<bdi>${text}</bdi>`;

const FORMS = {
  shortDay: { day: 'numeric', month: 'short', year: 'numeric' },
  shortMoment: { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  toTheSecond: {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  },
  exactMoment: { dateStyle: 'long', timeStyle: 'long' },
  day: { dateStyle: 'long' },
  month: { year: 'numeric', month: 'long' },
  monthName: { month: 'short' },
  weekday: { weekday: 'long', day: 'numeric', month: 'long' },
  moment: { dateStyle: 'long', timeStyle: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;
const formatters = new Map<string, Intl.DateTimeFormat>();

/** Each is made once: it costs as much as a hundred dates that it writes. */
function formatter(lang: Language, form: keyof typeof FORMS, timeZone: string): Intl.DateTimeFormat {
  const key = `${lang} ${form} ${timeZone}`;
  const known = formatters.get(key) ?? new Intl.DateTimeFormat(LOCALES[lang], { ...FORMS[form], timeZone });
  formatters.set(key, known);
  return known;
}

const zoneNames = new Map<string, string>();

/** The name that holds in summer and in winter; looked up once for each year, since a country may change its zone. */
function zoneName(lang: Language, at: Date, timeZone: string): string {
  const key = `${lang} ${timeZone} ${at.getUTCFullYear()}`;
  const known = zoneNames.get(key);
  if (known !== undefined) return known;
  const named = new Intl.DateTimeFormat(LOCALES[lang], { timeZone, timeZoneName: 'longGeneric' });
  const name = named.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
  zoneNames.set(key, name);
  return name;
}

/** A time in the registry's zone, with the zone. */
export function timeIn(lang: Language, at: Date, { timeZone }: Policy): Html {
  const moment = formatter(lang, 'moment', timeZone);
  return html`<time datetime="${at.toISOString()}">${moment.format(at)}</time> <span class="zone">(${zoneName(lang, at, timeZone)})</span>`;
}

/** A time where the page names the zone once, exact on hover. */
export const momentIn = (lang: Language, at: Date, { timeZone }: Policy): Html =>
  html`<time datetime="${at.toISOString()}" title="${formatter(lang, 'exactMoment', timeZone).format(at)}">${formatter(lang, 'shortMoment', timeZone).format(at)}</time>`;

/** The same as plain text. */
export const momentText = (lang: Language, at: Date, { timeZone }: Policy): string =>
  formatter(lang, 'shortMoment', timeZone).format(at);

/** The same to the second, for what happens within minutes. */
export const secondIn = (lang: Language, at: Date, { timeZone }: Policy): Html =>
  html`<time datetime="${at.toISOString()}" title="${formatter(lang, 'exactMoment', timeZone).format(at)}">${formatter(lang, 'toTheSecond', timeZone).format(at)}</time>`;

/** The same without the time of day. */
export const shortDayIn = (lang: Language, at: Date, { timeZone }: Policy): Html =>
  html`<time datetime="${at.toISOString()}" title="${formatter(lang, 'exactMoment', timeZone).format(at)}">${formatter(lang, 'shortDay', timeZone).format(at)}</time>`;

/** A day that is written as 2030-12-31, as the one of a time without its hours. */
export const shortDayOf = (lang: Language, day: string): Html =>
  html`<time datetime="${day}">${formatter(lang, 'shortDay', 'UTC').format(new Date(`${day}T00:00:00Z`))}</time>`;

/** The day of a time in the registry's zone. */
export const dayOfTime = (lang: Language, at: Date, { timeZone }: Policy): string =>
  formatter(lang, 'day', timeZone).format(at);

/** The name of a country of a two-letter code. */
export function countryIn(lang: Language, code: string): string {
  const known = countryNames.get(lang) ?? new Intl.DisplayNames(LOCALES[lang], { type: 'region' });
  countryNames.set(lang, known);
  return known.of(code) ?? code;
}

/** A day that is written as 2030-12-31. */
export const dayIn = (lang: Language, day: string): string =>
  formatter(lang, 'day', 'UTC').format(new Date(`${day}T00:00:00Z`));

/** A month that is written as 2030-12. */
export const monthIn = (lang: Language, month: string): string =>
  formatter(lang, 'month', 'UTC').format(new Date(`${month}-01T00:00:00Z`));

/** Its name without the year. */
export const monthNameIn = (lang: Language, month: string): string =>
  formatter(lang, 'monthName', 'UTC').format(new Date(`${month}-01T00:00:00Z`));

/** Today, as a heading: Estonian writes days with a small letter. */
export function weekdayOf(lang: Language, at: Date, { timeZone }: Policy): string {
  const day = formatter(lang, 'weekday', timeZone).format(at);
  return day.charAt(0).toUpperCase() + day.slice(1);
}
