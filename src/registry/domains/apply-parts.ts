import type { Refusal } from '../../operations/refusal.ts';
import type { Context } from '../operation.ts';
import { roleGuards, withContacts, withoutContacts } from './change-contacts.ts';
import { withKeys, withoutKeys } from './change-keys.ts';
import { withNameservers, withoutNameservers } from './change-nameservers.ts';
import { withClientStatus, withoutClientStatus } from './change-status.ts';
import { checkContactCounts } from './rules/contact-rules.ts';
import { checkKeyCount } from './rules/dnssec-keys.ts';
import type { ContactInfo, Domain } from './domain.ts';
import { applyAll, type Changed, type DomainParts } from './rules/domain-parts.ts';
import { checkNameserverCount } from './rules/parse-nameservers.ts';
import { checkUpdateProhibited, type DomainStatus } from './rules/domain-statuses.ts';

type RuleContext = Pick<Context, 'now' | 'policy'>;

/** Everything that the request names is removed before anything is added. Counts are not checked here: see checkCounts. */
export function applyParts(
  domain: Domain,
  { remove, add }: DomainParts,
  own: readonly ContactInfo[],
  context: RuleContext,
): Changed {
  const { policy } = context;
  return applyAll(domain, [
    (value) => withoutContacts(value, remove.contacts),
    (value) => withoutNameservers(value, remove.nameservers),
    ...remove.statuses.map(
      ({ status }, index) =>
        (value: Domain) =>
          withoutClientStatus(value, status, index, policy),
    ),
    (value) => withoutKeys(value, remove.keys),
    (value) => withContacts(value, add.contacts, own, context),
    (value) => withNameservers(value, add.nameservers, policy),
    ...add.statuses.map((status, index) => (value: Domain) => withClientStatus(value, status, index, policy)),
    (value) => withKeys(value, add.keys),
  ]);
}

/** Bounds on what the request changed, in the domain as it would be with all changes. */
export function checkCounts(
  domain: Domain,
  { remove, add }: DomainParts,
  isRegistrantChanged: boolean,
  context: RuleContext,
): Refusal[] {
  const { policy } = context;
  const contacts = remove.contacts.length + add.contacts.length > 0;
  const nameservers = remove.nameservers.length + add.nameservers.length > 0;
  return [
    ...(contacts || isRegistrantChanged
      ? checkContactCounts(domain, () => [contacts ? 'contacts' : 'registrant'], context)
      : []),
    ...(nameservers ? checkNameserverCount(domain.nameservers.length, policy) : []),
    ...(add.keys.length > 0 ? checkKeyCount(domain.dnsKeys.length, policy) : []),
  ];
}

/** What a request changes apart from contacts, nameservers, statuses and keys. */
type FurtherChange = { readonly isNewHolder: boolean; readonly isOther: boolean };

/** One refusal with every status that prohibits any of the changes. */
export function checkPartsProhibited(
  { statuses }: Pick<Domain, 'statuses'>,
  { remove, add }: DomainParts,
  { isNewHolder, isOther }: FurtherChange,
): Refusal[] {
  const hasKeys = remove.keys === 'all' || remove.keys.length + add.keys.length > 0;
  const named = [remove.contacts, remove.nameservers, add.contacts, add.nameservers, add.statuses];
  const hasObjects = isOther || named.some(({ length }) => length > 0);
  const [only] = remove.statuses;
  const isUnlocking =
    !hasObjects && !hasKeys && remove.statuses.length === 1 && only?.status === 'clientUpdateProhibited';
  const further: DomainStatus[] = [
    ...roleGuards([...remove.contacts, ...add.contacts]),
    ...(add.statuses.some(({ status }) => status === 'clientHold') ? ['serverManualInzone' as const] : []),
    ...(hasKeys ? ['serverExtensionUpdateProhibited' as const] : []),
    ...(isNewHolder ? ['serverRegistrantChangeProhibited' as const] : []),
  ];
  const except: DomainStatus[] = [
    // RFC 5731: the status prohibits every update but its own removal.
    ...(isUnlocking ? ['clientUpdateProhibited' as const] : []),
  ];
  return checkUpdateProhibited(statuses, { further, except });
}

export const isEmpty = ({ remove, add }: DomainParts): boolean =>
  remove.keys !== 'all' &&
  [...Object.values(remove), ...Object.values(add)].every(({ length }) => length === 0);
