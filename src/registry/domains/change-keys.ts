import { requireNone } from '../../operations/refusal.ts';
import { parseIdn } from '../names/name.ts';
import { refusal } from '../registry-refusals.ts';
import { checkDuplicateKeys, checkKeyCount, type DnsKey, delegationSigner } from './dnssec-keys.ts';
import type { Domain } from './domain.ts';
import { domainOperation, named } from './domain-operation.ts';
import type { Changed } from './domain-parts.ts';
import { requireNotProhibited } from './statuses.ts';

type KeyChange = { readonly name: string; readonly keys: readonly DnsKey[] };

export const addKeys = domainOperation<KeyChange>((domain, { keys }, { policy }) => {
  requireNotProhibited('update', domain.statuses, 'serverExtensionUpdateProhibited');
  const { domain: after, refusals } = withKeys(domain, keys, 'dns_keys');
  requireNone([...refusals, ...checkKeyCount(after.dnsKeys.length, 'dns_keys', policy)]);
  return { answer: named(domain), operation: 'add keys', before: domain, after };
});

export const removeKeys = domainOperation<KeyChange>((domain, { keys }) => {
  requireNotProhibited('update', domain.statuses, 'serverExtensionUpdateProhibited');
  const { domain: after, refusals } = withoutKeys(domain, keys, 'dns_keys');
  requireNone(refusals);
  return { answer: named(domain), operation: 'remove keys', before: domain, after };
});

export function withKeys(domain: Domain, keys: readonly DnsKey[], field: string): Changed {
  const ascii = parseIdn(domain.name)?.ascii ?? domain.name;
  const added = keys.map((key) => ({ ...key, ...delegationSigner(key, ascii) }));
  return {
    domain: { ...domain, dnsKeys: [...domain.dnsKeys, ...added] },
    refusals: checkDuplicateKeys(keys, domain.dnsKeys, field),
  };
}

export function withoutKeys(domain: Domain, keys: 'all' | readonly DnsKey[], field: string): Changed {
  if (keys === 'all') return { domain: { ...domain, dnsKeys: [] }, refusals: [] };
  return {
    domain: {
      ...domain,
      dnsKeys: domain.dnsKeys.filter((present) => !keys.some((key) => sameKey(present, key))),
    },
    refusals: keys.flatMap((key, index) =>
      domain.dnsKeys.some((present) => sameKey(present, key))
        ? []
        : [refusal('dnsKeyMissing', { field: `${field}.${index}` })],
    ),
  };
}

function sameKey(one: DnsKey, other: DnsKey): boolean {
  return (
    one.flags === other.flags &&
    one.protocol === other.protocol &&
    one.alg === other.alg &&
    one.publicKey === other.publicKey
  );
}
