/** XML that has been written; inserted into other markup as it is. */
export class Markup {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

export type XmlContent = Markup | string | number | bigint | undefined | null | false | readonly XmlContent[];

/** A template of markup, whose values are escaped for elements and for attributes in double quotes alike. */
export function xml(markup: TemplateStringsArray, ...values: readonly XmlContent[]): Markup {
  let text = markup[0] ?? '';
  for (let index = 0; index < values.length; index += 1) text += written(values[index]) + markup[index + 1];
  return new Markup(text);
}

function written(value: XmlContent): string {
  if (typeof value === 'string') return escapeXml(value);
  if (value === undefined || value === null || value === false) return '';
  if (value instanceof Markup) return value.toString();
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  let text = '';
  for (const each of value) text += written(each);
  return text;
}

/** Nearly all texts have none of these. The range of surrogates is here because a lone one is not allowed. */
const PERHAPS_ESCAPED = /[&<>"\uD800-\uDFFF\uFFFE\uFFFF]|[^\u0020-\uFFFF]/;
/** What must be escaped, and what XML 1.0 does not allow, escaped or not. */
const ESCAPED = /[&<>"\t\n\r]|[^\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** A parser turns line breaks and tabs of an attribute into spaces, and CR into LF, unless they are references. */
const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

const escapeXml = (text: string): string =>
  PERHAPS_ESCAPED.test(text)
    ? text.replace(ESCAPED, (character) => REFERENCES[character] ?? '\u{FFFD}')
    : text;
