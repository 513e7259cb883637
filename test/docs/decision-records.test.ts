import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT, readPage } from './markdown.ts';

const FOLDER = 'docs/decisions';
const MAX_WORDS = 280;
const records = readdirSync(path.join(ROOT, FOLDER)).filter((file) => /^\d{4}-/.test(file));
const textOf = (file: string) => readPage(path.join(FOLDER, file));
const numberOf = (file: string) => file.slice(0, 4);

/** What the index says, by number: the text of its line, and the numbers that were merged. */
const index = textOf('README.md');
const listed = Array.from(index.matchAll(/^- \[(\d{4})\]\(([^)]+)\) (.+)$/gm), ([, number, file, title]) => ({
  number,
  file,
  title,
}));

describe('records of decisions', () => {
  test('success: the index lists every record once, by its number and title', () => {
    const existing = records.map((file) => ({
      number: numberOf(file),
      file,
      title: /^# \d{4}\. (.+)$/m.exec(textOf(file))?.[1],
    }));
    expect(listed.toSorted((one, other) => (String(one.number) < String(other.number) ? -1 : 1))).toEqual(
      existing,
    );
  });

  test.each(records)('success: %s has context, decision and consequences, in few words', (file) => {
    const text = textOf(file);
    const headings = Array.from(text.matchAll(/^#+ (.+)$/gm), ([, heading = '']) => heading);
    expect(headings).toEqual([
      expect.stringMatching(`^${numberOf(file)}\\. `),
      'Context',
      'Decision',
      'Consequences',
    ]);
    expect(text.split(/\s+/).length).toBeLessThanOrEqual(MAX_WORDS);
  });

  test('success: a number that went has no record', () => {
    const [, gone = ''] = index.split('## Merged records');
    const merged = Array.from(gone.matchAll(/^\| \[\d{4}\]\([^)]+\) \| (.+) \|$/gm), ([, numbers = '']) =>
      numbers.split(', '),
    ).flat();
    expect(merged.length).toBeGreaterThan(40);
    expect(merged.filter((number) => records.some((file) => numberOf(file) === number))).toEqual([]);
  });
});
