import { type Fragment, sql } from '../sql/statement.ts';
import { startsWith } from './order.ts';

/** What a text filter finds, regardless of capitals: the one rule of all lists. */
export type TextPattern = {
  /** For `like`, in lower case. */
  readonly like: string;
  /** How everything that matches begins, which an index finds; empty if it can begin with anything. */
  readonly beginning: string;
  /** The only text that matches; undefined if there can be others. */
  readonly value: string | undefined;
};

const SPECIAL_IN_LIKE = /[\\%_]/g;
const escaped = (text: string): string => text.replace(SPECIAL_IN_LIKE, '\\$&');

/** Everything that contains a text. */
export const containing = (text: string): TextPattern => ({
  like: `%${escaped(text.toLowerCase())}%`,
  beginning: '',
  value: undefined,
});

/** Nothing but a text, in capitals or not. */
export function exactly(text: string): TextPattern {
  const value = text.toLowerCase();
  return { like: escaped(value), beginning: value, value };
}

const QUOTED = /^"(.+)"$/s;
const STARS = /\*+/;

/**
 * A text in quotes is the whole value. One with `*` is the whole value too, in which each `*` stands for any text.
 * Every other text is contained anywhere. `literal` writes a text without `*` as values of the list are stored.
 */
export function parsePattern(text: string, literal = (written: string) => written): TextPattern {
  const [, quoted] = QUOTED.exec(text) ?? [];
  if (quoted !== undefined) return exactly(literal(quoted));
  if (!text.includes('*')) return containing(literal(text));
  const pieces = text.toLowerCase().split(STARS);
  return { like: pieces.map(escaped).join('%'), beginning: pieces[0] ?? '', value: undefined };
}

/** The text of a filter for exactly one value. */
export const quotedText = (value: string): string => `"${value}"`;

/** The text of a filter for everything that begins so. */
export const beginningText = (beginning: string): string =>
  /[*"]/.test(beginning) ? beginning : `${beginning}*`;

/** The test of a column whose texts are in lower case; every text passes where there is no pattern. */
export function matches(column: Fragment, pattern: TextPattern | undefined): Fragment {
  const like = pattern?.like ?? null;
  return sql`(${like}::text is null or ${column} like ${like}::text)`;
}

/** The range of an index in byte order that has all matches; undefined if that is the whole index. */
export function indexedRange(column: Fragment, { value, beginning }: TextPattern): Fragment | undefined {
  if (value !== undefined) return sql`${column} = ${value}`;
  return beginning === '' ? undefined : startsWith(column, beginning);
}
