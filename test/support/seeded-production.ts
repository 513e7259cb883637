import { seedDatabaseWithin } from '../../src/app/seed.ts';
import { ee } from '../../src/policy/ee.ts';
import { type ProductionDatabase, productionDatabase } from './cadastre.ts';
import { connectAsOwner } from './connect-as-owner.ts';
import { quicklyHashedSeedLogins } from './quick-passwords.ts';

/** A production installation with the registrars and users of the sandbox; ended with the test. */
export async function seededProduction(): Promise<ProductionDatabase> {
  const database = await productionDatabase();
  const owner = await connectAsOwner(database.url);
  const logins = await quicklyHashedSeedLogins();
  await owner.begin((transaction) => seedDatabaseWithin(transaction, ee, new Date(), logins));
  await owner.close();
  return database;
}
