import { globSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../..');
/** What every interface or module has one of. */
const PARTS_OF_EACH = [
  'access.ts',
  'api.ts',
  'endpoint.ts',
  'endpoints.ts',
  'examples.ts',
  'invoices.ts',
  'openapi.ts',
  'operator-refusals.ts',
  'prefix.ts',
  'render-refusals.ts',
  'render-results.ts',
  'routes.ts',
  'schemas.ts',
  'start.ts',
];

test('success: no two files have one name, but for the parts that each interface or module has', () => {
  const files = globSync('src/**/*.ts', { cwd: ROOT });
  const byName = Object.groupBy(files, (file) => path.basename(file));
  const repeated = Object.keys(byName).filter((name) => (byName[name]?.length ?? 0) > 1);
  expect(repeated.toSorted()).toEqual(PARTS_OF_EACH);
});
