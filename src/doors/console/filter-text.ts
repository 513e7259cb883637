import { parsePattern, type TextPattern } from '../../platform/paging/text-pattern.ts';
import { parseDay } from '../../platform/values/dates.ts';
import { normaliseText } from '../../platform/values/normalise-text.ts';

const MAX_TEXT = 255;
// biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL stores no such text, so it finds none
const CONTROL = /[\u0000-\u001f\u007f]/;

/** What a filter asks for; undefined if it asks for nothing, null for what cannot match anything. */
export function filterText(text: string): string | undefined | null {
  if (text === '') return undefined;
  const written = normaliseText(text, MAX_TEXT)?.trim();
  return written === undefined || CONTROL.test(written) ? null : written || undefined;
}

/** The same as what it finds; `literal` writes a text as values of the list are stored. */
export function filterPattern(
  text: string,
  literal?: (written: string) => string,
): TextPattern | undefined | null {
  const written = filterText(text);
  return typeof written === 'string' ? parsePattern(written, literal) : written;
}

const [FIRST_YEAR, LAST_YEAR] = [1900, 9990];

/** The beginning of a day in the registry's zone; undefined if none is asked for, null if the text is no day. */
export function filterDay(text: string, timeZone: string, offset = 0): Date | undefined | null {
  if (text === '') return undefined;
  const day = parseDay(text);
  if (!day || day.year < FIRST_YEAR || day.year > LAST_YEAR) return null;
  return new Date(day.add({ days: offset }).toZonedDateTime(timeZone).epochMilliseconds);
}
