import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../..');

test('success: history has one insert', () => {
  const inserting = globSync('src/**/*.ts', { cwd: ROOT }).filter((file) =>
    /insert\s+into\s+history\b/i.test(readFileSync(path.join(ROOT, file), 'utf8')),
  );
  expect(inserting).toEqual(['src/operations/record-history.ts']);
});
