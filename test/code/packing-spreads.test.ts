import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../..');
/** A literal that is spread where it stands: its members can stand there themselves. */
const PACKING = /\.\.\.(?:\{|\(\[[^\]]*\](?: as const)?\)[,)\]])/;

test('success: nothing is spread only to have several members in a line', () => {
  const packing = globSync('{src,test,bench,torture,packages,examples,scripts}/**/*.ts', { cwd: ROOT })
    .filter((file) => !file.includes('node_modules') && !file.startsWith('test/code/'))
    .filter((file) => PACKING.test(readFileSync(path.join(ROOT, file), 'utf8')));
  expect(packing).toEqual([]);
});
