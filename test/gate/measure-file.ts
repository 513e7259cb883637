import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, inject } from 'vitest';
import { processorTimeMs } from './processor-time.ts';

// A setup file of vitest: it begins before the test file is loaded, and its hook ends after all others.
const before = processorTimeMs();

afterAll(() => {
  const file = path.relative(path.join(import.meta.dirname, '../..'), expect.getState().testPath ?? '');
  const line = JSON.stringify({ file, ms: Math.round(processorTimeMs() - before) });
  appendFileSync(path.join(inject('observations'), `${process.pid}.processor`), `${line}\n`);
});
