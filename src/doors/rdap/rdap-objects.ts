/** What RFC 9083 calls the common data structures. `value` of a link is the URL that was asked. */
export type Link = {
  readonly value: string;
  readonly rel: string;
  readonly href: string;
  readonly type: string;
};
export type Notice = {
  readonly title: string;
  readonly description: readonly string[];
  readonly links?: readonly Link[];
};
export type RdapEvent = { readonly eventAction: string; readonly eventDate: string };
export type PublicId = { readonly type: string; readonly identifier: string };
/** A property of a jCard (RFC 7095): name, parameters, type of the value, value. */
export type JCardProperty = readonly [
  name: string,
  parameters: Readonly<Record<string, string>>,
  type: 'text' | 'uri',
  value: string | readonly (string | readonly string[])[],
];
export type JCard = readonly ['vcard', readonly JCardProperty[]];

export type Entity = {
  readonly objectClassName: 'entity';
  readonly handle?: string;
  readonly roles: readonly string[];
  readonly publicIds?: readonly PublicId[];
  readonly vcardArray: JCard;
  readonly entities?: readonly Entity[];
  readonly links?: readonly Link[];
};

/** An entry of `redacted` (RFC 9537). */
export type Redaction = {
  readonly name: { readonly type: string } | { readonly description: string };
  /** Finds nothing in the answer: the field was removed. */
  readonly prePath?: string;
  /** Finds the emptied field. */
  readonly postPath?: string;
  readonly pathLang?: 'jsonpath';
  /** Finds what stands for the removed field. */
  readonly replacementPath?: string;
  readonly method: 'removal' | 'emptyValue' | 'replacementValue';
  readonly reason: { readonly description: string };
};

export const RDAP_TYPE = 'application/rdap+json';

/** Where the objects of an answer are found, and what was asked. */
export type Addresses = {
  /** The base URL of the service. */
  readonly base: string;
  /** The URL that was asked, without its query. */
  readonly asked: string;
  /** The look-up for people. */
  readonly page: string;
};

export const objectUrl = (
  { base }: Pick<Addresses, 'base'>,
  kind: 'domain' | 'entity' | 'nameserver',
  name: string,
): string => `${base}${kind}/${encodeURIComponent(name)}`;

export const selfLink = (
  addresses: Addresses,
  kind: 'domain' | 'entity' | 'nameserver',
  name: string,
): Link => ({
  value: addresses.asked,
  rel: 'self',
  href: objectUrl(addresses, kind, name),
  type: RDAP_TYPE,
});
