import highlighter from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import ini from 'highlight.js/lib/languages/ini';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import nginx from 'highlight.js/lib/languages/nginx';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { Marked, type Tokens } from 'marked';
import { mapInTurns } from '../../../platform/concurrency/event-loop-turns.ts';
import { codeBlock } from '../../html/code-block.ts';
import { type Html, html, trusted } from '../../html/layout.ts';
import { table } from '../../html/table.ts';
import { type Blocks, leadingCode, plainText } from './markdown-blocks.ts';

/** What a page names that is elsewhere. */
export type Surroundings = {
  /** Where a link leads; undefined if nowhere. */
  readonly resolve: (target: string) => string | undefined;
  /** A drawing that stands in the page itself, so that it has its colours. */
  readonly drawing: (target: string) => string | undefined;
};

const LANGUAGES = { bash, ini, javascript, json, nginx, python, sql, typescript, xml, yaml };
for (const [name, language] of Object.entries(LANGUAGES)) highlighter.registerLanguage(name, language);
/** Whether code of a language is coloured; its name is what stands after a fence. */
export const isHighlighted = (language: string): boolean => highlighter.getLanguage(language) !== undefined;

/** Pages are long, and others are served meanwhile. */
const BLOCKS_PER_TURN = 20;

/** The blocks of one of our own pages. Markup in their text is shown as text. */
export async function renderBlocks(blocks: Blocks, surroundings: Surroundings): Promise<Html> {
  const marked = markedFor(blocks, surroundings);
  const parts = await mapInTurns(blocks.tokens, BLOCKS_PER_TURN, (token) => marked.parser([token]));
  return trusted(parts.join(''));
}

function markedFor({ anchorOf }: Blocks, { resolve, drawing }: Surroundings): Marked {
  return new Marked({
    renderer: {
      heading(token) {
        const anchor = anchorOf.get(token);
        const text = trusted(this.parser.parseInline(token.tokens));
        const linked = token.tokens.some(({ type }) => type === 'link');
        return String(headingOf(token.depth, anchor, linked ? text : ownLink(anchor, text)));
      },
      code: ({ text, lang = '' }) => String(codeOf(text, lang.split(/\s/, 1)[0] ?? '')),
      table(token) {
        const shown = (cell: Tokens.TableCell) => trusted(this.parser.parseInline(cell.tokens));
        const columns = token.header.map(({ tokens, align }) => ({
          title: plainText(tokens),
          number: align === 'right',
        }));
        const rows = token.rows.map((row) => {
          const [first, ...others] = row.map(shown);
          const [code] = leadingCode(row);
          const anchor = code && anchorOf.get(code);
          return [
            anchor === undefined ? first : html`<span id="${anchor}">${ownLink(anchor, first)}</span>`,
            ...others,
          ];
        });
        return String(table({ label: columns.map(({ title }) => title).join(', '), columns }, rows));
      },
      link(token) {
        const href = resolve(token.href);
        const label = this.parser.parseInline(token.tokens);
        return href === undefined ? label : String(html`<a href="${href}">${trusted(label)}</a>`);
      },
      image({ href, text }) {
        const svg = drawing(href);
        if (svg !== undefined)
          return String(html`<span class="drawing" role="img" aria-label="${text}">${trusted(svg)}</span>`);
        const source = resolve(href);
        return String(
          source === undefined ? html`${text}` : html`<img src="${source}" alt="${text}" loading="lazy">`,
        );
      },
      codespan: ({ text }) => String(html`<code>${text}</code>`),
      html: ({ text }) => (text.startsWith('<!--') ? '' : String(html`${text}`)),
    },
  });
}

function headingOf(level: number, anchor: string | undefined, text: Html): Html {
  switch (level) {
    case 1:
      return html`<h1 id="${anchor}">${text}</h1>\n`;
    case 2:
      return html`<h2 id="${anchor}">${text}</h2>\n`;
    case 3:
      return html`<h3 id="${anchor}">${text}</h3>\n`;
    default:
      return html`<h4 id="${anchor}">${text}</h4>\n`;
  }
}

const ownLink = (anchor: string | undefined, text: Html | undefined): Html =>
  html`<a class="anchor" href="#${anchor}">${text}</a>`;

function codeOf(text: string, language: string): Html {
  if (!isHighlighted(language)) return codeBlock('Code', text);
  const { value } = highlighter.highlight(text, { language, ignoreIllegals: true });
  return codeBlock(`Code, ${language}`, trusted(value));
}
