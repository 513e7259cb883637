import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DatabaseTarget } from '../../src/platform/database/database.ts';

type Modules = {
  readonly 'src/app/seed.ts': typeof import('../../src/app/seed.ts');
  readonly 'src/platform/database/database.ts': typeof import('../../src/platform/database/database.ts');
  readonly 'src/policy/ee.ts': typeof import('../../src/policy/ee.ts');
  readonly 'test/performance/population.ts': typeof import('../../test/performance/population.ts');
};

/**
 * Fills the database of a release with the registrars of the sandbox and a number of domains. The sources of that
 * release do it: ours write columns that its schema may not have.
 */
export async function fillDatabase(tree: string, target: DatabaseTarget, domains: number): Promise<void> {
  const moduleOf = async <Name extends keyof Modules>(name: Name): Promise<Modules[Name]> =>
    import(pathToFileURL(path.resolve(tree, name)).href);
  const { seedDatabase } = await moduleOf('src/app/seed.ts');
  const { openAsOwner } = await moduleOf('src/platform/database/database.ts');
  const { ee } = await moduleOf('src/policy/ee.ts');
  const owner = openAsOwner(target);
  try {
    await seedDatabase(owner, ee, new Date());
    if (domains === 0) return;
    const { populate } = await moduleOf('test/performance/population.ts');
    const contactsEach = Math.ceil(domains / 2);
    await populate(owner, { registrars: ['LARGE'], contactsEach, domains, messagesEach: 0 });
  } finally {
    await owner.close();
  }
}
