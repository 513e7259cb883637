import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fillDatabase } from '../../torture/upgrade/fill-database.ts';
import { placeOfData } from '../support/global-setup.ts';
import { onTestFinished } from '../support/this-test.ts';

/** A release whose modules say what they were asked for. */
const OTHER_RELEASE: Readonly<Record<string, string>> = {
  'src/policy/ee.ts': `export const ee = 'its policy';`,
  'src/platform/database/database.ts': `
    export const openAsOwner = ({ done }) => ({ done, close: async () => done.push('close') });`,
  'src/app/seed.ts': `export const seedDatabase = async ({ done }, policy) => done.push('seed ' + policy);`,
  'test/performance/population.ts': `
    export const populate = async ({ done }, { domains }) => done.push('populate ' + domains);`,
};

test('success: a database is filled by the sources of the release whose schema it has', async () => {
  const tree = mkdtempSync(path.join(placeOfData(), 'cadastre-release-'));
  onTestFinished(() => rmSync(tree, { recursive: true, force: true }));
  for (const [name, source] of Object.entries(OTHER_RELEASE)) {
    mkdirSync(path.dirname(path.join(tree, name)), { recursive: true });
    writeFileSync(path.join(tree, name), source);
  }
  const fill = async (domains: number) => {
    const done: string[] = [];
    await fillDatabase(tree, { done } as never, domains);
    return done;
  };
  expect(await fill(0)).toEqual(['seed its policy', 'close']);
  expect(await fill(500)).toEqual(['seed its policy', 'populate 500', 'close']);
});
