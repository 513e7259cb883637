import { seed } from '../../src/app/seed.ts';
import { hashPassword } from '../../src/registry/access/passwords.ts';
import type { HashedUser, NewUser } from '../../src/registry/users/users.ts';

/** A hash names its own parameters; with the least ones a login takes a tenth of a millisecond of a processor instead of fifty. */
const LEAST_PARAMETERS = `$argon2id$v=19$m=8,t=1,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** A user whose password is hashed and verified quickly. */
export const quicklyHashed = async ({ password, ...user }: NewUser): Promise<HashedUser> => ({
  ...user,
  passwordHash: await hashPassword(password, LEAST_PARAMETERS),
});

export const quicklyHashedSeedUsers = (): Promise<HashedUser[]> => Promise.all(seed.users.map(quicklyHashed));
