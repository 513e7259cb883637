import type { Refusal } from '../../operations/refusal.ts';
import type { Context } from '../operation.ts';
import { roleGuards, withContacts, withoutContacts } from './change-contacts.ts';
import { withKeys, withoutKeys } from './change-keys.ts';
import { withNameservers, withoutNameservers } from './change-nameservers.ts';
import { withClientStatus, withoutClientStatus } from './change-status.ts';
import { checkContactCounts } from './contact-rules.ts';
import { checkKeyCount } from './dnssec-keys.ts';
import type { ContactInfo, Domain } from './domain.ts';
import { applyAll, type Changed, type DomainParts } from './domain-parts.ts';
import { checkNameserverCount } from './nameservers.ts';
import { checkUpdateProhibited, type DomainStatus } from './statuses.ts';

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
    ...remove.statuses.map((named) => (value: Domain) => withoutClientStatus(value, named, policy)),
    (value) => withoutKeys(value, remove.keys, 'remove.keys'),
    (value) => withContacts(value, add.contacts, own, context),
    (value) => withNameservers(value, add.nameservers, 'add.nameservers', policy),
    ...add.statuses.map((named) => (value: Domain) => withClientStatus(value, named, policy)),
    (value) => withKeys(value, add.keys, 'add.keys'),
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
  const contacts = isRegistrantChanged || remove.contacts.length + add.contacts.length > 0;
  const nameservers = remove.nameservers.length + add.nameservers.length > 0;
  return [
    ...(contacts ? checkContactCounts(domain, () => 'contacts', context) : []),
    ...(nameservers ? checkNameserverCount(domain.nameservers.length, 'nameservers', policy) : []),
    ...(add.keys.length > 0 ? checkKeyCount(domain.dnsKeys.length, 'keys', policy) : []),
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
    ...(hasKeys && !hasObjects && remove.statuses.length === 0 ? ['serverObjUpdateProhibited' as const] : []),
    // RFC 5731: the status prohibits every update but its own removal.
    ...(isUnlocking ? ['clientUpdateProhibited' as const] : []),
  ];
  return checkUpdateProhibited(statuses, { further, except });
}

export const isEmpty = ({ remove, add }: DomainParts): boolean =>
  remove.keys !== 'all' &&
  [...Object.values(remove), ...Object.values(add)].every(({ length }) => length === 0);
