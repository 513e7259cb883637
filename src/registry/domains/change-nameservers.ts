import { refuseAll } from '../../operations/refusal.ts';
import { refuse } from '../refusals.ts';
import { domainOperation, named } from './change.ts';
import { type Nameserver, refuseNameserverCount, refuseTwice, refuseWithoutGlue } from './nameservers.ts';
import { refuseIfProhibited } from './statuses.ts';

export const addNameservers = domainOperation<{
  readonly name: string;
  readonly nameservers: readonly Nameserver[];
}>((domain, { nameservers }, { policy }) => {
  refuseIfProhibited('update', domain.statuses);
  const after = [...domain.nameservers, ...nameservers];
  refuseAll([
    ...refuseTwice(nameservers, domain.nameservers, 'nameservers'),
    ...refuseWithoutGlue(nameservers, domain.name, 'nameservers'),
    ...refuseNameserverCount(after.length, 'nameservers', policy),
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
  refuseIfProhibited('update', domain.statuses);
  const after = domain.nameservers.filter((item) => item.hostname !== hostname);
  refuseAll(refuseNameserverCount(after.length, 'nameservers', policy));
  return {
    answer: named(domain),
    operation: 'remove nameserver',
    before: domain,
    after: { ...domain, nameservers: after },
  };
});

/** All of them at once; the domain becomes inactive. */
export const removeNameservers = domainOperation((domain) => {
  refuseIfProhibited('update', domain.statuses);
  return {
    answer: named(domain),
    operation: 'remove nameservers',
    before: domain,
    after: { ...domain, nameservers: [] },
  };
});
