import { readdirSync } from 'node:fs';
import path from 'node:path';
import { type Block, blocksOf, ROOT, readPage } from './markdown.ts';

const FOLDER = 'docs/operate';

/** The pages whose commands change something, in the order in which they find what those before them have made. */
const PAGES_IN_ORDER = [
  'command',
  'registrars',
  'people',
  'certificates',
  'epp',
  'dns',
  'names',
  'zones',
  'look-ups',
  'domains',
  'money',
  'payments',
  'bank',
  'accounting',
  'messages',
  'jobs',
  'clocks',
  'restart',
  'backups',
  'the-day-after',
  'staging',
].map((name) => `${FOLDER}/${name}.md`);

/** The pages whose commands are run, the others last. */
export function pagesInOrder(): string[] {
  const others = operatorPages().filter((page) => !PAGES_IN_ORDER.includes(page));
  return [...PAGES_IN_ORDER, ...others];
}

/** Every page for operators. */
export function operatorPages(): string[] {
  return readdirSync(path.join(ROOT, FOLDER), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${FOLDER}/${file}`)
    .sort();
}

/** The block of these pages that contains a text. */
export function shownBlock(mark: string): Block | undefined {
  return operatorPages()
    .flatMap((page) => blocksOf(readPage(page)))
    .find(({ text }) => text.includes(mark));
}
