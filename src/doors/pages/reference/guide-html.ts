import { mapInTurns } from '../../../platform/concurrency/event-loop-turns.ts';
import { codeBlock } from '../../html/code-block.ts';
import { type Html, html } from '../../html/layout.ts';
import { table } from '../../html/table.ts';
import { anchorOf } from './guides.ts';

/** Where a link leads; undefined if nowhere. */
type Resolve = (target: string) => string | undefined;

const FENCE = /^ *```/;
const HEADING = /^(#{1,6}) (.+)$/;
const ITEM = /^( *)(?:-|\d+\.) (.*)$/;

/**
 * The Markdown that our own pages are written in as HTML: headings, paragraphs, lists, tables and fenced code. Pages are
 * long, and others are served meanwhile.
 */
export async function guideHtml(markdown: string, resolve: Resolve): Promise<Html> {
  const anchors = new Map<string, number>();
  const blocks = await mapInTurns(blocksIn(markdown), BLOCKS_PER_TURN, (lines) =>
    blockOf(lines, anchors, resolve),
  );
  return html`${blocks}`;
}

const BLOCKS_PER_TURN = 20;

function blocksIn(markdown: string): (readonly string[])[] {
  const lines = markdown.split('\n');
  const blocks: (readonly string[])[] = [];
  for (let at = 0; at < lines.length; ) {
    const taken = lines.slice(at, at + blockLength(lines, at));
    at += taken.length;
    if (taken[0]?.trim() !== '') blocks.push(taken);
  }
  return blocks;
}

/** How many lines from here on are one block. */
function blockLength(lines: readonly string[], at: number): number {
  const first = lines[at] ?? '';
  const until = (ends: (line: string) => boolean): number => {
    let end = at + 1;
    while (end < lines.length && !ends(lines[end] ?? '')) end++;
    return end - at;
  };
  if (FENCE.test(first)) return until((line) => FENCE.test(line)) + 1;
  if (first.trim() === '' || HEADING.test(first)) return 1;
  if (first.startsWith('|')) return until((line) => !line.startsWith('|'));
  if (ITEM.test(first)) return until((line) => line.trim() === '');
  return until((line) => line.trim() === '' || [FENCE, HEADING, ITEM].some((begin) => begin.test(line)));
}

function blockOf(lines: readonly string[], anchors: Map<string, number>, resolve: Resolve): Html {
  const [first = ''] = lines;
  const heading = HEADING.exec(first);
  if (heading) return headingOf(heading[1]?.length ?? 1, heading[2] ?? '', anchors, resolve);
  if (FENCE.test(first)) return codeBlock('Code', lines.slice(1, -1).join('\n'));
  if (first.startsWith('|')) return tableOf(lines, resolve);
  if (ITEM.test(first)) return listOf(lines, resolve);
  return html`<p>${inline(lines.join('\n'), resolve)}</p>`;
}

function headingOf(level: number, text: string, anchors: Map<string, number>, resolve: Resolve): Html {
  const id = anchorOf(text, anchors);
  const shown = inline(text, resolve);
  switch (level) {
    case 1:
      return html`<h1 id="${id}">${shown}</h1>`;
    case 2:
      return html`<h2 id="${id}">${shown}</h2>`;
    case 3:
      return html`<h3 id="${id}">${shown}</h3>`;
    default:
      return html`<h4 id="${id}">${shown}</h4>`;
  }
}

/** The cells of a row; a bar within code or after a backslash is text. */
export const cellsOf = (line: string): string[] =>
  (line.replace(/^\||\|\s*$/g, '').match(/(?:`[^`]*`|\\.|[^|\\`])+|(?<=\|)(?=\|)/g) ?? []).map((cell) =>
    cell.trim().replaceAll('\\|', '|'),
  );

function tableOf([head = '', , ...rows]: readonly string[], resolve: Resolve): Html {
  const titles = cellsOf(head);
  return table(
    { label: titles.join(', '), columns: titles.map((title) => ({ title: title.replaceAll('`', '') })) },
    rows.map((row) => cellsOf(row).map((cell) => inline(cell, resolve))),
  );
}

/** Items may go on in further lines. */
function listOf(lines: readonly string[], resolve: Resolve): Html {
  const items: string[] = [];
  for (const line of lines) {
    const item = ITEM.exec(line);
    if (item) items.push(item[2] ?? '');
    else items.push(`${items.pop() ?? ''}\n${line.trim()}`);
  }
  const shown = items.map((item) => html`<li>${inline(item, resolve)}</li>`);
  return /^ *-/.test(lines[0] ?? '') ? html`<ul>${shown}</ul>` : html`<ol>${shown}</ol>`;
}

const INLINE =
  /`([^`]+)`|\[((?:[^\]`]|`[^`]*`)+)\]\(([^)\s]+)\)|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|<(https?:[^>\s]+)>/;

/** Code, links, strong and emphasised text. */
function inline(text: string, resolve: Resolve): Html {
  const found = INLINE.exec(text);
  if (!found) return html`${text}`;
  const [whole, code, label, target, strong, emphasis, address] = found;
  const before = text.slice(0, found.index);
  const rest = inline(text.slice(found.index + whole.length), resolve);
  if (code !== undefined) return html`${before}<code>${code}</code>${rest}`;
  if (label !== undefined)
    return html`${before}${linkOf(inline(label, resolve), resolve(target ?? ''))}${rest}`;
  if (strong !== undefined) return html`${before}<strong>${inline(strong, resolve)}</strong>${rest}`;
  if (emphasis !== undefined) return html`${before}<em>${inline(emphasis, resolve)}</em>${rest}`;
  return html`${before}${linkOf(html`${address}`, resolve(address ?? ''))}${rest}`;
}

const linkOf = (label: Html, href: string | undefined): Html =>
  href === undefined ? label : html`<a href="${href}">${label}</a>`;
