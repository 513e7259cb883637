import { requireNone } from '../../operations/refusal.ts';
import { parseIdn } from '../names/name.ts';
import { refusal } from '../refusals.ts';
import { domainOperation, named } from './change.ts';
import { checkDuplicateKeys, checkKeyCount, type DnsKey, delegationSigner } from './dnssec-keys.ts';
import { requireNotProhibited } from './statuses.ts';

type KeyChange = { readonly name: string; readonly keys: readonly DnsKey[] };

export const addKeys = domainOperation<KeyChange>((domain, { keys }, { policy }) => {
  requireNotProhibited('update', domain.statuses, 'serverExtensionUpdateProhibited');
  const ascii = parseIdn(domain.name)?.ascii ?? domain.name;
  const after = [...domain.dnsKeys, ...keys.map((key) => ({ ...key, ...delegationSigner(key, ascii) }))];
  requireNone([
    ...checkDuplicateKeys(keys, domain.dnsKeys, 'dns_keys'),
    ...checkKeyCount(after.length, 'dns_keys', policy),
  ]);
  return {
    answer: named(domain),
    operation: 'add keys',
    before: domain,
    after: { ...domain, dnsKeys: after },
  };
});

export const removeKeys = domainOperation<KeyChange>((domain, { keys }) => {
  requireNotProhibited('update', domain.statuses, 'serverExtensionUpdateProhibited');
  const missing = keys.map((key, index) =>
    domain.dnsKeys.some((present) => sameKey(present, key)) ? undefined : index,
  );
  requireNone(
    missing.flatMap((index) =>
      index === undefined ? [] : [refusal('dnsKeyMissing', { field: `dns_keys.${index}` })],
    ),
  );
  const after = domain.dnsKeys.filter((present) => !keys.some((key) => sameKey(present, key)));
  return {
    answer: named(domain),
    operation: 'remove keys',
    before: domain,
    after: { ...domain, dnsKeys: after },
  };
});

function sameKey(one: DnsKey, other: DnsKey): boolean {
  return (
    one.flags === other.flags &&
    one.protocol === other.protocol &&
    one.alg === other.alg &&
    one.publicKey === other.publicKey
  );
}
