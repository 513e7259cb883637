import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { guards, guardTable } from '../../torture/guards.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const textOf = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

test.each(guards)('success: $guard: can be removed', ({ file, text, instead, test: testFile }) => {
  expect(textOf(file).split(text)).toHaveLength(2);
  expect(instead).not.toBe(text);
  expect(existsSync(path.join(ROOT, testFile))).toBe(true);
});

test('success: no guard is listed twice, and test/torture/mutations.md has all of them as npm run mutations -- --table prints them', () => {
  expect(new Set(guards.map(({ guard }) => guard)).size).toBe(guards.length);
  expect(textOf('test/torture/mutations.md')).toContain(`\n\n${guardTable()}\n`);
});
