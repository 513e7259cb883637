import { type EppCommand, escapeXml } from './epp-frames.ts';

const IETF = 'urn:ietf:params:xml:ns:';
const EE = 'https://epp.tld.ee/schema/';

const DIALECTS = {
  ietf: { envelope: `${IETF}epp-1.0`, domain: `${IETF}domain-1.0`, contact: `${IETF}contact-1.0` },
  ee: {
    envelope: `${EE}epp-ee-1.0.xsd`,
    domain: `${EE}domain-ee-1.2.xsd`,
    contact: `${EE}contact-ee-1.1.xsd`,
  },
  'ee-1.1': {
    envelope: `${EE}epp-ee-1.0.xsd`,
    domain: `${EE}domain-ee-1.1.xsd`,
    contact: `${EE}contact-ee-1.1.xsd`,
  },
  /** As the public client of .ee (getnamingo) sends it. */
  eis: {
    envelope: `${EE}epp-ee-1.0.xsd`,
    domain: `${EE}domain-eis-1.0.xsd`,
    contact: `${EE}contact-ee-1.1.xsd`,
  },
};
export type Dialect = keyof typeof DIALECTS;

type Host = string | { readonly name: string; readonly addresses: readonly (string | Address)[] };
type Address = { readonly ip: string; readonly address: string };
type ContactLink = { readonly type: string; readonly id: string };
export type DomainLinks = {
  readonly nameservers?: readonly Host[];
  readonly contacts?: readonly ContactLink[];
  readonly statuses?: readonly string[];
};
export type NewDomain = {
  readonly name: string;
  /** Such as `1y`. */
  readonly period?: string;
  readonly nameservers?: readonly Host[];
  readonly registrant?: string;
  readonly contacts?: readonly ContactLink[];
  /** The transfer code, which may be empty. */
  readonly code?: string;
};
export type ContactFields = {
  readonly postalType?: string;
  readonly name?: string;
  readonly org?: string;
  readonly address?: {
    readonly street?: readonly string[];
    readonly city?: string;
    readonly sp?: string;
    readonly pc?: string;
    readonly cc?: string;
  };
  readonly voice?: string;
  readonly fax?: string;
  readonly email?: string;
  readonly code?: string;
  /** The whole element, as markup. */
  readonly disclose?: string;
};

/** The object commands of a dialect. Members that are left out are left out of the frame. */
export function objectCommands(dialect: Dialect) {
  const { envelope, domain, contact } = DIALECTS[dialect];
  const command = (verb: string, namespace: string, content: string, attributes = ''): EppCommand => {
    const prefix = namespace === domain ? 'domain' : 'contact';
    const [outer, inner] = verb === 'transfer' ? [attributes, ''] : ['', attributes];
    return {
      envelope,
      body: `<${verb}${outer}><${prefix}:${verb} xmlns:${prefix}="${namespace}"${inner}>${content}</${prefix}:${verb}></${verb}>`,
    };
  };
  const onDomain = (verb: string, content: string, attributes = '') =>
    command(verb, domain, content, attributes);
  const onContact = (verb: string, content: string) => command(verb, contact, content);
  const d = elementsOf('domain');
  const c = elementsOf('contact');
  return {
    namespaces: DIALECTS[dialect],
    domain: {
      check: (...names: readonly string[]) =>
        onDomain('check', names.map((name) => d('name', name)).join('')),
      info: (name: string, { hosts, code }: { readonly hosts?: string; readonly code?: string } = {}) =>
        onDomain('info', d('name', name, hosts && { hosts }) + codeOf(d, code)),
      create: ({ name, period, nameservers, registrant, contacts = [], code }: NewDomain) =>
        onDomain(
          'create',
          `${d('name', name)}${periodOf(period)}${hostsOf(nameservers)}${d('registrant', registrant)}${contacts.map(({ type, id }) => d('contact', id, { type })).join('')}${codeOf(d, code)}`,
        ),
      update: (
        name: string,
        changes: {
          readonly add?: DomainLinks;
          readonly rem?: DomainLinks;
          readonly registrant?: string;
          readonly verified?: string;
          readonly code?: string;
        },
      ) => {
        const { add, rem, registrant, verified, code } = changes;
        const changed = d('registrant', registrant, verified && { verified }) + codeOf(d, code);
        return onDomain(
          'update',
          `${d('name', name)}${linksOf('add', add)}${linksOf('rem', rem)}${changed && `<domain:chg>${changed}</domain:chg>`}`,
        );
      },
      delete: (name: string, verified?: string) =>
        onDomain('delete', d('name', name), verified === undefined ? '' : ` verified="${verified}"`),
      renew: (name: string, currentExpiry: string, period?: string) =>
        onDomain('renew', d('name', name) + d('curExpDate', currentExpiry) + periodOf(period)),
      transfer: (
        op: string,
        name: string,
        { code, period }: { readonly code?: string; readonly period?: string } = {},
      ) => onDomain('transfer', d('name', name) + periodOf(period) + codeOf(d, code), ` op="${op}"`),
    },
    contact: {
      check: (...ids: readonly string[]) => onContact('check', ids.map((id) => c('id', id)).join('')),
      info: (id: string, code?: string) => onContact('info', c('id', id) + codeOf(c, code)),
      create: (id: string | undefined, fields: ContactFields) =>
        onContact('create', c('id', id) + fieldsOf(fields)),
      update: (
        id: string,
        changes: {
          readonly add?: readonly string[];
          readonly rem?: readonly string[];
          readonly chg?: ContactFields;
        },
      ) => {
        const statuses = (name: string, list: readonly string[] | undefined) =>
          list === undefined
            ? ''
            : `<contact:${name}>${list.map((s) => c('status', '', { s })).join('')}</contact:${name}>`;
        const changed = changes.chg ? `<contact:chg>${fieldsOf(changes.chg)}</contact:chg>` : '';
        return onContact(
          'update',
          `${c('id', id)}${statuses('add', changes.add)}${statuses('rem', changes.rem)}${changed}`,
        );
      },
      delete: (id: string, code?: string) => onContact('delete', c('id', id) + codeOf(c, code)),
    },
  };

  function fieldsOf({
    postalType = 'int',
    name,
    org,
    address,
    voice,
    fax,
    email,
    code,
    disclose = '',
  }: ContactFields): string {
    const place =
      address &&
      `<contact:addr>${(address.street ?? []).map((line) => c('street', line)).join('')}${c('city', address.city)}${c('sp', address.sp)}${c('pc', address.pc)}${c('cc', address.cc)}</contact:addr>`;
    const postal = c('name', name) + c('org', org) + (place ?? '');
    return `${postal && `<contact:postalInfo type="${postalType}">${postal}</contact:postalInfo>`}${c('voice', voice)}${c('fax', fax)}${c('email', email)}${codeOf(c, code)}${disclose}`;
  }
}

type ElementWriter = (
  name: string,
  text: string | undefined,
  attributes?: Readonly<Record<string, string>> | '',
) => string;

const elementsOf =
  (prefix: string): ElementWriter =>
  (name, text, attributes) => {
    const written = Object.entries(attributes || {}).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
    return text === undefined
      ? ''
      : `<${prefix}:${name}${written.join('')}>${escapeXml(text)}</${prefix}:${name}>`;
  };
const domainElement = elementsOf('domain');

const codeOf = (element: ElementWriter, code: string | undefined): string => {
  const pw = element('pw', code);
  const [prefix] = pw.slice(1).split(':');
  return pw && `<${prefix}:authInfo>${pw}</${prefix}:authInfo>`;
};

const periodOf = (period: string | undefined): string =>
  period === undefined ? '' : domainElement('period', period.slice(0, -1), { unit: period.slice(-1) });

const addressOf = (address: string | Address): Address =>
  typeof address === 'string' ? { ip: address.includes(':') ? 'v6' : 'v4', address } : address;

function hostsOf(hosts: readonly Host[] | undefined): string {
  if (hosts === undefined) return '';
  const written = hosts.map((host) => {
    const { name, addresses } = typeof host === 'string' ? { name: host, addresses: [] } : host;
    const listed = addresses
      .map(addressOf)
      .map(({ ip, address }) => domainElement('hostAddr', address, { ip }));
    return `<domain:hostAttr>${domainElement('hostName', name)}${listed.join('')}</domain:hostAttr>`;
  });
  return `<domain:ns>${written.join('')}</domain:ns>`;
}

function linksOf(name: 'add' | 'rem', links: DomainLinks | undefined): string {
  if (links === undefined) return '';
  const contacts = (links.contacts ?? []).map(({ type, id }) => domainElement('contact', id, { type }));
  const statuses = (links.statuses ?? []).map((s) => domainElement('status', '', { s }));
  return `<domain:${name}>${hostsOf(links.nameservers)}${contacts.join('')}${statuses.join('')}</domain:${name}>`;
}
