import type { DnsKey, KeyText } from '../../../registry/domains/rules/dnssec-keys.ts';
import type { KeyPlace, KeysPlace } from '../../../registry/domains/rules/domain-paths.ts';
import type { CommandReader } from '../command-reader.ts';
import { NAMESPACES } from '../namespaces.ts';
import type { XmlElement } from '../xml/element.ts';
import { type Markup, xml } from '../xml/write.ts';

/** RFC 5910, with the key data interface. */

/** The keys of `<secDNS:create>` or of `<secDNS:add>`. */
export function readNewKeys(
  element: XmlElement | undefined,
  list: KeysPlace,
  reader: CommandReader,
): KeyText[] {
  if (!element) return [];
  const { maxSigLife, ...data } = reader.children(element, {
    maxSigLife: 'maybe',
    dsData: 'list',
    keyData: 'list',
  });
  if (maxSigLife) reader.refuse('unimplementedOption', maxSigLife);
  return readKeys(element, data, list, reader);
}

type KeyChange = { readonly remove: 'all' | readonly KeyText[]; readonly add: readonly KeyText[] };

export function readKeyChange(element: XmlElement | undefined, reader: CommandReader): KeyChange {
  if (!element) return { remove: [], add: [] };
  if (isTrue(element.attributes.urgent)) reader.refuse('unimplementedOption', element);
  const { rem, add, chg } = reader.children(element, { rem: 'maybe', add: 'maybe', chg: 'maybe' });
  if (chg && chg.children.length > 0) reader.refuse('unimplementedOption', chg);
  return {
    remove: rem ? readRemovedKeys(rem, reader) : [],
    add: readNewKeys(add, ['add', 'dnsKeys'], reader),
  };
}

function readRemovedKeys(rem: XmlElement, reader: CommandReader): 'all' | KeyText[] {
  const { all, ...data } = reader.children(rem, { all: 'maybe', dsData: 'list', keyData: 'list' });
  if (!all) return readKeys(rem, data, ['remove', 'dnsKeys'], reader);
  if (data.keyData.length + data.dsData.length > 0) reader.refuse('unexpectedElement', all);
  return isTrue(reader.text(all)) ? 'all' : [];
}

const isTrue = (text: string | undefined): boolean => text === 'true' || text === '1';

type Lists = { readonly dsData: readonly XmlElement[]; readonly keyData: readonly XmlElement[] };

function readKeys(parent: XmlElement, { dsData, keyData }: Lists, list: KeysPlace, reader: CommandReader) {
  const [signer] = dsData;
  if (signer) reader.refuseKind('delegationSigners', signer);
  else if (keyData.length === 0) reader.refuse('elementMissing', parent);
  return keyData.map((key, index) => readKey(key, [...list, index], reader));
}

function readKey(element: XmlElement, at: KeyPlace, reader: CommandReader): KeyText {
  const { flags, protocol, alg, pubKey } = reader.children(element, {
    ...({ flags: 'one', protocol: 'one', alg: 'one', pubKey: 'one' } as const),
  });
  reader.from(at, element);
  return {
    flags: reader.text(flags, [...at, 'flags']),
    protocol: reader.text(protocol, [...at, 'protocol']),
    alg: reader.text(alg, [...at, 'alg']),
    publicKey: reader.text(pubKey, [...at, 'publicKey']),
  };
}

/** The keys of a domain; nothing if it has none. */
export const keyInfo = (keys: readonly DnsKey[]): Markup | undefined =>
  keys.length === 0
    ? undefined
    : xml`<secDNS:infData xmlns:secDNS="${NAMESPACES.secDNS}">${keys.map(
        ({ flags, protocol, alg, publicKey }) =>
          xml`<secDNS:keyData><secDNS:flags>${flags}</secDNS:flags><secDNS:protocol>${protocol}</secDNS:protocol><secDNS:alg>${alg}</secDNS:alg><secDNS:pubKey>${publicKey}</secDNS:pubKey></secDNS:keyData>`,
      )}</secDNS:infData>`;
