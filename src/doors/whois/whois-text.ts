import { timeIn } from '../../platform/values/dates.ts';
import type { ContactField, DomainRole } from '../../policy/policy.ts';
import { addressLine } from '../../registry/contacts/postal-address.ts';
import type { DisclosedContact } from '../../registry/lookup/disclosure.ts';
import type { LookUp, ShownDomain } from '../../registry/lookup/look-up-domain.ts';

/** Why a query is not looked up. */
export type WhoisFault = 'encoding' | 'too-long' | 'limited' | 'busy' | 'unavailable';

export type WhoisFacts = {
  readonly timeZone: string;
  /** The largest zone of the registry. */
  readonly zone: string;
  /** Of the page that shows the same, and takes messages to registrants. */
  readonly lookupUrl: string;
};

type Line = readonly [label: string, value: string | null];

const LINE_END = '\r\n';
const LABEL_WIDTH = 16;
const WRAP_AT = 72;
const NOT_DISCLOSED = 'Not disclosed';
const PRIVATE_PERSON = 'Private person';
const TITLES: Readonly<Record<DomainRole, string>> = {
  registrant: 'Registrant',
  admin: 'Administrative contact',
  tech: 'Technical contact',
};

const FAULTS: Readonly<Record<WhoisFault, string>> = {
  encoding: 'Error: the query is not in UTF-8.',
  'too-long': 'Error: the query is too long.',
  limited: 'Error: too many queries. Try again in {seconds} seconds.',
  busy: 'Error: the registry is busy. Try again in a few seconds.',
  unavailable: 'Error: the registry cannot answer now. Try again later.',
};

export const faultText = (fault: WhoisFault, seconds = 0): string =>
  FAULTS[fault].replace('{seconds}', String(seconds)) + LINE_END;

/** What a look-up found, as text for WHOIS. */
export function whoisText(found: LookUp, facts: WhoisFacts): string {
  return [...disclaimer(facts), '', ...blocksOf(found, facts), ''].join(LINE_END);
}

const disclaimer = ({ zone, lookupUrl }: WhoisFacts): string[] =>
  wrapped(
    `This is the registry of .${zone}. Its data serve to find out whether a domain is registered and to reach those who are responsible for it. They may not be collected for advertising, nor copied in large parts. Persons are shown as far as they have agreed to it; all registrants can be sent a message through ${lookupUrl}`,
  );

function blocksOf(found: LookUp, facts: WhoisFacts): readonly string[] {
  switch (found.result) {
    case 'registered':
      return domainBlocks(found.domain, facts);
    case 'unregistered':
      return ['Domain not found'];
    case 'blocked':
      return ['Domain not available: nobody can register this name'];
    case 'zone':
      return ['Policy error: this is a zone of the registry, not a domain'];
    case 'invalid':
      return ['Policy error: no domain of this registry can have this name'];
  }
}

function domainBlocks(domain: ShownDomain, { timeZone }: WhoisFacts): string[] {
  const { registrar, nameservers, dnsKeys, delegationSigners } = domain;
  const time = (at: string | null): string | null => at && localTime(at, timeZone);
  return [
    ...block('Domain', [
      ['name', domain.name],
      ['ascii name', domain.asciiName === domain.name ? null : domain.asciiName],
      ...domain.statuses.map((status): Line => ['status', status]),
      ['registered', time(domain.createdAt)],
      ['changed', time(domain.updatedAt)],
      ['expire', time(domain.expireTime)],
      ['outzone', time(domain.outzoneAt)],
      ['delete', domain.deleteDate],
    ]),
    ...contactBlocks(domain),
    ...block('Registrar', [
      ['name', registrar.name],
      ['url', registrar.website],
      ['phone', registrar.phone],
      ['abuse email', registrar.abuseEmail],
      ['abuse phone', registrar.abusePhone],
    ]),
    ...block(
      'Name servers',
      nameservers.map(({ hostname }): Line => ['nserver', hostname]),
    ),
    ...block('DNSSEC', [
      ['signed', dnsKeys.length === 0 ? null : delegationSigners.length > 0 ? 'yes' : 'no'],
      ...dnsKeys.map(
        ({ flags, protocol, alg, publicKey }): Line => ['dnskey', `${flags} ${protocol} ${alg} ${publicKey}`],
      ),
    ]),
  ];
}

/** Whether a role that can be hidden has contacts must not be told: without shown ones it always reads the same. */
const contactBlocks = ({ contacts, omittedRoles }: ShownDomain): string[] =>
  (['registrant', 'admin', 'tech'] as const).flatMap((role) => {
    const shown = contacts.filter((contact) => contact.role === role);
    if (shown.length === 0 && omittedRoles.includes(role))
      return block(TITLES[role], [['name', NOT_DISCLOSED]]);
    return shown.flatMap((contact) => block(TITLES[role], contactLines(contact)));
  });

function contactLines({ kind, shown, redacted }: DisclosedContact): Line[] {
  const { address, ident } = shown;
  /** What the contact does not have is left out, what is hidden is not. */
  const orHidden = (field: ContactField, value: string | undefined, hidden = NOT_DISCLOSED) =>
    redacted.includes(field) ? hidden : (value ?? null);
  return [
    ['handle', shown.code ?? null],
    ['name', orHidden('name', shown.name, kind === 'person' ? PRIVATE_PERSON : NOT_DISCLOSED)],
    [kind === 'person' ? 'identity code' : 'registry code', ident?.ident ?? null],
    ['country', shown.country ?? null],
    ['email', orHidden('email', shown.email)],
    ['phone', orHidden('phone', shown.phone)],
    ['address', address ? addressLine(address) : null],
  ];
}

/** Nothing where no line has a value. */
function block(title: string, lines: readonly Line[]): string[] {
  const written = lines.flatMap(([label, value]) =>
    value === null ? [] : [`${`${label}:`.padEnd(LABEL_WIDTH)}${oneLine(value)}`],
  );
  return written.length === 0 ? [] : [`${title}:`, ...written, ''];
}

/** Registrars and registrants write these values: none of them may begin a line of its own, or change how others look. */
const oneLine = (value: string): string =>
  value
    .replace(/[\s\u0085\u2028\u2029]+/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim();

/** As `2018-07-01 10:15:00 +03:00`. */
const localTime = (at: string, timeZone: string): string => {
  const iso = timeIn(timeZone, new Date(at));
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} ${iso.slice(19)}`;
};

function wrapped(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length + 1 > WRAP_AT) lines.push(`% ${word}`);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
