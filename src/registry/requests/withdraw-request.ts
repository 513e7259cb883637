import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { changed } from '../domains/domain.ts';
import { type DomainChangePlan, persistChange } from '../domains/persist-domains.ts';
import { type FoundDomain, loadDomain, requireSponsoredDomain } from '../domains/readings/load-domain.ts';
import { withoutStatus } from '../domains/rules/domain-statuses.ts';
import type { Context, Operation } from '../operation.ts';
import { message } from '../poll/send-messages.ts';
import { refuse } from '../registry-refusals.ts';
import { PENDING_STATUS } from './answer-request.ts';

type RequestKind = keyof typeof PENDING_STATUS;
type Loaded = FoundDomain & { readonly kind: RequestKind | undefined };

/** The sponsor asks the registrant no longer: the domain is as it was before the request, and the link of the mail says so. */
export const withdrawRequest: Operation<{ readonly name: string }, Loaded, DomainChangePlan> = {
  async load(db, { name }, context) {
    const [found, kind] = await Promise.all([loadDomain(db, name, context), findOpenKind(db, name, context)]);
    return { ...found, kind };
  },

  decide(loaded, _input, context) {
    const domain = requireSponsoredDomain(loaded, context);
    const kind = loaded.kind ?? refuse('requestMissing');
    const after = { ...domain, statuses: withoutStatus(domain.statuses, PENDING_STATUS[kind]) };
    return {
      answer: changed(domain),
      operation: `withdraw ${kind}`,
      before: domain,
      after,
      requestOutcome: 'withdrawn',
      // Programs that asked over EPP wait for the end of the pending action.
      messages: [
        message('request_withdrawn', { ...domain, reason: 'the registrar has withdrawn the request' }),
      ],
    };
  },

  persist: persistChange,
};

/** One that has expired is about to be closed as lapsed. */
async function findOpenKind(db: Sql, name: string, { now }: Context): Promise<RequestKind | undefined> {
  const row = await db.maybe(sql<{ kind: RequestKind }>`
    select q.kind from registrant_requests q join domains d on d.id = q.domain_id
    where d.name = ${name} and q.closed_at is null and q.expires_at > ${now}`);
  return row?.kind;
}
