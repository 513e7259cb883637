import { requireNone } from '../../operations/refusal.ts';
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
import { refusal, refuse } from '../refusals.ts';
import { requestConfirmation } from '../requests/request-confirmation.ts';
import { newRequestToken, type RequestToken } from '../requests/request-store.ts';
import { named, pending } from './change.ts';
import { checkContactCounts } from './contact-rules.ts';
import { newTransferCode } from './create.ts';
import type { ContactInfo, Domain } from './domain.ts';
import { withoutForceDelete } from './force-delete.ts';
import { contactInfo, type FoundDomain, loadDomain, requireSponsoredDomain } from './load.ts';
import { type DomainChangePlan, persistChange } from './persist.ts';
import { requireNotProhibited } from './statuses.ts';

export type DomainUpdate = {
  readonly name: string;
  readonly registrant: { readonly code: string; readonly verified: boolean } | undefined;
  readonly transferCode: string | undefined;
  /** The code of a dispute about the name: with it the change is made at once, and settles the dispute. */
  readonly disputeCode?: string | undefined;
};
type Loaded = FoundDomain & {
  readonly newRegistrant: ContactInfo | undefined;
  readonly generatedCode: string;
  readonly token: RequestToken;
  readonly dispute?: OpenDispute | undefined;
};
type OpenDispute = { readonly code: string | null; readonly wrongCodes: WrongCodes };

/** A new registrant, a new transfer code, or both. */
export const updateDomain: Operation<DomainUpdate, Loaded, DomainChangePlan> = {
  async load(db, { name, registrant, disputeCode }, context) {
    const [found, newRegistrant, dispute] = await Promise.all([
      loadDomain(db, name, context),
      registrant && loadContactInfo(db, registrant.code, context),
      disputeCode === undefined ? undefined : loadDispute(db, name, context),
    ]);
    return { ...found, newRegistrant, dispute, generatedCode: newTransferCode(), token: newRequestToken() };
  },

  decide(loaded, { registrant, transferCode, disputeCode }, context) {
    const domain = requireSponsoredDomain(loaded, context);
    requireNotProhibited('update', domain.statuses);
    // A dispute is about who holds the name: its code allows nothing but another registrant.
    if (domain.disputed && (disputeCode === undefined || !registrant))
      refuse('statusProhibits', { status: 'disputed' });
    const change = { operation: 'update', before: domain };
    if (!registrant)
      return {
        ...change,
        answer: named(domain),
        after: { ...domain, transferCode: transferCode ?? domain.transferCode },
      };

    const { newRegistrant, generatedCode } = loaded;
    if (!newRegistrant)
      return refuse('bodyObjectMissing', { object: registrant.code, field: 'domain.registrant.code' });
    if (newRegistrant.id === domain.registrant.id) {
      if (domain.disputed) refuse('statusProhibits', { status: 'disputed' });
      return {
        ...change,
        answer: named(domain),
        after: { ...domain, transferCode: transferCode ?? domain.transferCode },
      };
    }
    const settled = domain.disputed
      ? requireDisputeCode(domain, loaded.dispute, disputeCode, context)
      : undefined;
    const sameHolder = isSameHolder(domain.registrant, newRegistrant);
    if (!sameHolder) requireNotProhibited('update', domain.statuses, 'serverRegistrantChangeProhibited');
    requireNone(
      checkContactCounts({ ...domain, registrant: newRegistrant }, () => 'domain.registrant.code', context),
    );
    if (sameHolder || registrant.verified || settled !== undefined) {
      const after = changedRegistrant(domain, newRegistrant, transferCode ?? generatedCode);
      const messages = [
        ...(domain.forceDelete ? [message('force_delete_lifted', domain)] : []),
        ...(settled === undefined ? [] : [message('status_cancelled', { ...domain, status: 'disputed' })]),
      ];
      return {
        ...{ ...change, operation: 'change registrant', answer: named(domain), after, messages },
        ...(settled !== undefined && { disputeCode: settled }),
      };
    }
    const requested = { kind: 'registrant change', newRegistrant, newTransferCode: transferCode } as const;
    return { answer: pending(domain), ...requestConfirmation(domain, requested, loaded.token, context) };
  },

  persist: persistChange,
};

/** The transfer code is replaced, since the previous registrant may know it, and a force delete against the previous registrant is lifted. */
export function changedRegistrant(domain: Domain, registrant: ContactInfo, transferCode: string): Domain {
  return { ...withoutForceDelete(domain), registrant, transferCode };
}

/** The same person or organisation under another contact: no confirmation is needed. */
function isSameHolder({ ident: one }: ContactInfo, { ident: other }: ContactInfo): boolean {
  return one.ident === other.ident && one.type === other.type && one.countryCode === other.countryCode;
}

/** The code, if it is that of the dispute. A wrong one counts as a guess, also of the sponsor: it cannot read this code. */
function requireDisputeCode(
  { name }: Domain,
  dispute: OpenDispute | undefined,
  given: string | undefined,
  { policy }: Context,
): string {
  if (!dispute || dispute.code === null || given === undefined)
    return refuse('statusProhibits', { status: 'disputed' });
  requireNoGuessing(dispute.wrongCodes, policy);
  if (sameCode(given, dispute.code)) return dispute.code;
  const field = 'domain.reserved_pw';
  throw new WrongCode(name, undefined, [refusal('wrongCode', { what: 'reserved_pw', field })]);
}

const loadDispute = (db: Sql, name: string, { principal, now }: Context): Promise<OpenDispute> =>
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
