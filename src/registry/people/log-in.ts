import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { FailedLogins } from '../access/failed-logins.ts';
import type { PasswordVerifications } from '../access/passwords.ts';
import { refuse } from '../registry-refusals.ts';
import { emailKey } from './person.ts';

type FoundPerson = {
  readonly id: number;
  readonly passwordHash: string | null;
  readonly hasCodeGenerator: boolean;
  /** A passkey, or an account at the identity provider. */
  readonly hasOtherWay: boolean;
  readonly isActive: boolean;
};

export type PasswordLogin = Pick<FoundPerson, 'hasCodeGenerator' | 'hasOtherWay'> & {
  readonly personId: number;
};

type Attempt = { readonly email: string; readonly password: string; readonly address: string };

/**
 * Verifies people's passwords in the queue of the API users' ones. Failures are counted per address and per person; a
 * person that is unknown, disabled or without a password costs as much time as any other, and gets the same answer.
 */
export class PasswordLogins {
  readonly #reads: Sql;
  readonly #verifications: PasswordVerifications;
  /** Counts wrong codes too. */
  readonly failures: FailedLogins;

  constructor(reads: Sql, verifications: PasswordVerifications, failuresPerMinute: number) {
    this.#reads = reads;
    this.#verifications = verifications;
    this.failures = new FailedLogins(failuresPerMinute);
  }

  async verify({ email, password, address }: Attempt): Promise<PasswordLogin> {
    const key = emailKey(email);
    const slots = this.failures.reserve(key, address);
    this.failures.reserveOverAllAddresses(key, slots);
    const person = await this.#find(key);
    const stored =
      person?.isActive && person.passwordHash !== null ? { passwordHash: person.passwordHash } : undefined;
    const match = await this.#verifications.match(stored, password, false);
    if (!person || !match) return refuse('badCredentials');
    slots.release();
    const { id: personId, hasCodeGenerator, hasOtherWay } = person;
    return { personId, hasCodeGenerator, hasOtherWay };
  }

  async #find(key: string): Promise<FoundPerson | undefined> {
    return this.#reads.maybe(sql<FoundPerson>`
      select id, password_hash as "passwordHash", totp_secret is not null as "hasCodeGenerator", disabled_at is null as "isActive",
        identity is not null or exists (select from passkeys k where k.person_id = people.id) as "hasOtherWay"
      from people where email_key = ${key}`);
  }
}
