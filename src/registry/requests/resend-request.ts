import { recordHistory, requireRows } from '../../operations/record-history.ts';
import { storeAnswer } from '../../operations/stored-answers.ts';
import { isNotInSchema } from '../../platform/database/database-errors.ts';
import { writeMails } from '../../platform/mail/enqueue-mails.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { part, WithStatement } from '../../platform/sql/with.ts';
import { CONTACT_INFO } from '../contacts/contact-members.ts';
import { changed, type ContactInfo, type DomainResult } from '../domains/domain.ts';
import { type FoundDomain, loadDomain, requireSponsoredDomain } from '../domains/readings/load-domain.ts';
import { authorOf } from '../history/read-history.ts';
import type { DomainMail } from '../mails/registrant-mails.ts';
import type { Context, Operation, Plan } from '../operation.ts';
import { refuse } from '../registry-refusals.ts';
import type { PENDING_STATUS } from './answer-request.ts';
import { confirmationMail } from './request-confirmation.ts';
import { newRequestToken, type RequestToken, requestTokenHash } from './request-store.ts';

/** Nobody reads mail that comes by the minute. */
const MIN_INTERVAL_MS = 10 * 60_000;
const MAX_SENT_AGAIN = 5;

type WaitingRequest = {
  readonly id: number;
  readonly kind: keyof typeof PENDING_STATUS;
  readonly expiresAt: Date;
  readonly sentAt: Date;
  readonly sentAgain: number;
  /** Null for a deletion, and if the contact no longer exists. */
  readonly newRegistrant: ContactInfo | null;
};
type Loaded = FoundDomain & { readonly request: WaitingRequest | undefined; readonly token: RequestToken };
type Resent = Plan<DomainResult> & {
  readonly domain: { readonly id: number; readonly name: string };
  readonly request: WaitingRequest;
  readonly token: RequestToken;
  readonly mail: DomainMail;
};

/**
 * Mails the registrant once more, with another link: the database does not know the one before, which ends. The request
 * stays as it was asked, until the same day.
 */
export const resendRequest: Operation<{ readonly name: string }, Loaded, Resent> = {
  async load(db, { name }, context) {
    const [found, request] = await Promise.all([
      loadDomain(db, name, context),
      findOpenRequest(db, name, context),
    ]);
    return { ...found, request, token: newRequestToken() };
  },

  decide(loaded, _input, context) {
    const domain = requireSponsoredDomain(loaded, context);
    const request = loaded.request ?? refuse('requestMissing');
    const { newRegistrant, kind, expiresAt, sentAt, sentAgain } = request;
    if (sentAgain >= MAX_SENT_AGAIN) refuse('requestSentOften', { most: MAX_SENT_AGAIN });
    const openAt = sentAt.getTime() + MIN_INTERVAL_MS;
    const seconds = Math.ceil((openAt - context.now.getTime()) / 1_000);
    if (seconds > 0) refuse('requestSentRecently', { seconds });
    const requested =
      kind === 'deletion'
        ? { kind }
        : { kind, newRegistrant: newRegistrant ?? refuse('bodyObjectMissing', { object: '' }) };
    const mail = confirmationMail(domain, requested, { token: loaded.token, expiresAt }, context);
    return { answer: changed(domain), domain, request, token: loaded.token, mail };
  },

  async persist(db, { answer, domain, request, token, mail }, context) {
    const { id, registrarId } = { ...domain, registrarId: context.principal.registrarId };
    const { role, ...content } = mail;
    const about = { kind: 'domain', id, registrarId, role };
    const sent = sql`
      update registrant_requests q
      set token_hash = decode(${requestTokenHash(token)}, 'hex'), sent_again = q.sent_again + 1, sent_at = ${context.now}
      from domains d
      where q.id = ${request.id} and q.closed_at is null and q.sent_again = ${request.sentAgain}
        and d.id = q.domain_id and d.registrar_id = ${registrarId}
      returning d.id, d.name`;
    const entry = { objectKind: 'domain', operation: `ask again for ${request.kind}` };
    await db.run(
      WithStatement.from(storeAnswer(answer, context))
        .and(part('changed', ['stored'], sent))
        .and(writeMails([{ ...content, about }], context.now))
        .and(recordHistory(entry, authorOf(context)))
        .end(['recorded'], requireRows('recorded')),
    );
  },
};

/** One that has expired is about to be closed as lapsed. */
async function findOpenRequest(db: Sql, name: string, { now }: Context): Promise<WaitingRequest | undefined> {
  try {
    return await db.maybe(sql<WaitingRequest>`
      select q.id, q.kind, q.expires_at as "expiresAt", coalesce(q.sent_at, q.requested_at) as "sentAt", q.sent_again as "sentAgain",
        (select ${CONTACT_INFO}::jsonb from contacts c where c.id = q.new_registrant_id) as "newRegistrant"
      from registrant_requests q join domains d on d.id = q.domain_id
      where d.name = ${name} and q.closed_at is null and q.expires_at > ${now}`);
  } catch (error) {
    // The schema of 0.5.0 does not count.
    if (isNotInSchema(error)) return refuse('overload');
    throw error;
  }
}
