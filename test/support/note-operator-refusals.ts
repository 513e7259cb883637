import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { inject } from 'vitest';
import type { RefusedOperation } from '../../src/operations/operator-operation.ts';

// A setup file of vitest. What operations of operators are refused by, for the table of operations.
const noted = new Set<string>();

subscribe('cadastre.operator-operation.refused', (message) => {
  const refused = message as RefusedOperation;
  const line = `${JSON.stringify(refused)}\n`;
  if (noted.has(line)) return;
  noted.add(line);
  appendFileSync(path.join(inject('observations'), `${process.pid}.operator-refusals`), line);
});
