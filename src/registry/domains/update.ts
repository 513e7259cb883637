import { requireNone } from '../../operations/refusal.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { searchKey } from '../contacts/contact-fields.ts';
import type { Context, Operation } from '../operation.ts';
import { message } from '../poll/messages.ts';
import { refuse } from '../refusals.ts';
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
};
type Loaded = FoundDomain & {
  readonly newRegistrant: ContactInfo | undefined;
  readonly generatedCode: string;
  readonly token: RequestToken;
};

/** A new registrant, a new transfer code, or both. */
export const updateDomain: Operation<DomainUpdate, Loaded, DomainChangePlan> = {
  async load(db, { name, registrant }, context) {
    const [found, newRegistrant] = await Promise.all([
      loadDomain(db, name, context),
      registrant && loadContactInfo(db, registrant.code, context),
    ]);
    return { ...found, newRegistrant, generatedCode: newTransferCode(), token: newRequestToken() };
  },

  decide(loaded, { registrant, transferCode }, context) {
    const domain = requireSponsoredDomain(loaded, context);
    requireNotProhibited('update', domain.statuses);
    if (domain.disputed) refuse('statusProhibits', { status: 'disputed' });
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
    if (newRegistrant.id === domain.registrant.id)
      return {
        ...change,
        answer: named(domain),
        after: { ...domain, transferCode: transferCode ?? domain.transferCode },
      };
    const sameHolder = isSameHolder(domain.registrant, newRegistrant);
    if (!sameHolder) requireNotProhibited('update', domain.statuses, 'serverRegistrantChangeProhibited');
    requireNone(
      checkContactCounts({ ...domain, registrant: newRegistrant }, () => 'domain.registrant.code', context),
    );
    if (sameHolder || registrant.verified) {
      const after = changedRegistrant(domain, newRegistrant, transferCode ?? generatedCode);
      const messages = domain.forceDelete ? [message('force_delete_lifted', domain)] : [];
      return { ...change, operation: 'change registrant', answer: named(domain), after, messages };
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

async function loadContactInfo(
  db: Sql,
  code: string,
  { principal }: Context,
): Promise<ContactInfo | undefined> {
  const row = await db.maybe(sql<{ contact: ContactInfo }>`
    select ${contactInfo()} as contact from contacts c where c.code_key = ${searchKey(code)} and c.registrar_id = ${principal.registrarId}`);
  return row?.contact;
}
