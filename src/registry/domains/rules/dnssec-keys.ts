import { createHash } from 'node:crypto';
import type { Parsed, Refusal } from '../../../operations/refusal.ts';
import type { Policy } from '../../../policy/policy.ts';
import type { KeyPlace, KeysPlace } from './domain-paths.ts';
import { refusal } from './domain-refusals.ts';
import { expectedPublicKey } from './public-key-form.ts';

export type KeyText = {
  readonly flags?: string | number | undefined;
  readonly protocol?: string | number | undefined;
  readonly alg?: string | number | undefined;
  readonly publicKey?: string | undefined;
};
export type DnsKey = {
  readonly flags: number;
  readonly protocol: number;
  readonly alg: number;
  readonly publicKey: string;
};
/** The delegation signer record that the zone publishes for a key (RFC 4034, 4509). */
export type DelegationSigner = {
  readonly keyTag: number;
  readonly digestType: number;
  readonly digest: string;
};

const SHA_256 = 2;
const STRICT_BASE64 =
  /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$|^(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$/;
/** With blanks. A frame of EPP may have megabytes of it. */
const MAX_PUBLIC_KEY_LENGTH = 4_096;

/** Numbers may be sent as strings, as in the API's specification. */
export function parseDnsKey(text: KeyText, at: KeyPlace, policy: Policy): Parsed<DnsKey> {
  const refusals: Refusal[] = [];
  const choose = (name: 'flags' | 'protocol' | 'alg', allowed: readonly number[]) => {
    const given = text[name];
    const value = typeof given === 'string' && /^\d{1,5}$/.test(given.trim()) ? Number(given) : given;
    if (given === undefined || given === '') refusals.push(refusal('fieldMissing', { at: [...at, name] }));
    else if (typeof value !== 'number' || !allowed.includes(value))
      refusals.push(refusal('wrongSyntax', { at: [...at, name], expected: `one of ${allowed.join(', ')}` }));
    return Number(value);
  };
  const flags = choose('flags', [256, 257]);
  const protocol = choose('protocol', [3]);
  const alg = choose('alg', policy.domains.dnssecAlgorithms);
  const given = text.publicKey ?? '';
  if (given.length > MAX_PUBLIC_KEY_LENGTH)
    return {
      refusals: [...refusals, wrongKey(at, `a public key of at most ${MAX_PUBLIC_KEY_LENGTH} characters`)],
    };
  const publicKey = given.replace(/\s+/g, '');
  if (publicKey === '') refusals.push(refusal('fieldMissing', { at: [...at, 'publicKey'] }));
  else if (!STRICT_BASE64.test(publicKey)) refusals.push(wrongKey(at, 'a public key in Base64'));
  return refusals.length > 0 ? { refusals } : { value: { flags, protocol, alg, publicKey } };
}

/** A key that is to be published must be one of its algorithm; a stored one can be removed whatever it is. */
export function parseNewDnsKey(text: KeyText, at: KeyPlace, policy: Policy): Parsed<DnsKey> {
  const parsed = parseDnsKey(text, at, policy);
  if ('refusals' in parsed) return parsed;
  const expected = expectedPublicKey(parsed.value.alg, Buffer.from(parsed.value.publicKey, 'base64'));
  return expected === undefined ? parsed : { refusals: [wrongKey(at, expected)] };
}

const wrongKey = (at: KeyPlace, expected: string): Refusal =>
  refusal('wrongSyntax', { at: [...at, 'publicKey'], expected });

export function delegationSigner(key: DnsKey, asciiName: string): DelegationSigner {
  const rdata = rdataOf(key);
  const digest = createHash('sha256').update(wireName(asciiName)).update(rdata).digest('hex').toUpperCase();
  return { keyTag: keyTag(rdata), digestType: SHA_256, digest };
}

function rdataOf({ flags, protocol, alg, publicKey }: DnsKey): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(flags, 0);
  head.writeUInt8(protocol, 2);
  head.writeUInt8(alg, 3);
  return Buffer.concat([head, Buffer.from(publicKey, 'base64')]);
}

/** RFC 4034, appendix B; algorithm 1, which is computed differently, is not accepted here. */
function keyTag(rdata: Buffer): number {
  let sum = 0;
  for (const [index, byte] of rdata.entries()) sum += index % 2 === 0 ? byte << 8 : byte;
  return (sum + (sum >> 16)) & 0xffff;
}

function wireName(asciiName: string): Buffer {
  const labels = asciiName
    .toLowerCase()
    .split('.')
    .map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

/** Refuses the same public key twice on one domain. */
export function checkDuplicateKeys(
  added: readonly DnsKey[],
  present: readonly { readonly publicKey: string }[],
  list: KeysPlace,
): Refusal[] {
  const known = new Set(present.map(({ publicKey }) => publicKey));
  return added.flatMap(({ publicKey }, index) => {
    if (!known.has(publicKey)) {
      known.add(publicKey);
      return [];
    }
    return [refusal('dnsKeyTaken', { at: [...list, index, 'publicKey'] })];
  });
}

export function checkKeyCount(count: number, { domains: { mostDnssecKeys: most } }: Policy): Refusal[] {
  return count <= most ? [] : [refusal('tooMany', { most, what: 'DNSSEC keys', at: ['dnsKeys'] })];
}
