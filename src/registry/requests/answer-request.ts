import { runTransaction } from '../../operations/in-transaction.ts';
import type { Refusal } from '../../operations/refusal.ts';
import { textOf } from '../../operations/refusal.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import { searchKey } from '../contacts/contact-fields.ts';
import { CONTACT_INFO } from '../contacts/contact-members.ts';
import { applyParts, checkCounts, checkPartsProhibited } from '../domains/apply-parts.ts';
import { changedRegistrant } from '../domains/change-registrant.ts';
import { checkContactCounts } from '../domains/rules/contact-rules.ts';
import { newTransferCode } from '../domains/create-domain.ts';
import { deletedDomain } from '../domains/delete-domain.ts';
import type { ContactInfo, Domain } from '../domains/domain.ts';
import type { Changed, DomainParts } from '../domains/rules/domain-parts.ts';
import { type DomainChange, persistChanges } from '../domains/persist-domains.ts';
import { readLocked } from '../domains/readings/read-locked.ts';
import { checkProhibited, withoutStatus } from '../domains/rules/domain-statuses.ts';
import type { Author } from '../history/read-history.ts';
import { message } from '../poll/send-messages.ts';
import { refusal } from '../registry-refusals.ts';
import { type RequestOutcome, requestTokenHash } from './request-store.ts';

/** A request as shown to its registrant. */
export type ShownRequest = {
  readonly kind: 'registrant change' | 'deletion';
  readonly domain: string;
  readonly registrar: string;
  readonly registrant: string;
  /** Null for a deletion, and if the contact no longer exists. */
  readonly newRegistrant: string | null;
  /** Whether the request changes more than the registrant. */
  readonly hasFurtherChanges: boolean;
  readonly requestedAt: Date;
  readonly expiresAt: Date;
  readonly state: 'open' | RequestOutcome;
};

/** The request of a link; undefined if the token is unknown or the domain was deleted. */
export async function findRequest(db: Sql, token: string, now: Date): Promise<ShownRequest | undefined> {
  return db.maybe(sql<ShownRequest>`
    select q.kind, d.name as domain, r.name as registrar, c.name as registrant, n.name as "newRegistrant",
      q.further_changes is not null as "hasFurtherChanges", q.requested_at as "requestedAt", q.expires_at as "expiresAt",
      coalesce(q.outcome, case when q.expires_at <= ${now} then 'lapsed' else 'open' end) as state
    from registrant_requests q
    join domains d on d.id = q.domain_id
    join registrars r on r.id = q.registrar_id
    join contacts c on c.id = d.registrant_id
    left join contacts n on n.id = q.new_registrant_id
    where q.token_hash = decode(${requestTokenHash(token)}, 'hex')`);
}

type Dependencies = { readonly database: Database; readonly policy: Policy };

/** Executes the registrant's decision once; later calls return its outcome. */
export async function answerRequest(
  { database, policy }: Dependencies,
  token: string,
  decision: 'confirm' | 'reject',
  { now, requestId }: { readonly now: Date; readonly requestId: string },
): Promise<ShownRequest | undefined> {
  await runTransaction(database.writes, now, async (db) => {
    const open = await lockOpenRequest(db, token, now);
    if (!open) return;
    const { domain, ...request } = open;
    const change = decideRequest(domain, request, decision, { now, policy });
    await persistChanges(db, [change], registrantAuthor(now, requestId));
  });
  return findRequest(database.writes, token, now);
}

async function lockOpenRequest(db: Sql, token: string, now: Date) {
  type Row = {
    id: number;
    kind: ShownRequest['kind'];
    expiresAt: Date;
    newTransferCode: string | null;
    newRegistrantId: number | null;
    furtherChanges: DomainParts | null;
  };
  const row = await db.maybe(sql<Row>`
    select d.id, q.kind, q.expires_at as "expiresAt", q.new_transfer_code as "newTransferCode", q.new_registrant_id as "newRegistrantId",
      q.further_changes as "furtherChanges"
    from registrant_requests q join domains d on d.id = q.domain_id
    where q.token_hash = decode(${requestTokenHash(token)}, 'hex') and q.closed_at is null and q.expires_at > ${now}
    for update of d, q`);
  const [domain] = row ? await readLocked(db, [row.id], now) : [];
  if (!row || !domain) return undefined;
  const contact = await db.maybe(sql<{ info: ContactInfo & { registrarId: number } }>`
    select ${CONTACT_INFO}::jsonb || jsonb_build_object('registrarId', c.registrar_id) as info
    from contacts c where c.id = ${row.newRegistrantId}`);
  const { kind, expiresAt, furtherChanges } = row;
  const own = furtherChanges ? await loadNamedContacts(db, furtherChanges, domain.registrarId) : [];
  return {
    domain,
    kind,
    expiresAt,
    newRegistrant: contact?.info ?? null,
    newTransferCode: row.newTransferCode ?? newTransferCode(),
    ...(furtherChanges && { further: { changes: furtherChanges, own } }),
  };
}

/** The contacts that a request adds may have changed since it was made. */
async function loadNamedContacts(db: Sql, { add }: DomainParts, registrarId: number): Promise<ContactInfo[]> {
  const keys = add.contacts.map(({ code }) => searchKey(code));
  const rows = await db.rows(sql<{ contact: ContactInfo }>`
    select ${CONTACT_INFO} as contact from contacts c
    where c.code_key = any(${keys}::text[]) and c.registrar_id = ${registrarId}`);
  return rows.map(({ contact }) => contact);
}

export type OpenRequest = {
  readonly kind: 'registrant change' | 'deletion';
  readonly expiresAt: Date;
  /** Null if the contact no longer exists. */
  readonly newRegistrant: (ContactInfo & { readonly registrarId: number }) | null;
  /** The requested one, or a generated one. */
  readonly newTransferCode: string;
  /** What the request changes besides the registrant, and the sponsor's contacts that it names. */
  readonly further?: { readonly changes: DomainParts; readonly own: readonly ContactInfo[] };
};
export type Decision = 'confirm' | 'reject' | 'lapse';
type DecisionContext = { readonly now: Date; readonly policy: Policy };

/** The status of a domain whose request waits. */
export const PENDING_STATUS = {
  'registrant change': 'pendingUpdate',
  deletion: 'pendingDeleteConfirmation',
} as const;
const WORD = { 'registrant change': 'update', deletion: 'deletion' } as const;
const ENDED = { reject: 'rejected', lapse: 'lapsed' } as const;

/** Applies the decision to the domain. A confirmed request is executed exactly as it was made or not at all, and the sponsor is notified why. */
export function decideRequest(
  domain: Domain,
  request: OpenRequest,
  decision: Decision,
  context: DecisionContext,
): DomainChange {
  const word = WORD[request.kind];
  const freed = { ...domain, statuses: withoutStatus(domain.statuses, PENDING_STATUS[request.kind]) };
  if (decision !== 'confirm')
    return {
      operation: `${ENDED[decision]} ${request.kind}`,
      before: domain,
      after: freed,
      requestOutcome: ENDED[decision],
      messages: [message(`${word}_${ENDED[decision]}`, domain)],
    };
  const changed = withFurtherChanges(freed, request, context);
  const [first] = [...checkStillPossible(freed, request, context), ...changed.refusals];
  if (first)
    return {
      operation: `failed ${request.kind}`,
      before: domain,
      after: freed,
      requestOutcome: 'failed',
      messages: [message(`${word}_failed`, { ...domain, reason: textOf(first) })],
    };
  const after =
    request.kind === 'deletion' ? deletedDomain(freed, context) : withRegistrant(changed.domain, request);
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

/** The state may have changed since the request: the rules of an immediate change apply. */
function checkStillPossible(
  domain: Domain,
  { kind, newRegistrant, further }: OpenRequest,
  context: DecisionContext,
): Refusal[] {
  const prohibited = [
    ...(kind === 'deletion'
      ? checkProhibited('delete', domain.statuses)
      : checkProhibited('update', domain.statuses, 'serverRegistrantChangeProhibited')),
    ...(domain.disputed ? [refusal('statusProhibits', { status: 'disputed' })] : []),
  ];
  if (kind === 'deletion' || prohibited.length > 0) return prohibited.slice(0, 1);
  if (newRegistrant?.registrarId !== domain.registrarId)
    return [{ ...refusal('bodyObjectMissing', { object: '' }), text: 'The new registrant no longer exists' }];
  // With further changes the counts are those of the result.
  return further
    ? []
    : checkContactCounts({ ...domain, registrant: newRegistrant }, () => ['registrant'], context);
}

function withFurtherChanges(
  domain: Domain,
  { further, newRegistrant }: OpenRequest,
  context: DecisionContext,
): Changed {
  if (!further || !newRegistrant) return { domain, refusals: [] };
  const { changes, own } = further;
  const changed = applyParts(domain, changes, own, context);
  const result = { ...changed.domain, registrant: newRegistrant };
  return {
    domain: changed.domain,
    refusals: [
      ...checkPartsProhibited(domain, changes, { isNewHolder: true, isOther: true }),
      ...changed.refusals,
      ...checkCounts(result, changes, true, context),
    ],
  };
}

function withRegistrant(domain: Domain, { newRegistrant, newTransferCode }: OpenRequest): Domain {
  if (!newRegistrant) throw new Error('a request without a new registrant was not refused');
  const { registrarId: _, ...registrant } = newRegistrant;
  return changedRegistrant(domain, registrant, newTransferCode);
}

/** The registrant, authenticated by the link in the mail. */
const registrantAuthor = (now: Date, requestId: string): Author => ({
  actor: 'registrant',
  registrarId: null,
  requestId,
  now,
});
