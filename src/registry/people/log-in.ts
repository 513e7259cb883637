import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { isKnownAddressOfPerson } from '../access/login-addresses.ts';
import type { LoginLimits } from '../access/login-limits.ts';
import { refuse } from '../registry-refusals.ts';
import { emailKey } from './person.ts';

type FoundPerson = {
  readonly id: number;
  readonly passwordHash: string | null;
  readonly hasCodeGenerator: boolean;
  /** A passkey, or an account at the identity provider. */
  readonly hasOtherWay: boolean;
  readonly isActive: boolean;
  /** Whether the person recently logged in from the client's address. */
  readonly isAddressKnown: boolean;
};

export type PasswordLogin = Pick<FoundPerson, 'hasCodeGenerator' | 'hasOtherWay'> & {
  readonly personId: number;
};

type Attempt = { readonly email: string; readonly password: string; readonly address: string };

/**
 * Verifies people's passwords under the limits of their logins. A person that is unknown, disabled or without a password
 * costs as much time as any other, and gets the same answer.
 */
export class PasswordLogins {
  readonly #reads: Sql;
  /** Of wrong codes too. */
  readonly limits: LoginLimits;

  constructor(reads: Sql, limits: LoginLimits) {
    this.#reads = reads;
    this.limits = limits;
  }

  async verify({ email, password, address }: Attempt, now: Date): Promise<PasswordLogin> {
    const name = emailKey(email);
    return this.limits.attempt({ name, address }, async (attempt) => {
      const person = await this.#find(name, address, now);
      attempt.recognise(person?.isAddressKnown ?? false);
      const stored =
        person?.isActive && person.passwordHash !== null ? { passwordHash: person.passwordHash } : undefined;
      const match = await this.limits.match(stored, password, attempt);
      if (!person || !match) {
        attempt.fail();
        return refuse('badCredentials');
      }
      const { id: personId, hasCodeGenerator, hasOtherWay } = person;
      return { personId, hasCodeGenerator, hasOtherWay };
    });
  }

  async #find(key: string, address: string, now: Date): Promise<FoundPerson | undefined> {
    return this.#reads.maybe(sql<FoundPerson>`
      select p.id, p.password_hash as "passwordHash", p.totp_secret is not null as "hasCodeGenerator", p.disabled_at is null as "isActive",
        p.identity is not null or exists (select from passkeys k where k.person_id = p.id) as "hasOtherWay",
        ${isKnownAddressOfPerson(address, now)} as "isAddressKnown"
      from people p where p.email_key = ${key}`);
  }
}
