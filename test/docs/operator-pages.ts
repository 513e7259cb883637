import { readdirSync } from 'node:fs';
import path from 'node:path';
import { type Block, blocksOf, ROOT, readPage } from './markdown.ts';

const FOLDER = 'docs/operate';

/** The pages whose commands are run, in this order: each finds what those before it have made. */
export const PAGES_IN_ORDER = [
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
