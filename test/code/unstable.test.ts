import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { checkUnstable, type UnstableTest } from '../gate/unstable-list.ts';

const ROOT = path.join(import.meta.dirname, '../..');

test('success: every unstable test was mended within a week', () => {
  const list = JSON.parse(readFileSync(path.join(ROOT, 'test/unstable.json'), 'utf8')) as UnstableTest[];
  expect(checkUnstable(list, new Date(), (file) => existsSync(path.join(ROOT, file)))).toEqual([]);
});
