import { parseIdn } from '../names/name.ts';
import { checkDuplicateKeys, type DnsKey, delegationSigner } from './rules/dnssec-keys.ts';
import type { Domain } from './domain.ts';
import type { Changed } from './rules/domain-parts.ts';
import { refusal } from './rules/domain-refusals.ts';

export function withKeys(domain: Domain, keys: readonly DnsKey[]): Changed {
  const ascii = parseIdn(domain.name)?.ascii ?? domain.name;
  const added = keys.map((key) => ({ ...key, ...delegationSigner(key, ascii) }));
  return {
    domain: { ...domain, dnsKeys: [...domain.dnsKeys, ...added] },
    refusals: checkDuplicateKeys(keys, domain.dnsKeys, ['add', 'dnsKeys']),
  };
}

export function withoutKeys(domain: Domain, keys: 'all' | readonly DnsKey[]): Changed {
  if (keys === 'all') return { domain: { ...domain, dnsKeys: [] }, refusals: [] };
  return {
    domain: {
      ...domain,
      dnsKeys: domain.dnsKeys.filter((present) => !keys.some((key) => isSameKey(present, key))),
    },
    refusals: keys.flatMap((key, index) =>
      domain.dnsKeys.some((present) => isSameKey(present, key))
        ? []
        : [refusal('dnsKeyMissing', { at: ['remove', 'dnsKeys', index] })],
    ),
  };
}

export function isSameKey(one: DnsKey, other: DnsKey): boolean {
  return (
    one.flags === other.flags &&
    one.protocol === other.protocol &&
    one.alg === other.alg &&
    one.publicKey === other.publicKey
  );
}
