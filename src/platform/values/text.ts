/** No writing stacks more marks on one letter, and to normalise such a stack takes time that grows with its square. */
const STACKED_MARKS = /\p{M}{9}/u;

/** A text from outside in composed form (NFC); undefined where it is longer, or stacks more marks, than any text does. */
export function normaliseText(text: string, maxLength: number): string | undefined {
  return text.length > maxLength || STACKED_MARKS.test(text) ? undefined : text.normalize('NFC');
}

/**
 * Characters that a terminal obeys, or that change or hide what stands around them: control characters (C0, DEL, C1),
 * format characters (bidi controls, zero-width ones, tags) and the separators of lines and paragraphs. Names and
 * other texts of clients may contain them; whoever reads a terminal must see them instead of what they do.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
const INVISIBLE_WITHIN_LINES = /[^\P{Cc}\n]|[\p{Cf}\u2028\u2029]/gu;
/** Most texts have none of them; this is the cheaper question. */
const PRINTABLE_ASCII = /^[\n\x20-\x7e]*$/;

const escaped = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;
const escapedInJson = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');

/** A value that stands within a line: every invisible character as \u{…}, line ends too. */
export const escapeInvisible = (text: string): string => text.replace(INVISIBLE, escaped);

/** The same for lines of ours, which end where they are meant to. */
export const escapeInvisibleInLines = (text: string): string =>
  PRINTABLE_ASCII.test(text) ? text : text.replace(INVISIBLE_WITHIN_LINES, escaped);

/** The same within a JSON text, which stays one with the same meaning. Line ends between its tokens stay. */
export const escapeInvisibleInJson = (json: string): string =>
  PRINTABLE_ASCII.test(json) ? json : json.replace(INVISIBLE_WITHIN_LINES, escapedInJson);
