import type { Policy } from '../../policy/policy.ts';
import type { Domain } from './domain.ts';
import type { Changed } from './rules/domain-parts.ts';
import { refusal } from './rules/domain-refusals.ts';
import { checkDuplicateNameservers, checkGlue, type Nameserver } from './rules/parse-nameservers.ts';

export function withNameservers(domain: Domain, nameservers: readonly Nameserver[], policy: Policy): Changed {
  return {
    domain: { ...domain, nameservers: [...domain.nameservers, ...nameservers] },
    refusals: [
      ...checkDuplicateNameservers(nameservers, domain.nameservers, ['add', 'nameservers']),
      ...checkGlue(nameservers, domain.name, ['add', 'nameservers'], policy),
    ],
  };
}

export function withoutNameservers(
  domain: Domain,
  removed: readonly Pick<Nameserver, 'hostname'>[],
): Changed {
  const hasHost = (list: readonly Pick<Nameserver, 'hostname'>[], hostname: string) =>
    list.some((item) => item.hostname === hostname);
  return {
    domain: {
      ...domain,
      nameservers: domain.nameservers.filter(({ hostname }) => !hasHost(removed, hostname)),
    },
    refusals: removed.flatMap(({ hostname }, index) =>
      hasHost(domain.nameservers, hostname)
        ? []
        : [refusal('bodyObjectMissing', { object: hostname, at: ['remove', 'nameservers', index] })],
    ),
  };
}
