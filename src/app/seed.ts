import { creditRegistrar } from '../ledger/credit-registrar.ts';
import type { Pool, Sql } from '../platform/sql/executor.ts';
import { sql } from '../platform/sql/statement.ts';
import { parseDecimal } from '../platform/values/money.ts';
import type { Policy } from '../policy/policy.ts';
import { hashPassword } from '../registry/access/passwords.ts';
import type { Role } from '../registry/actor.ts';
import { blockName } from '../registry/names/block-name.ts';
import { reserveName } from '../registry/names/reserve-name.ts';
import { createPerson, type HashedPerson } from '../registry/people/create-person.ts';
import { type NewPrice, setPrices } from '../registry/prices/set-prices.ts';
import { createRegistrar } from '../registry/registrars/create-registrar.ts';
import { createUser, type HashedUser } from '../registry/users/create-user.ts';
import { createToken } from '../reservations/create-token.ts';

type SeedRegistrar = {
  readonly code: string;
  readonly name: string;
  readonly website: string;
  readonly phone: string;
  readonly abuseEmail: string;
  readonly abusePhone: string;
  readonly balance: string;
};
type SeedUser = {
  readonly username: string;
  readonly password: string;
  readonly registrar: string;
  readonly roles: readonly Role[];
};

type SeedPerson = Omit<HashedPerson, 'passwordHash'> & { readonly password: string };

type Seed = {
  readonly reserved: { readonly name: string; readonly code: string };
  readonly blocked: string;
  readonly portal: { readonly name: string; readonly token: string };
  readonly registrars: readonly SeedRegistrar[];
  readonly users: readonly SeedUser[];
  /** Of the registrars' console. */
  readonly people: readonly SeedPerson[];
};

/** The data every sandbox starts with; fixed, so that examples can be pasted. */
export const seed: Seed = {
  reserved: { name: 'reserved.ee', code: 'reserved-sandbox-code' },
  blocked: 'blocked.ee',
  portal: { name: 'portal', token: 'portal-sandbox-token' },
  registrars: [
    {
      code: 'ALPHA',
      name: 'Alpha Registrar',
      website: 'https://alpha.example',
      balance: '100000.00',
      phone: '+372.6000001',
      abuseEmail: 'abuse@alpha.example',
      abusePhone: '+372.6000011',
    },
    {
      code: 'BETA',
      name: 'Beta Registrar',
      website: 'https://beta.example',
      balance: '100000.00',
      phone: '+372.6000002',
      abuseEmail: 'abuse@beta.example',
      abusePhone: '+372.6000012',
    },
    {
      code: 'POOR',
      name: 'Poor Registrar',
      website: 'https://poor.example',
      balance: '5.00',
      phone: '+372.6000003',
      abuseEmail: 'abuse@poor.example',
      abusePhone: '+372.6000013',
    },
  ],
  users: [
    { username: 'alpha', password: 'alpha-sandbox-password', registrar: 'ALPHA', roles: ['super'] },
    { username: 'beta', password: 'beta-sandbox-password', registrar: 'BETA', roles: ['super'] },
    { username: 'poor', password: 'poor-sandbox-password', registrar: 'POOR', roles: ['super'] },
    {
      username: 'alpha-billing',
      password: 'alpha-billing-sandbox-password',
      registrar: 'ALPHA',
      roles: ['billing'],
    },
  ],
  people: [
    {
      email: 'alpha@sandbox.example',
      name: 'Anna Alpha',
      password: 'alpha-console-password',
      language: 'en',
      registrar: 'ALPHA',
      roles: ['admin'],
    },
    {
      email: 'alpha-reader@sandbox.example',
      name: 'Rein Alpha',
      password: 'alpha-reader-console-password',
      language: 'en',
      registrar: 'ALPHA',
      roles: ['reader'],
    },
    {
      email: 'beta@sandbox.example',
      name: 'Berta Beta',
      password: 'beta-console-password',
      language: 'en',
      registrar: 'BETA',
      roles: ['admin'],
    },
  ],
};

const PRICES: readonly [months: number, price: string][] = [
  ...(
    [
      [3, '3.00'],
      [6, '5.00'],
      [9, '7.00'],
    ] as const
  ).map(([months, price]): [number, string] => [months, price]),
  ...Array.from({ length: 10 }, (_, index): [number, string] => [(index + 1) * 12, `${(index + 1) * 9}.00`]),
];
const PRICED_FROM = '2020-01-01';

/** Users and people with their passwords hashed. */
export type SeedLogins = { readonly users: readonly HashedUser[]; readonly people: readonly HashedPerson[] };

let hashedLogins: Promise<SeedLogins> | undefined;

/**
 * The passwords are public, so one hash of each is reused for every reset of a process: hashing takes most of its time.
 */
export function seedLogins(): Promise<SeedLogins> {
  hashedLogins ??= hashLogins();
  return hashedLogins;
}

async function hashLogins(): Promise<SeedLogins> {
  return {
    users: await Promise.all(seed.users.map(hashed)),
    people: await Promise.all(seed.people.map(hashed)),
  };
}

async function hashed<T extends { readonly password: string }>({
  password,
  ...login
}: T): Promise<Omit<T, 'password'> & { readonly passwordHash: string }> {
  return { ...login, passwordHash: await hashPassword(password) };
}

/** Seeds a migrated database once; later changes are kept. */
export async function seedDatabase(pool: Pool, policy: Policy, at: Date): Promise<void> {
  const logins = (await isSeeded(pool)) && (await hasPeople(pool)) ? NO_LOGINS : await seedLogins();
  await pool.begin((db) => seedDatabaseWithin(db, policy, at, logins));
}

const isSeeded = async (db: Sql): Promise<boolean> =>
  (await db.rows(sql`select from registrars limit 1`)).length > 0;

const NO_LOGINS: SeedLogins = { users: [], people: [] };

const hasPeople = async (db: Sql): Promise<boolean> =>
  (await db.rows(sql`select from people limit 1`)).length > 0;

const hasToken = async (db: Sql, name: string): Promise<boolean> =>
  (await db.rows(sql`select from portal_tokens where name = ${name}`)).length > 0;

/** The same inside the caller's transaction. */
export async function seedDatabaseWithin(
  db: Pool,
  policy: Policy,
  at: Date,
  { users, people }: SeedLogins,
): Promise<void> {
  const operator = { actor: 'sandbox', now: at, policy, dryRun: false };
  // Created once, keyed by its name: a sandbox older than the portal gets it too.
  if (!(await hasToken(db, seed.portal.name))) await createToken.within(db, seed.portal, operator);
  if (!(await isSeeded(db))) await seedRegistrars(db, policy, at, users);
  // After the registrars that they work for; a sandbox older than the console gets them too.
  if (!(await hasPeople(db))) for (const person of people) await createPerson.within(db, person, operator);
}

async function seedRegistrars(
  db: Pool,
  policy: Policy,
  at: Date,
  users: readonly HashedUser[],
): Promise<void> {
  const operator = { actor: 'sandbox', now: at, policy, dryRun: false };
  for (const { code, name, website, balance, ...contact } of seed.registrars) {
    const registrar = { code, name, website, ...contact };
    await createRegistrar.within(db, registrar, operator);
    await openingBalance(db, code, balance, at);
  }
  await setPrices.within(db, seedPrices(policy), operator);
  await reserveName.within(db, seed.reserved, operator);
  await blockName.within(db, { name: seed.blocked }, operator);
  // Sequential, so that every user has the same id after a reset.
  for (const user of users) await createUser.within(db, user, operator);
}

function seedPrices({ zones }: Policy): NewPrice[] {
  return zones.flatMap(({ origin: zone }) =>
    (['create', 'renew'] as const).flatMap((operation) =>
      PRICES.map(([months, price]) => ({
        zone,
        operation,
        months,
        amount: parseDecimal(price) ?? 0n,
        validFrom: PRICED_FROM,
      })),
    ),
  );
}

async function openingBalance(db: Sql, registrar: string, balance: string, at: Date): Promise<void> {
  const amount = parseDecimal(balance) ?? 0n;
  await creditRegistrar(db, {
    registrar,
    from: 'opening',
    amount,
    operation: 'opening',
    description: 'Opening balance',
    actor: 'sandbox',
    at,
  });
}
