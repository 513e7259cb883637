/** How a language writes values. */
export type LiteralSyntax = {
  readonly text: (value: string) => string;
  readonly name: (name: string) => string;
  readonly between: string;
  readonly words: { readonly true: string; readonly false: string; readonly null: string };
  readonly object: readonly [string, string];
  readonly emptyObject: string;
  /** Within the braces of an object on one line. */
  readonly gap: string;
  readonly indent: string;
};

const MAX_INLINE_LENGTH = 72;

/** A value as source that is easy to read: on one line where it fits. */
export function writeLiteral(value: unknown, syntax: LiteralSyntax): string {
  const { text, name, between, words, object, emptyObject, gap, indent } = syntax;
  if (typeof value === 'string') return text(value);
  if (value === null || value === undefined) return words.null;
  if (typeof value === 'boolean') return words[`${value}`];
  if (typeof value !== 'object') return String(value);
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => writeLiteral(item, syntax))
    : Object.entries(value).map(([key, member]) => `${name(key)}${between}${writeLiteral(member, syntax)}`);
  if (parts.length === 0) return isList ? '[]' : emptyObject;
  const [open, close] = isList ? ['[', ']'] : object;
  const padding = isList ? '' : gap;
  const inline = `${open}${padding}${parts.join(', ')}${padding}${close}`;
  if (!inline.includes('\n') && inline.length <= MAX_INLINE_LENGTH) return inline;
  return `${open}\n${parts.map((part) => `${shifted(part, indent)},\n`).join('')}${close}`;
}

/** Lines of their own, further to the right. */
export const shifted = (text: string, indent: string): string =>
  indent + text.replaceAll('\n', `\n${indent}`);

/** Arguments on one line where they fit; otherwise an only one opens its own lines, and several have a line each. */
export function joinedArguments(texts: readonly string[], indent: string): string {
  const inline = texts.join(', ');
  if (texts.length === 1 || (!inline.includes('\n') && inline.length <= MAX_INLINE_LENGTH)) return inline;
  return `\n${texts.map((text) => `${shifted(text, indent)},\n`).join('')}`;
}

/** In single quotes, with the escapes of JSON. */
export const escapedText = (value: string): string =>
  `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
