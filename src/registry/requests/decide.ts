import type { Refusal } from '../../operations/refusal.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Author } from '../author.ts';
import { changedRegistrant } from '../domains/change-registrant.ts';
import { refuseWrongCounts } from '../domains/contact-rules.ts';
import { deletedDomain } from '../domains/delete.ts';
import type { ContactInfo, Domain } from '../domains/domain.ts';
import type { Change } from '../domains/persist.ts';
import { isProhibited, withoutStatus } from '../domains/statuses.ts';
import { message } from '../poll/texts.ts';
import { refusal } from '../refusals.ts';

export type OpenRequest = {
  readonly kind: 'registrant change' | 'deletion';
  readonly lapsesAt: Date;
  /** Null where the contact is gone by now. */
  readonly newRegistrant: (ContactInfo & { readonly registrarId: number }) | null;
  /** The one that was asked for, or a fresh one. */
  readonly newTransferCode: string;
};
export type Decision = 'confirm' | 'reject' | 'lapse';
type Moment = { readonly now: Date; readonly policy: Policy };

const PENDING = { 'registrant change': 'pendingUpdate', deletion: 'pendingDeleteConfirmation' } as const;
const WORD = { 'registrant change': 'update', deletion: 'deletion' } as const;
const ENDED = { reject: 'rejected', lapse: 'lapsed' } as const;

/** What becomes of the domain. What was asked is done as it was asked, or not at all, and the sponsor hears why. */
export function decideRequest(
  domain: Domain,
  request: OpenRequest,
  decision: Decision,
  moment: Moment,
): Change {
  const word = WORD[request.kind];
  const freed = { ...domain, statuses: withoutStatus(domain.statuses, PENDING[request.kind]) };
  if (decision !== 'confirm')
    return {
      operation: `${ENDED[decision]} ${request.kind}`,
      before: domain,
      after: freed,
      requestOutcome: ENDED[decision],
      messages: [message(`${word}_${ENDED[decision]}`, domain)],
    };
  const [first] = refuseNow(freed, request, moment);
  if (first)
    return {
      operation: `failed ${request.kind}`,
      before: domain,
      after: freed,
      requestOutcome: 'failed',
      messages: [message(`${word}_failed`, { ...domain, why: first.message })],
    };
  const after = request.kind === 'deletion' ? deletedDomain(freed, moment) : withRegistrant(freed, request);
  return {
    operation: `confirmed ${request.kind}`,
    before: domain,
    after,
    requestOutcome: 'confirmed',
    messages: [
      message(`${word}_confirmed`, domain),
      ...(domain.forceDelete && !after.forceDelete ? [message('force_delete_lifted', domain)] : []),
    ],
  };
}

/** Much may have happened since it was asked: the same rules count as for a change at once. */
function refuseNow(domain: Domain, { kind, newRegistrant }: OpenRequest, moment: Moment): Refusal[] {
  if (kind === 'deletion')
    return isProhibited('delete', domain.statuses) || domain.disputed ? [refusal('statusProhibits')] : [];
  if (isProhibited('update', domain.statuses, 'serverRegistrantChangeProhibited') || domain.disputed)
    return [refusal('statusProhibits')];
  if (newRegistrant?.registrarId !== domain.registrarId)
    return [
      { ...refusal('bodyObjectMissing', { object: '' }), message: 'The new registrant no longer exists' },
    ];
  return refuseWrongCounts({ ...domain, registrant: newRegistrant }, () => 'registrant', moment);
}

function withRegistrant(domain: Domain, { newRegistrant, newTransferCode }: OpenRequest): Domain {
  if (!newRegistrant) throw new Error('a request without a new registrant was not refused');
  const { registrarId: _, ...registrant } = newRegistrant;
  return changedRegistrant(domain, registrant, newTransferCode);
}

/** The registrant himself, through the link he was sent. */
export const theRegistrant = (now: Date, requestId: string): Author => ({
  actor: 'registrant',
  registrarId: null,
  requestId,
  now,
});
