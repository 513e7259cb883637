import { operatorTransaction } from '../../operations/operator-operation.ts';
import { readCertificate } from '../../platform/certificates/certificate.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { isBlank } from '../../platform/values/normalise-text.ts';
import { type AuthorityKeys, findSigningAuthority } from './authority-keys.ts';
import { refuse } from './certificate-refusals.ts';
import { enterAuthority } from './enter-authority.ts';

type NewAuthority = {
  /** The CN of its certificate. */
  readonly name: string;
  /** Instead of the one that signs, which stays trusted for what it has signed. */
  readonly replaces: boolean;
  readonly keys: Pick<AuthorityKeys, 'keep' | 'fileOf'>;
};
type CreatedAuthority = {
  readonly id: number;
  readonly name: string;
  readonly until: Date;
  readonly keyFile: string;
};

/** Creates an authority of our own, whose key signs certificates from now on. */
export const createOwnAuthority = operatorTransaction(
  {
    name: 'create authority',
    right: 'operation',
    refusals: ['authorityNameEmpty', 'authoritySigns'],
  },
  {
    async prepare({ name, replaces, keys }: NewAuthority, { now, policy, dryRun }, db) {
      if (isBlank(name)) refuse('authorityNameEmpty');
      await requireNoneSigns(db, replaces);
      // Loaded where it is needed: the library takes longer to load than most commands run.
      const { createAuthority } = await import('../../platform/certificates/authority.ts');
      const until = new Date(now);
      until.setUTCFullYear(until.getUTCFullYear() + policy.certificates.authorityYears);
      const { certificate: pem, key } = await createAuthority(name, { from: now, until });
      const certificate = readCertificate(pem);
      if (!certificate) throw new Error('an authority was made that cannot be read');
      // Before the authority is entered: one without its key could sign nothing.
      if (!dryRun) await keys.keep(certificate, key);
      return { certificate, until };
    },

    async transact(db, { name, replaces, keys }, context, prepared): Promise<CreatedAuthority> {
      const { certificate, until } = prepared;
      await requireNoneSigns(db, replaces);
      await db.run(sql`update authorities set signs = false where signs`);
      const id = await enterAuthority(db, { name, certificate, isOwn: true }, context);
      if (id === undefined) throw new Error('a new authority has the fingerprint of another');
      return { id, name, until, keyFile: keys.fileOf(certificate) };
    },
  },
);

async function requireNoneSigns(db: Sql, replaces: boolean): Promise<void> {
  const signing = replaces ? undefined : await findSigningAuthority(db);
  if (signing) refuse('authoritySigns', { at: ['replaces'], id: signing.id });
}
