import { type Refusal, requireNone } from '../../operations/refusal.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import {
  requireNoGuessing,
  sameCode,
  WrongCode,
  type WrongCodes,
  wrongCodesOf,
} from '../access/wrong-codes.ts';
import { searchKey } from '../contacts/contact-fields.ts';
import type { Context, Operation } from '../operation.ts';
import { message } from '../poll/messages.ts';
import { refusal } from '../registry-refusals.ts';
import { requestConfirmation } from '../requests/request-confirmation.ts';
import { newRequestToken, type RequestToken } from '../requests/request-store.ts';
import { checkContactCounts } from './contact-rules.ts';
import { newTransferCode } from './create.ts';
import type { ContactInfo, Domain } from './domain.ts';
import { named, pending } from './domain-operation.ts';
import type { DomainParts } from './domain-parts.ts';
import { withoutForceDelete } from './force-delete.ts';
import { contactInfo, type FoundDomain, loadDomain, requireSponsoredDomain } from './load.ts';
import { type DomainChange, type DomainChangePlan, persistChange } from './persist.ts';
import { checkDisputed, requireNotProhibited } from './statuses.ts';

export type HolderRequest = {
  readonly registrant: { readonly code: string; readonly verified: boolean } | undefined;
  readonly transferCode: string | undefined;
  /** The code of a dispute about the name: with it the change is made at once, and settles the dispute. */
  readonly disputeCode?: string | undefined;
};
export type DomainUpdate = HolderRequest & { readonly name: string };
export type LoadedHolder = {
  readonly newRegistrant: ContactInfo | undefined;
  readonly generatedCode: string;
  readonly token: RequestToken;
  readonly dispute?: OpenDispute | undefined;
};
type OpenDispute = { readonly code: string | null; readonly wrongCodes: WrongCodes };

const FIELDS = { registrant: 'domain.registrant.code', disputeCode: 'domain.reserved_pw' };

/** A new registrant, a new transfer code, or both. */
export const updateDomain: Operation<DomainUpdate, FoundDomain & LoadedHolder, DomainChangePlan> = {
  async load(db, { name, registrant, disputeCode }, context) {
    const [found, newRegistrant, dispute] = await Promise.all([
      loadDomain(db, name, context),
      registrant && loadContactInfo(db, registrant.code, context),
      disputeCode === undefined ? undefined : loadDispute(db, name, context),
    ]);
    return { ...found, newRegistrant, dispute, generatedCode: newTransferCode(), token: newRequestToken() };
  },

  decide(loaded, update, context) {
    const domain = requireSponsoredDomain(loaded, context);
    requireNotProhibited('update', domain.statuses);
    const { transferCode } = update;
    const { holder, refusals } = decideHolder(domain, update, loaded, FIELDS, context);
    requireNoneOrCount(domain.name, refusals);
    if (!holder) {
      const after = { ...domain, transferCode: transferCode ?? domain.transferCode };
      return { answer: named(domain), operation: 'update', before: domain, after };
    }
    const { registrant, isNewHolder } = holder;
    if (isNewHolder) requireNotProhibited('update', domain.statuses, 'serverRegistrantChangeProhibited');
    requireNone(checkContactCounts({ ...domain, registrant }, () => FIELDS.registrant, context));
    const change = changeHolder(domain, { holder, transferCode, after: domain }, loaded, context);
    return { answer: change.request ? pending(domain) : named(domain), ...change };
  },

  persist: persistChange,
};

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
  fields: typeof FIELDS,
  { policy }: Context,
): HolderDecision {
  const disputed = { refusals: checkDisputed(true) };
  // A dispute is about who holds the name: its code allows nothing but another registrant.
  if (domain.disputed && (disputeCode === undefined || !registrant)) return disputed;
  if (!registrant) return { refusals: [] };
  if (!newRegistrant)
    return {
      refusals: [refusal('bodyObjectMissing', { object: registrant.code, field: fields.registrant })],
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
    : { refusals: [refusal('wrongCode', { what: 'reserved_pw', field: fields.disputeCode })] };
}

/** A wrong code of a dispute counts as a guess, also of the sponsor: it cannot read this code. */
export function requireNoneOrCount(name: string, refusals: readonly Refusal[]): void {
  const wrong = refusals.find((one) => one.name === 'wrongCode');
  if (wrong) throw new WrongCode(name, undefined, [wrong, ...refusals.filter((one) => one !== wrong)]);
  requireNone(refusals);
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
function isSameHolder({ ident: one }: ContactInfo, { ident: other }: ContactInfo): boolean {
  return one.ident === other.ident && one.type === other.type && one.countryCode === other.countryCode;
}

export const loadDispute = (db: Sql, name: string, { principal, now }: Context): Promise<OpenDispute> =>
  db.one(sql<OpenDispute>`
    select (select x.code from disputes x
        where x.name = ${name} and x.closed_at is null and x.starts_at <= ${now} and x.expires_at > ${now}) as code,
      ${wrongCodesOf(name, { registrarId: principal.registrarId, now })} as "wrongCodes"`);

async function loadContactInfo(
  db: Sql,
  code: string,
  { principal }: Context,
): Promise<ContactInfo | undefined> {
  const row = await db.maybe(sql<{ contact: ContactInfo }>`
    select ${contactInfo()} as contact from contacts c where c.code_key = ${searchKey(code)} and c.registrar_id = ${principal.registrarId}`);
  return row?.contact;
}
