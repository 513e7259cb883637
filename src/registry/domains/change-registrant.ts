import type { Refusal } from '../../operations/refusal.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import {
  requireNoGuessing,
  sameCode,
  type WrongCodes,
  wrongCodesOf,
} from '../access/wrong-transfer-codes.ts';
import { disputeInForce } from '../names/dispute-in-force.ts';
import type { Context } from '../operation.ts';
import { message } from '../poll/send-messages.ts';
import { requestConfirmation } from '../requests/request-confirmation.ts';
import type { RequestToken } from '../requests/request-store.ts';
import type { ContactInfo, Domain } from './domain.ts';
import type { DomainParts } from './rules/domain-parts.ts';
import { refusal } from './rules/domain-refusals.ts';
import { withoutForceDelete } from './rules/force-delete.ts';
import type { DomainChange } from './persist-domains.ts';
import { checkDisputed } from './rules/domain-statuses.ts';

/** What an update says about the registrant. */
export type HolderRequest = {
  readonly registrant?: { readonly code: string; readonly verified: boolean } | undefined;
  /** The code of a dispute about the name: with it the change is made at once, and settles the dispute. */
  readonly disputeCode?: string | undefined;
};
export type LoadedHolder = {
  readonly newRegistrant: ContactInfo | undefined;
  readonly generatedCode: string;
  readonly token: RequestToken;
  readonly dispute?: OpenDispute | undefined;
};
type OpenDispute = { readonly code: string | null; readonly wrongCodes: WrongCodes };

type HolderChange = {
  readonly registrant: ContactInfo;
  /** Another person or organisation, not just another contact of the same one. */
  readonly isNewHolder: boolean;
  readonly needsConfirmation: boolean;
  /** The code of the dispute that the change settles. */
  readonly disputeCode: string | undefined;
};
type HolderDecision = {
  /** Undefined if the registrant stays. */
  readonly holder?: HolderChange;
  readonly refusals: readonly Refusal[];
};

/** Whether a request changes the registrant, and how; the first thing that is wrong with that is refused. */
export function decideHolder(
  domain: Domain,
  { registrant, disputeCode }: HolderRequest,
  { newRegistrant, dispute }: Pick<LoadedHolder, 'newRegistrant' | 'dispute'>,
  { policy }: Context,
): HolderDecision {
  const disputed = { refusals: checkDisputed(true) };
  // A dispute is about who holds the name: its code allows nothing but another registrant.
  if (domain.disputed && (disputeCode === undefined || !registrant)) return disputed;
  if (!registrant) return { refusals: [] };
  if (!newRegistrant)
    return {
      refusals: [refusal('bodyObjectMissing', { object: registrant.code, at: ['registrant'] })],
    };
  if (newRegistrant.id === domain.registrant.id) return domain.disputed ? disputed : { refusals: [] };
  const isNewHolder = !isSameHolder(domain.registrant, newRegistrant);
  const change = { registrant: newRegistrant, isNewHolder };
  if (!domain.disputed) {
    const needsConfirmation = isNewHolder && !registrant.verified;
    return { holder: { ...change, needsConfirmation, disputeCode: undefined }, refusals: [] };
  }
  if (!dispute || dispute.code === null || disputeCode === undefined) return disputed;
  requireNoGuessing(dispute.wrongCodes, policy);
  return sameCode(disputeCode, dispute.code)
    ? { holder: { ...change, needsConfirmation: false, disputeCode: dispute.code }, refusals: [] }
    : { refusals: [refusal('wrongCode', { at: ['disputeCode'] })] };
}

type HolderChangeRequest = {
  readonly holder: HolderChange;
  readonly transferCode: string | undefined;
  /** The domain with the other changes of the request. */
  readonly after: Domain;
  /** Those other changes: if the registrant must confirm, they wait too. */
  readonly furtherChanges?: DomainParts | undefined;
};

export function changeHolder(
  domain: Domain,
  { holder, transferCode, after, furtherChanges }: HolderChangeRequest,
  { generatedCode, token }: Pick<LoadedHolder, 'generatedCode' | 'token'>,
  context: Context,
): DomainChange {
  const { registrant: newRegistrant, disputeCode } = holder;
  if (holder.needsConfirmation) {
    const kind = 'registrant change';
    const requested = { kind, newRegistrant, newTransferCode: transferCode, furtherChanges } as const;
    return requestConfirmation(domain, requested, token, context);
  }
  return {
    operation: 'change registrant',
    before: domain,
    after: changedRegistrant(after, newRegistrant, transferCode ?? generatedCode),
    messages: [
      ...(domain.forceDelete ? [message('force_delete_lifted', domain)] : []),
      ...(disputeCode === undefined ? [] : [message('status_cancelled', { ...domain, status: 'disputed' })]),
    ],
    ...(disputeCode !== undefined && { disputeCode }),
  };
}

/** The transfer code is replaced, since the previous registrant may know it, and a force delete against the previous registrant is lifted. */
export function changedRegistrant(domain: Domain, registrant: ContactInfo, transferCode: string): Domain {
  return { ...withoutForceDelete(domain), registrant, transferCode };
}

/** The same person or organisation under another contact: no confirmation is needed. */
export function isSameHolder({ ident: one }: ContactInfo, { ident: other }: ContactInfo): boolean {
  return one.ident === other.ident && one.type === other.type && one.countryCode === other.countryCode;
}

export const loadDispute = (db: Sql, name: string, { principal, now }: Context): Promise<OpenDispute> =>
  db.one(sql<OpenDispute>`
    select (select x.code from ${disputeInForce(name, now)}) as code,
      ${wrongCodesOf(name, { registrarId: principal.registrarId, now })} as "wrongCodes"`);
