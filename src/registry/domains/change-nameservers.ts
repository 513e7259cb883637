import { requireNone } from '../../operations/refusal.ts';
import { refuse } from '../refusals.ts';
import { domainOperation, named } from './change.ts';
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
  const after = [...domain.nameservers, ...nameservers];
  requireNone([
    ...checkDuplicateNameservers(nameservers, domain.nameservers, 'nameservers'),
    ...checkGlue(nameservers, domain.name, 'nameservers', policy),
    ...checkNameserverCount(after.length, 'nameservers', policy),
  ]);
  return {
    answer: named(domain),
    operation: 'add nameservers',
    before: domain,
    after: { ...domain, nameservers: after },
  };
});

export const removeNameserver = domainOperation<{
  readonly name: string;
  readonly hostname: string | undefined;
}>((domain, { hostname }, { policy }) => {
  if (!domain.nameservers.some((item) => item.hostname === hostname)) refuse('objectMissing');
  requireNotProhibited('update', domain.statuses);
  const after = domain.nameservers.filter((item) => item.hostname !== hostname);
  requireNone(checkNameserverCount(after.length, 'nameservers', policy));
  return {
    answer: named(domain),
    operation: 'remove nameserver',
    before: domain,
    after: { ...domain, nameservers: after },
  };
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
