import { marked, type Token, type Tokens } from 'marked';

/** A heading of a page, with the anchor that links name. */
export type Heading = { readonly level: number; readonly text: string; readonly anchor: string };
/** What stands below a heading, or in a row that has an anchor: what a search finds. */
export type Section = {
  readonly title: string;
  readonly anchor: string;
  readonly text: string;
  readonly isRow: boolean;
};
/** A page as blocks. */
export type Blocks = {
  readonly tokens: readonly Token[];
  readonly headings: readonly Heading[];
  /** Of headings, and of the codes with which rows of tables begin. */
  readonly anchorOf: ReadonlyMap<Token, string>;
};

export function blocksOf(markdown: string): Blocks {
  const tokens = marked.lexer(markdown);
  const taken = new Map<string, number>();
  const anchorOf = new Map<Token, string>();
  const headings: Heading[] = [];
  for (const token of tokens.filter(isHeading)) {
    const anchor = headingAnchor(token.text, taken);
    anchorOf.set(token, anchor);
    headings.push({ level: token.depth, text: plainText(token.tokens), anchor });
  }
  for (const code of tokens.filter(isTable).flatMap(({ rows }) => rows.flatMap(leadingCode))) {
    const anchor = code.text;
    if (!/^[\w.:-]+$/.test(anchor) || taken.has(anchor)) continue;
    taken.set(anchor, 1);
    anchorOf.set(code, anchor);
  }
  return { tokens, headings, anchorOf };
}

const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading';
const isTable = (token: Token): token is Tokens.Table => token.type === 'table';

/** The code that is all of the first cell of a row: what the row is about, such as a setting or the reason of a refusal. */
export function leadingCode([first]: readonly Tokens.TableCell[]): Tokens.Codespan[] {
  const [only, ...others] = first?.tokens ?? [];
  return only?.type === 'codespan' && others.length === 0 ? [only as Tokens.Codespan] : [];
}

/** As code hosting sites give them to headings: a second one of the same text has a number. */
function headingAnchor(text: string, taken: Map<string, number>): string {
  const plain = text
    .replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
  const count = taken.get(plain) ?? 0;
  taken.set(plain, count + 1);
  if (count === 0) return plain;
  taken.set(`${plain}-${count}`, 1);
  return `${plain}-${count}`;
}

type OpenSection = Omit<Section, 'text'> & { readonly texts: string[] };

/** By headings; a row with an anchor is a section of its own. */
export function sectionsOf({ tokens, anchorOf }: Blocks): Section[] {
  const sections: OpenSection[] = [];
  let present: OpenSection | undefined;
  for (const token of tokens) {
    if (isHeading(token)) {
      const title = plainText(token.tokens);
      present = { title, anchor: anchorOf.get(token) ?? '', texts: [], isRow: false };
      sections.push(present);
    } else if (isTable(token)) {
      for (const row of token.rows) {
        const text = row.map((cell) => plainText(cell.tokens)).join(' ');
        const [code] = leadingCode(row);
        const anchor = code && anchorOf.get(code);
        if (anchor === undefined) present?.texts.push(text);
        else sections.push({ title: anchor, anchor, texts: [text], isRow: true });
      }
    } else present?.texts.push(plainText([token]));
  }
  return sections.map(({ texts, ...section }) => ({
    ...section,
    text: texts.join(' ').replaceAll(/\s+/g, ' ').trim(),
  }));
}

/** The words alone. */
export function plainText(tokens: readonly Token[] = []): string {
  return tokens.map(textOf).join('');
}

function textOf(token: Token): string {
  switch (token.type) {
    case 'space':
    case 'br':
    case 'hr':
      return ' ';
    case 'html':
    case 'def':
      return '';
    case 'list':
      return (token as Tokens.List).items.map((item) => `${plainText(item.tokens)} `).join('');
    case 'table': {
      const { header, rows } = token as Tokens.Table;
      return [header, ...rows]
        .map((row) => row.map((cell) => `${plainText(cell.tokens)} `).join(''))
        .join('');
    }
    default:
      return 'tokens' in token && token.tokens
        ? plainText(token.tokens)
        : 'text' in token
          ? `${token.text}`
          : '';
  }
}
