import type { DnsKey, KeyText } from '../../../registry/domains/dnssec-keys.ts';
import type { CommandReader } from '../command-reader.ts';
import { NAMESPACES } from '../namespaces.ts';
import type { XmlElement } from '../xml/element.ts';
import { type Markup, xml } from '../xml/write.ts';

/** RFC 5910, with the key data interface. */

/** The keys of `<secDNS:create>` or of `<secDNS:add>`. */
export function readNewKeys(
  element: XmlElement | undefined,
  field: string,
  reader: CommandReader,
): KeyText[] {
  if (!element) return [];
  const { maxSigLife, ...data } = reader.children(element, {
    maxSigLife: 'maybe',
    dsData: 'list',
    keyData: 'list',
  });
  if (maxSigLife) reader.refuse('unimplementedOption', maxSigLife);
  return readKeys(element, data, field, reader);
}

type KeyChange = { readonly remove: 'all' | readonly KeyText[]; readonly add: readonly KeyText[] };

export function readKeyChange(
  element: XmlElement | undefined,
  fields: { readonly add: string; readonly remove: string },
  reader: CommandReader,
): KeyChange {
  if (!element) return { remove: [], add: [] };
  if (isTrue(element.attributes.urgent)) reader.refuse('unimplementedOption', element);
  const { rem, add, chg } = reader.children(element, { rem: 'maybe', add: 'maybe', chg: 'maybe' });
  if (chg && chg.children.length > 0) reader.refuse('unimplementedOption', chg);
  return {
    remove: rem ? readRemovedKeys(rem, fields.remove, reader) : [],
    add: readNewKeys(add, fields.add, reader),
  };
}

function readRemovedKeys(rem: XmlElement, field: string, reader: CommandReader): 'all' | KeyText[] {
  const { all, ...data } = reader.children(rem, { all: 'maybe', dsData: 'list', keyData: 'list' });
  if (!all) return readKeys(rem, data, field, reader);
  if (data.keyData.length + data.dsData.length > 0) reader.refuse('unexpectedElement', all);
  return isTrue(reader.text(all)) ? 'all' : [];
}

const isTrue = (text: string | undefined): boolean => text === 'true' || text === '1';

type Lists = { readonly dsData: readonly XmlElement[]; readonly keyData: readonly XmlElement[] };

function readKeys(parent: XmlElement, { dsData, keyData }: Lists, field: string, reader: CommandReader) {
  const [signer] = dsData;
  if (signer) reader.refuseKind('delegationSigners', signer);
  else if (keyData.length === 0) reader.refuse('elementMissing', parent);
  return keyData.map((key, index) => readKey(key, `${field}.${index}`, reader));
}

function readKey(element: XmlElement, field: string, reader: CommandReader): KeyText {
  const { flags, protocol, alg, pubKey } = reader.children(element, {
    ...({ flags: 'one', protocol: 'one', alg: 'one', pubKey: 'one' } as const),
  });
  reader.from(field, element);
  return {
    flags: reader.text(flags, `${field}.flags`),
    protocol: reader.text(protocol, `${field}.protocol`),
    alg: reader.text(alg, `${field}.alg`),
    public_key: reader.text(pubKey, `${field}.public_key`),
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
