import { type SeedLogins, seed } from '../../src/app/seed.ts';
import type { Sql } from '../../src/platform/sql/executor.ts';
import { hashPassword } from '../../src/registry/access/passwords.ts';
import { sql } from './sql.ts';

/** A hash names its own parameters; with the least ones a login takes a tenth of a millisecond of a processor instead of fifty. */
const hashWith = (parameters: string) => `$argon2id$v=19$${parameters}$${'A'.repeat(22)}$${'A'.repeat(43)}`;
const LEAST_PARAMETERS = hashWith('m=8,t=1,p=1');

/** A user or a person whose password is hashed and verified quickly. */
export const quicklyHashed = async <T extends { readonly password: string }>({
  password,
  ...user
}: T): Promise<Omit<T, 'password'> & { passwordHash: string }> => ({
  ...user,
  passwordHash: await hashPassword(password, LEAST_PARAMETERS),
});

export const quicklyHashedSeedLogins = async (): Promise<SeedLogins> => ({
  users: await Promise.all(seed.users.map(quicklyHashed)),
  people: await Promise.all(seed.people.map(quicklyHashed)),
});

/** Gives a user another password, which is verified quickly. */
export async function setQuickPassword(db: Sql, username: string, password: string): Promise<void> {
  const hash = await hashPassword(password, LEAST_PARAMETERS);
  await db.run(sql`update api_users set password_hash = ${hash} where username = ${username}`);
}

/** Some ten milliseconds of a processor: requests arrive faster than that, so that a queue of verifications fills. */
const SLOWER_THAN_REQUESTS = hashWith('m=4096,t=2,p=1');

/** Users `user0`, `user1` and so on, whose password nobody knows. */
export async function addUsersToGuess(db: Sql, count: number): Promise<void> {
  await db.run(sql`
    insert into api_users (registrar_id, username, roles, password_hash, created_at)
    select r.id, 'user' || n, '{epp}', ${SLOWER_THAN_REQUESTS}, now()
    from registrars r, generate_series(0, ${count}::int - 1) as n where r.code = 'ALPHA'`);
}

/** People `person0@guess.example`, `person1@guess.example` and so on, likewise. */
export async function addPeopleToGuess(db: Sql, count: number): Promise<void> {
  await db.run(sql`
    insert into people (email, email_key, name, language, password_hash, created_at, updated_at)
    select email, email, 'Guessed', 'en', ${SLOWER_THAN_REQUESTS}, now(), now()
    from (select 'person' || n || '@guess.example' as email from generate_series(0, ${count}::int - 1) as n) as p`);
}
