import { requireNone } from '../../operations/refusal.ts';
import type { Policy } from '../../policy/policy.ts';
import { refusal, refuse } from '../registry-refusals.ts';
import type { Domain } from './domain.ts';
import { domainOperation, named } from './domain-operation.ts';
import type { Changed, Named } from './domain-parts.ts';
import {
  checkDuplicateNameservers,
  checkGlue,
  checkNameserverCount,
  type Nameserver,
} from './nameservers.ts';
import { requireNotProhibited } from './statuses.ts';

export const addNameservers = domainOperation<{
  readonly name: string;
  readonly nameservers: readonly Nameserver[];
}>((domain, { nameservers }, { policy }) => {
  requireNotProhibited('update', domain.statuses);
  const { domain: after, refusals } = withNameservers(domain, nameservers, 'nameservers', policy);
  requireNone([...refusals, ...checkNameserverCount(after.nameservers.length, 'nameservers', policy)]);
  return { answer: named(domain), operation: 'add nameservers', before: domain, after };
});

export const removeNameserver = domainOperation<{
  readonly name: string;
  readonly hostname: string | undefined;
}>((domain, { hostname }, { policy }) => {
  if (!domain.nameservers.some((item) => item.hostname === hostname)) refuse('objectMissing');
  requireNotProhibited('update', domain.statuses);
  const { domain: after } = withoutNameservers(domain, [{ hostname: hostname ?? '', field: '' }]);
  requireNone(checkNameserverCount(after.nameservers.length, 'nameservers', policy));
  return { answer: named(domain), operation: 'remove nameserver', before: domain, after };
});

/** Removes all nameservers at once; the domain becomes inactive. */
export const removeNameservers = domainOperation((domain) => {
  requireNotProhibited('update', domain.statuses);
  return {
    answer: named(domain),
    operation: 'remove nameservers',
    before: domain,
    after: { ...domain, nameservers: [] },
  };
});

export function withNameservers(
  domain: Domain,
  nameservers: readonly Nameserver[],
  field: string,
  policy: Policy,
): Changed {
  return {
    domain: { ...domain, nameservers: [...domain.nameservers, ...nameservers] },
    refusals: [
      ...checkDuplicateNameservers(nameservers, domain.nameservers, field),
      ...checkGlue(nameservers, domain.name, field, policy),
    ],
  };
}

export function withoutNameservers(domain: Domain, removed: readonly Named<'hostname'>[]): Changed {
  const has = (list: readonly { readonly hostname: string }[], hostname: string) =>
    list.some((item) => item.hostname === hostname);
  return {
    domain: {
      ...domain,
      nameservers: domain.nameservers.filter(({ hostname }) => !has(removed, hostname)),
    },
    refusals: removed
      .filter(({ hostname }) => !has(domain.nameservers, hostname))
      .map(({ hostname, field }) => refusal('bodyObjectMissing', { object: hostname, field })),
  };
}
