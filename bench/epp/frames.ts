import { EXTENSION_URIS, NAMESPACES } from '../../src/doors/epp/namespaces.ts';
import { encodeFrame } from '../../src/doors/epp/wire/frame-reader.ts';
import { fresh, pick } from '../requests.ts';
import type { Registrar } from '../world.ts';

const DOMAIN = NAMESPACES.domain.ietf;

const documentOf = (command: string): string =>
  `<?xml version="1.0" encoding="UTF-8" standalone="no"?><epp xmlns="${NAMESPACES.envelope.ietf}"><command>${command}<clTRID>BENCH-12345</clTRID></command></epp>`;

/** With all extensions, so that answers have everything that they can have. */
export const loginDocument = (user: string, password: string): string =>
  documentOf(
    `<login><clID>${user}</clID><pw>${password}</pw><options><version>1.0</version><lang>en</lang></options><svcs><objURI>${DOMAIN}</objURI><objURI>${NAMESPACES.contact.ietf}</objURI><svcExtension>${EXTENSION_URIS.map((uri) => `<extURI>${uri}</extURI>`).join('')}</svcExtension></svcs></login>`,
  );

const domainFrame = (verb: string, content: string): Buffer =>
  encodeFrame(
    documentOf(`<${verb}><domain:${verb} xmlns:domain="${DOMAIN}">${content}</domain:${verb}></${verb}>`),
  );

export const infoFrame = (name: string): Buffer =>
  domainFrame('info', `<domain:name hosts="all">${name}</domain:name>`);

export const checkFrame = (names: readonly string[]): Buffer =>
  domainFrame('check', names.map((name) => `<domain:name>${name}</domain:name>`).join(''));

/** The same registration as the one through REST. */
export function createFrame({ contactCodes }: Registrar): Buffer {
  const hosts = ['ns1.hoster.example', 'ns2.hoster.example'].map(
    (host) => `<domain:hostAttr><domain:hostName>${host}</domain:hostName></domain:hostAttr>`,
  );
  const contacts = ['admin', 'tech'].map(
    (role) => `<domain:contact type="${role}">${pick(contactCodes)}</domain:contact>`,
  );
  return domainFrame(
    'create',
    `<domain:name>${fresh()}.ee</domain:name><domain:period unit="y">1</domain:period><domain:ns>${hosts.join('')}</domain:ns><domain:registrant>${pick(contactCodes)}</domain:registrant>${contacts.join('')}`,
  );
}
