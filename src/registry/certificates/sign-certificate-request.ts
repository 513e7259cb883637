import { operatorTransaction } from '../../operations/operator-operation.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import { refuse } from './certificate-refusals.ts';
import { enterCertificate, type SignedCertificate } from './enter-certificate.ts';
import { mailDecision } from './mail-decision.ts';
import { SIGNING_REFUSALS, type Signer, signRequest } from './sign-with-authority.ts';

type Signing = Signer & {
  readonly id: number;
  /** What the link in the mail begins with. */
  readonly publicUrl: string;
};

/** Signs a request of the queue; the registrar is told by mail, and downloads the certificate in the console. */
export const signCertificateRequest = operatorTransaction(
  {
    name: 'sign certificate request',
    right: 'registrars',
    refusals: ['requestNotWaiting', ...SIGNING_REFUSALS],
  },
  {
    async prepare(signing: Signing, context, db) {
      const request = await requireWaiting(db, signing.id);
      return signRequest(db, request, signing, context);
    },

    async transact(db, { id, publicUrl }, context, signed): Promise<SignedCertificate> {
      await requireWaiting(db, id, sql`for update`);
      await enterCertificate(db, signed, context);
      await db.run(sql`
        update certificate_requests set closed_at = ${context.now}, outcome = 'signed', certificate_serial = ${signed.certificate.serial}
        where id = ${id}`);
      await mailDecision(db, id, publicUrl, context.now);
      return signed;
    },
  },
);

/** The request itself, in PEM. */
async function requireWaiting(db: Sql, id: number, lock: Fragment = sql``): Promise<string> {
  const waiting = await db.maybe(sql<{ request: string }>`
    select request from certificate_requests where id = ${id} and closed_at is null ${lock}`);
  const { request } = waiting ?? refuse('requestNotWaiting', { id });
  return request;
}
