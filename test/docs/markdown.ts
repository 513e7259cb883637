import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.join(import.meta.dirname, '../..');

/** A fenced block: its info string and its content. */
export type Block = {
  readonly language: string;
  readonly marks: readonly string[];
  readonly text: string;
  readonly line: number;
};

export function readPage(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

/** The fenced blocks of a page, in their order. */
export function blocksOf(page: string): Block[] {
  const blocks: Block[] = [];
  let open: { info: string[]; line: number; inside: string[] } | undefined;
  for (const [index, line] of page.split('\n').entries()) {
    const fence = /^```(.*)$/.exec(line);
    if (!fence) open?.inside.push(line);
    else if (open) {
      const [language = '', ...marks] = open.info;
      blocks.push({ language, marks, text: open.inside.join('\n'), line: open.line });
      open = undefined;
    } else open = { info: (fence[1] ?? '').trim().split(/\s+/), line: index + 1, inside: [] };
  }
  if (open) throw new Error(`the fence of line ${open.line} is never closed`);
  return blocks;
}

/** The page without its fenced blocks, line by line. */
export function proseOf(page: string): string {
  return page.replace(/^```[\s\S]*?^```$/gm, '');
}

/** The addresses within a page that GitHub gives its headings. */
export function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of proseOf(page).matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = plain.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count++) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

/** Where pages are, with all folders below. */
const FOLDERS = ['docs', 'bench', 'deploy', 'examples', 'packages', 'schemas', 'test', 'torture'];

/** Every page of the documentation, laboratory notes too, relative to the root. */
export function everyPage(): string[] {
  const markdownIn = (folder: string): string[] =>
    readdirSync(path.join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : markdownIn(file);
      return entry.name.endsWith('.md') ? [file] : [];
    });
  const atTheRoot = readdirSync(ROOT).filter((name) => name.endsWith('.md'));
  return [...atTheRoot, ...FOLDERS.flatMap(markdownIn)].sort();
}
