import { type Refusal, requireNone } from '../../operations/refusal.ts';
import { sql } from '../../platform/sql/statement.ts';
import { WrongCode } from '../access/wrong-transfer-codes.ts';
import { searchKey } from '../contacts/contact-fields.ts';
import { CONTACT_INFO } from '../contacts/contact-members.ts';
import type { Operation } from '../operation.ts';
import { newRequestToken } from '../requests/request-store.ts';
import { applyParts, checkCounts, checkPartsProhibited, isEmpty } from './apply-parts.ts';
import {
  changeHolder,
  decideHolder,
  type HolderRequest,
  type LoadedHolder,
  loadDispute,
} from './change-registrant.ts';
import { newTransferCode } from './create-domain.ts';
import { type ContactInfo, changed, type Domain, waiting, type WholeDomain } from './domain.ts';
import { type DomainParts, type NamedContact, NO_PARTS } from './rules/domain-parts.ts';
import { type FoundDomain, loadWholeDomain, requireSponsoredDomain } from './readings/load-domain.ts';
import { type DomainChangePlan, persistChange } from './persist-domains.ts';

/** Any changes of one domain, all or none. */
export type DomainUpdate = HolderRequest & {
  readonly name: string;
  readonly transferCode?: string | undefined;
  /** Null removes it. No registrant is asked about it. */
  readonly reference?: string | null | undefined;
  /** All contacts that the domain is to have, in place of those that are removed and added. */
  readonly contacts?: readonly NamedContact[] | undefined;
  readonly remove?: Partial<Removal>;
  readonly add?: Partial<DomainParts['add']>;
};
type Removal = Omit<DomainParts['remove'], 'nameservers'> & {
  readonly nameservers: 'all' | DomainParts['remove']['nameservers'];
};
type Loaded = FoundDomain & Omit<LoadedHolder, 'newRegistrant'> & { readonly own: readonly ContactInfo[] };

export const updateDomain: Operation<DomainUpdate, Loaded, DomainChangePlan<WholeDomain>> = {
  async load(db, { name, add, contacts = [], registrant, disputeCode }, context) {
    const named = [...(add?.contacts ?? []), ...contacts, ...(registrant ? [registrant] : [])];
    const codes = named.map(({ code }) => searchKey(code));
    const [found, own, dispute] = await Promise.all([
      loadWholeDomain(db, name, context),
      codes.length === 0
        ? []
        : db.rows(sql<{ contact: ContactInfo }>`
            select ${CONTACT_INFO} as contact from contacts c
            where c.code_key = any(${codes}::text[]) and c.registrar_id = ${context.principal.registrarId}`),
      disputeCode === undefined ? undefined : loadDispute(db, name, context),
    ]);
    const random = { generatedCode: newTransferCode(), token: newRequestToken() };
    return { ...found, own: own.map(({ contact }) => contact), dispute, ...random };
  },

  decide(loaded, update, context) {
    const domain = requireSponsoredDomain(loaded, context);
    const { registrant, transferCode, reference } = update;
    const parts = partsOf(update, domain);
    const own = [registrant, transferCode, reference];
    const isOther = own.some((member) => member !== undefined) || !namesParts(update);
    const newRegistrant =
      registrant && loaded.own.find(({ code }) => searchKey(code) === searchKey(registrant.code));
    const { holder, refusals } = isOther
      ? decideHolder(domain, update, { ...loaded, newRegistrant }, context)
      : { refusals: [] };
    const { domain: changedParts, refusals: ofParts } = applyParts(domain, parts, loaded.own, context);
    const after = reference === undefined ? changedParts : { ...changedParts, reference };
    const result = holder ? { ...after, registrant: holder.registrant } : after;
    requireNoneOrCount(domain.name, [
      ...checkPartsProhibited(domain, parts, { isNewHolder: holder?.isNewHolder === true, isOther }),
      ...refusals,
      ...ofParts,
      ...checkCounts(result, parts, holder !== undefined, context),
    ]);
    const shown = { updatedAt: context.now, charged: 0n };
    if (!holder)
      return {
        answer: { ...changed(domain), domain: after, ...shown },
        operation: nameOf(parts, isOther),
        before: domain,
        after: { ...after, transferCode: transferCode ?? domain.transferCode },
      };
    const furtherChanges = isEmpty(parts) ? undefined : parts;
    const change = changeHolder(domain, { holder, transferCode, after, furtherChanges }, loaded, context);
    // It is nobody's but the sponsor's: it does not wait for the registrant.
    const changedTo = { ...change.after, reference: after.reference };
    const written = { ...changedTo, disputed: domain.disputed && change.disputeCode === undefined };
    const outcome = change.request ? waiting(domain) : changed(domain);
    return { answer: { ...outcome, domain: written, ...shown }, ...change, after: changedTo };
  },

  persist: persistChange,
};

/** Whether it is about parts of the domain, also where it then changes none. */
const namesParts = ({ contacts, remove = {}, add = {} }: DomainUpdate): boolean =>
  contacts !== undefined ||
  [...Object.values(remove), ...Object.values(add)].some(({ length }) => length > 0);

/** What the update removes and adds, each item named. */
function partsOf({ contacts, remove, add }: DomainUpdate, domain: Domain): DomainParts {
  const named = {
    remove: { ...NO_PARTS.remove, ...remove, nameservers: removedHosts(remove?.nameservers, domain) },
    add: { ...NO_PARTS.add, ...add },
  };
  if (!contacts) return named;
  const keyOf = ({ code, role }: Pick<NamedContact, 'code' | 'role'>) => `${role} ${searchKey(code)}`;
  const [wanted, present] = [new Set(contacts.map(keyOf)), new Set(domain.contacts.map(keyOf))];
  const removed = domain.contacts
    .filter((contact) => !wanted.has(keyOf(contact)))
    .map(({ code, role }) => ({ code, role }));
  const added = contacts
    .map((contact, index) => ({ ...contact, at: ['contacts', index] as const }))
    .filter((contact) => !present.has(keyOf(contact)));
  return {
    remove: { ...named.remove, contacts: removed },
    add: { ...named.add, contacts: added },
  };
}

const removedHosts = (
  hosts: Removal['nameservers'] = [],
  { nameservers }: Domain,
): DomainParts['remove']['nameservers'] =>
  hosts === 'all' ? nameservers.map(({ hostname }) => ({ hostname })) : hosts;

/** What history calls it: the change of a single status has a name of its own. */
function nameOf({ remove, add }: DomainParts, isOther: boolean): string {
  const others = [remove.contacts, remove.nameservers, remove.keys, add.contacts, add.nameservers, add.keys];
  if (isOther || others.some(({ length }) => length > 0)) return 'update';
  const [one, ...more] = [
    ...remove.statuses.map(({ status }) => `remove ${status}`),
    ...add.statuses.map(({ status }) => `set ${status}`),
  ];
  return one !== undefined && more.length === 0 ? one : 'update';
}

/** A wrong code of a dispute counts as a guess, also of the sponsor: it cannot read this code. */
function requireNoneOrCount(name: string, refusals: readonly Refusal[]): void {
  const wrong = refusals.find((one) => one.name === 'wrongCode');
  if (wrong) throw new WrongCode(name, undefined, [wrong, ...refusals.filter((one) => one !== wrong)]);
  requireNone(refusals);
}
