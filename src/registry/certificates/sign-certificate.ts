import { operatorTransaction } from '../../operations/operator-operation.ts';
import { enterCertificate, type SignedCertificate } from './enter-certificate.ts';
import { SIGNING_REFUSALS, type Signer, signRequest } from './sign-with-authority.ts';

type Signing = Signer & {
  /** In PEM, as made by the owner of the key. */
  readonly request: string;
};

/** Signs a certificate for a user whose registrar has sent a request. */
export const signCertificate = operatorTransaction(
  { name: 'sign certificate', right: 'registrars', refusals: SIGNING_REFUSALS },
  {
    prepare: (signing: Signing, context, db) => signRequest(db, signing.request, signing, context),

    async transact(db, _signing, context, signed): Promise<SignedCertificate> {
      await enterCertificate(db, signed, context);
      return signed;
    },
  },
);
