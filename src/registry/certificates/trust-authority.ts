import { operatorTransaction } from '../../operations/operator-operation.ts';
import type { Certificate } from '../../platform/certificates/certificate.ts';
import { refuse } from './certificate-refusals.ts';
import { enterAuthority } from './enter-authority.ts';

type TrustedAuthority = { readonly id: number; readonly name: string };

/** Trusts an external authority, whose certificates can then be recorded. */
export const trustAuthority = operatorTransaction(
  { name: 'trust authority', right: 'operation', refusals: ['authorityKnown'] },
  {
    async transact(
      db,
      { certificate }: { readonly certificate: Certificate },
      context,
    ): Promise<TrustedAuthority> {
      const name = certificate.commonName ?? certificate.fingerprint;
      const id = await enterAuthority(db, { name, certificate, isOwn: false }, context);
      return id === undefined ? refuse('authorityKnown') : { id, name };
    },
  },
);
