import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT, readPage } from './markdown.ts';
import { operatorPages } from './operator-pages.ts';

/** Where the commands of other programs are run, with real servers; those of Cadastre are all run by some test. */
const REHEARSALS = [
  'test/app/dns-disasters.test.ts',
  'test/app/dns-rollover.test.ts',
  'test/doors/dns/signed-chain.test.ts',
].map((file) => readFileSync(path.join(ROOT, file), 'utf8'));

const lines = operatorPages()
  .flatMap((page) => readPage(page).split('\n'))
  .map((line) => line.replace(/#.*/, '').trim())
  .filter((line) => /^(knotc|keymgr|nsd-checkconf|named-checkconf)\b/.test(line));

describe('the commands of the pages for operators for Knot, NSD and BIND', () => {
  test('success: there are some', () => expect(lines.length).toBeGreaterThan(15));

  test.each([...new Set(lines.map(actionOf))])('success: %s is run by a test with real servers', (action) => {
    expect(REHEARSALS.some((file) => file.includes(`'${action}'`) || file.includes(`/${action}'`))).toBe(
      true,
    );
  });
});

/** The subcommand: the word that is no zone, option or name. */
function actionOf(line: string): string {
  const [program = '', ...words] = line.split(/\s+/);
  if (program === 'knotc') return words.find((word) => !word.startsWith('-')) ?? '';
  if (program === 'keymgr') return words[0] === '-t' ? '-t' : (words[1] ?? '');
  return program;
}
