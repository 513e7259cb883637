/** No script stacks more marks on one letter, and normalising a stack is quadratic in its length. */
const STACKED_MARKS = /\p{M}{9}/u;

/** A client's text in composed form (NFC); undefined if it is too long, or stacks too many marks. */
export function normaliseText(text: string, maxLength: number): string | undefined {
  return text.length > maxLength || STACKED_MARKS.test(text) ? undefined : text.normalize('NFC');
}

/**
 * Whether a text has so many characters. Counted are code points, as XML Schema, JSON Schema and PostgreSQL do, not the
 * units of UTF-16, of which a character has one or two: most texts need no count.
 */
export function isLengthWithin(
  text: string,
  { min = 0, max }: { readonly min?: number; readonly max: number },
): boolean {
  if (text.length < min || text.length > 2 * max) return false;
  if (text.length >= 2 * min && text.length <= max) return true;
  const count = [...text].length;
  return count >= min && count <= max;
}

const NOTHING_SEEN = /^[\p{White_Space}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Whether a text shows nothing: white space, format and default-ignorable characters, and the empty Braille pattern. */
export const isBlank = (text: string): boolean => NOTHING_SEEN.test(text);

/**
 * Characters that control a terminal, or that change or hide the text around them: control characters (C0, DEL, C1),
 * format characters (bidi controls, zero-width ones, tags) and line and paragraph separators. Client data may contain
 * them; a terminal must show them instead of obeying them.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
const INVISIBLE_WITHIN_LINES = /[^\P{Cc}\n]|[\p{Cf}\u2028\u2029]/gu;
/** Fast path: most texts contain none of them. */
const PRINTABLE_ASCII = /^[\n\x20-\x7e]*$/;

const escaped = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;
const escapedInJson = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');

/** 1,048,576, for texts that are made at start: `toLocaleString` loads the data of locales, in 24 ms and 7 MB. */
export function withCommas(whole: number): string {
  const digits = String(whole);
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(0, end - 3), end));
  return groups.join(',');
}

/** Escapes every invisible character as \u{…}, including line ends, for a value within a line. */
export const escapeInvisible = (text: string): string => text.replace(INVISIBLE, escaped);

/** The same for our own lines, whose line ends stay. */
export const escapeInvisibleInLines = (text: string): string =>
  PRINTABLE_ASCII.test(text) ? text : text.replace(INVISIBLE_WITHIN_LINES, escaped);

/** The same within a JSON text, whose meaning is unchanged. Line ends between its tokens stay. */
export const escapeInvisibleInJson = (json: string): string =>
  PRINTABLE_ASCII.test(json) ? json : json.replace(INVISIBLE_WITHIN_LINES, escapedInJson);
