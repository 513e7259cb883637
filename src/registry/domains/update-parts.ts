import { sql } from '../../platform/sql/statement.ts';
import { searchKey } from '../contacts/contact-fields.ts';
import type { Operation } from '../operation.ts';
import { newRequestToken } from '../requests/request-store.ts';
import { applyParts, checkCounts, checkPartsProhibited, isEmpty } from './apply-parts.ts';
import { newTransferCode } from './create.ts';
import type { ContactInfo } from './domain.ts';
import { named, pending } from './domain-operation.ts';
import type { DomainParts } from './domain-parts.ts';
import { contactInfo, type FoundDomain, loadDomain, requireSponsoredDomain } from './load.ts';
import { type DomainChangePlan, persistChange } from './persist.ts';
import {
  changeHolder,
  decideHolder,
  type HolderRequest,
  type LoadedHolder,
  loadDispute,
  requireNoneOrCount,
} from './update.ts';

/**
 * Any changes of one domain, all or none. Refusals name the fields of the named parts, or `add.nameservers.<i>`,
 * `add.keys.<i>`, `remove.keys.<i>`, `registrant`, `disputeCode`, and for counts `contacts`, `nameservers` and `keys`.
 */
export type DomainPartsUpdate = DomainParts & HolderRequest & { readonly name: string };
type Loaded = FoundDomain & Omit<LoadedHolder, 'newRegistrant'> & { readonly own: readonly ContactInfo[] };

const FIELDS = { registrant: 'registrant', disputeCode: 'disputeCode' };

export const updateDomainParts: Operation<DomainPartsUpdate, Loaded, DomainChangePlan> = {
  async load(db, { name, add, registrant, disputeCode }, context) {
    const codes = [...add.contacts, ...(registrant ? [registrant] : [])].map(({ code }) => searchKey(code));
    const [found, own, dispute] = await Promise.all([
      loadDomain(db, name, context),
      codes.length === 0
        ? []
        : db.rows(sql<{ contact: ContactInfo }>`
            select ${contactInfo()} as contact from contacts c
            where c.code_key = any(${codes}::text[]) and c.registrar_id = ${context.principal.registrarId}`),
      disputeCode === undefined ? undefined : loadDispute(db, name, context),
    ]);
    const random = { generatedCode: newTransferCode(), token: newRequestToken() };
    return { ...found, own: own.map(({ contact }) => contact), dispute, ...random };
  },

  decide(loaded, update, context) {
    const domain = requireSponsoredDomain(loaded, context);
    const { registrant, transferCode } = update;
    const newRegistrant =
      registrant && loaded.own.find(({ code }) => searchKey(code) === searchKey(registrant.code));
    const isOther = registrant !== undefined || transferCode !== undefined;
    const { holder, refusals } = isOther
      ? decideHolder(domain, update, { ...loaded, newRegistrant }, FIELDS, context)
      : { refusals: [] };
    const changed = applyParts(domain, update, loaded.own, context);
    const result = holder ? { ...changed.domain, registrant: holder.registrant } : changed.domain;
    requireNoneOrCount(domain.name, [
      ...checkPartsProhibited(domain, update, { isNewHolder: holder?.isNewHolder === true, isOther }),
      ...refusals,
      ...changed.refusals,
      ...checkCounts(result, update, holder !== undefined, context),
    ]);
    if (!holder) {
      const after = { ...changed.domain, transferCode: transferCode ?? domain.transferCode };
      return { answer: named(domain), operation: 'update', before: domain, after };
    }
    const { remove, add } = update;
    const furtherChanges = isEmpty(update) ? undefined : { remove, add };
    const change = changeHolder(
      domain,
      { holder, transferCode, after: changed.domain, furtherChanges },
      loaded,
      context,
    );
    return { answer: change.request ? pending(domain) : named(domain), ...change };
  },

  persist: persistChange,
};
