/** Of the envelope, the objects and the extensions, in the standard dialect and in that of .ee. */
const IETF = 'urn:ietf:params:xml:ns:';
const EE = 'https://epp.tld.ee/schema/';

export const NAMESPACES = {
  envelope: { ietf: `${IETF}epp-1.0`, ee: `${EE}epp-ee-1.0.xsd` },
  domain: {
    ietf: `${IETF}domain-1.0`,
    ee: `${EE}domain-ee-1.2.xsd`,
    eeBefore: `${EE}domain-ee-1.1.xsd`,
    /** Never announced; clients of .ee still send it, and read answers only in it. */
    eeFirst: `${EE}domain-eis-1.0.xsd`,
  },
  contact: { ietf: `${IETF}contact-1.0`, ee: `${EE}contact-ee-1.1.xsd` },
  secDNS: `${IETF}secDNS-1.1`,
  rgp: `${IETF}rgp-1.0`,
  fee: `${IETF}epp:fee-1.0`,
  loginSec: `${IETF}epp:loginSec-1.0`,
  changePoll: `${IETF}changePoll-1.0`,
  eis: `${EE}eis-1.0.xsd`,
} as const;

export type ObjectKind = 'domain' | 'contact';

/** Which names, dates and statuses an answer has, decided by the namespace of each frame and never by the session. */
export type Dialect = 'ietf' | 'ee';

export const dialectOf = (namespace: string): Dialect => (namespace.startsWith(EE) ? 'ee' : 'ietf');

const kinds: ReadonlyMap<string, ObjectKind> = new Map([
  ...Object.values(NAMESPACES.domain).map((uri) => [uri, 'domain'] as const),
  ...Object.values(NAMESPACES.contact).map((uri) => [uri, 'contact'] as const),
]);

/** The kind of object that a namespace describes; undefined if it is none of ours. */
export const objectKindOf = (namespace: string): ObjectKind | undefined => kinds.get(namespace);

export const isEnvelope = (namespace: string): boolean =>
  namespace === NAMESPACES.envelope.ietf || namespace === NAMESPACES.envelope.ee;

/** What the greeting announces. */
export const OBJECT_URIS: readonly string[] = [...kinds.keys()].filter(
  (uri) => uri !== NAMESPACES.domain.eeFirst,
);
export const EXTENSION_URIS: readonly string[] = [
  NAMESPACES.secDNS,
  NAMESPACES.rgp,
  NAMESPACES.fee,
  NAMESPACES.loginSec,
  NAMESPACES.changePoll,
  NAMESPACES.eis,
];

const prefixes: ReadonlyMap<string, string> = new Map([
  ...[...kinds].map(([uri, kind]) => [uri, kind] as const),
  ...(['secDNS', 'rgp', 'fee', 'loginSec', 'changePoll', 'eis'] as const).map(
    (prefix) => [NAMESPACES[prefix], prefix] as const,
  ),
  ...Object.values(NAMESPACES.envelope).map((uri) => [uri, 'epp'] as const),
]);

/** The usual prefix of a namespace, by which texts name its elements. */
export const prefixOf = (namespace: string): string | undefined => prefixes.get(namespace);
