import type { EppAnswer } from './epp-answer.ts';

const IETF = 'urn:ietf:params:xml:ns:';
const EE = 'https://epp.tld.ee/schema/';
const LOGIN_SEC = `${IETF}epp:loginSec-1.0`;

/** What stands inside of `<command>`, before extensions and clTRID. */
export type EppCommand = {
  readonly body: string;
  /** The namespace of the envelope; that of the IETF if it is left out. */
  readonly envelope?: string;
};

export const escapeXml = (text: string | number): string =>
  String(text).replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** A command in its envelope. */
export function envelope(
  { body, envelope: namespace = `${IETF}epp-1.0` }: EppCommand,
  extensions: readonly string[] = [],
  clTRID?: string,
): string {
  const extension = extensions.length === 0 ? '' : `<extension>${extensions.join('')}</extension>`;
  const id = clTRID === undefined ? '' : `<clTRID>${clTRID}</clTRID>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<epp xmlns="${namespace}"><command>${body}${extension}${id}</command></epp>`;
}

export type LogInOptions = {
  readonly newPassword?: string;
  /** Whether the passwords are sent in the extension loginSec; by default if one is too long for the command. */
  readonly loginSecurity?: boolean;
  /** By default all that the greeting announces. */
  readonly objects?: readonly string[];
  readonly extensions?: readonly string[];
  readonly version?: string;
  readonly lang?: string;
  readonly envelope?: string;
};

const MAX_PASSWORD_LENGTH = 16;
const IN_EXTENSION = '[LOGIN-SECURITY]';

/** The login and its extensions. */
export function logInCommand(
  user: string,
  password: string,
  greeting: EppAnswer,
  options: LogInOptions,
): readonly [EppCommand, ...string[]] {
  const { newPassword, version = '1.0', lang = 'en' } = options;
  const objects = options.objects ?? greeting.texts('svcMenu/objURI');
  const extensions = options.extensions ?? greeting.texts('svcMenu/svcExtension/extURI');
  const isLong = [password, newPassword].some((text) => (text?.length ?? 0) > MAX_PASSWORD_LENGTH);
  const inExtension = options.loginSecurity ?? isLong;
  const shown = (name: string, text: string | undefined) =>
    text === undefined ? '' : `<${name}>${escapeXml(inExtension ? IN_EXTENSION : text)}</${name}>`;
  const hidden = (name: string, text: string | undefined) =>
    text === undefined ? '' : `<loginSec:${name}>${escapeXml(text)}</loginSec:${name}>`;
  const services = extensions.map((uri) => `<extURI>${uri}</extURI>`).join('');
  const body = `<login><clID>${escapeXml(user)}</clID>${shown('pw', password)}${shown('newPW', newPassword)}
    <options><version>${version}</version><lang>${lang}</lang></options>
    <svcs>${objects.map((uri) => `<objURI>${uri}</objURI>`).join('')}
    ${services === '' ? '' : `<svcExtension>${services}</svcExtension>`}</svcs></login>`;
  const command = { body, ...(options.envelope && { envelope: options.envelope }) };
  return inExtension
    ? [
        command,
        `<loginSec:loginSec xmlns:loginSec="${LOGIN_SEC}">${hidden('pw', password)}${hidden('newPW', newPassword)}</loginSec:loginSec>`,
      ]
    : [command];
}

export const poll = {
  request: { body: '<poll op="req"/>' } satisfies EppCommand,
  acknowledge: (id: string): EppCommand => ({ body: `<poll op="ack" msgID="${escapeXml(id)}"/>` }),
};

export type Key = {
  readonly flags?: string | number;
  readonly protocol?: string | number;
  readonly alg?: string | number;
  readonly publicKey: string;
};

const keyData = ({ flags = 257, protocol = 3, alg = 13, publicKey }: Key): string =>
  `<secDNS:keyData><secDNS:flags>${flags}</secDNS:flags><secDNS:protocol>${protocol}</secDNS:protocol><secDNS:alg>${alg}</secDNS:alg><secDNS:pubKey>${publicKey}</secDNS:pubKey></secDNS:keyData>`;
const keys = (list: readonly Key[]): string => list.map(keyData).join('');
const inSecDns = (name: string, content: string): string =>
  `<secDNS:${name} xmlns:secDNS="${IETF}secDNS-1.1">${content}</secDNS:${name}>`;

export const secDns = {
  create: (list: readonly Key[]): string => inSecDns('create', keys(list)),
  update: ({ rem, add }: { rem?: readonly Key[] | 'all'; add?: readonly Key[] }): string => {
    const removed = rem === 'all' ? '<secDNS:all>true</secDNS:all>' : rem && keys(rem);
    return inSecDns(
      'update',
      `${removed ? `<secDNS:rem>${removed}</secDNS:rem>` : ''}${add ? `<secDNS:add>${keys(add)}</secDNS:add>` : ''}`,
    );
  },
};

/** The extension of the ee registry, in the order of its schema. */
export function eis({
  ident,
  legalDocument,
  reservedCode,
}: {
  readonly ident?: { readonly type: string; readonly cc?: string; readonly code: string };
  readonly legalDocument?: { readonly type: string; readonly base64: string };
  readonly reservedCode?: string;
}): string {
  const parts = [
    ident &&
      `<eis:ident type="${ident.type}"${ident.cc ? ` cc="${ident.cc}"` : ''}>${escapeXml(ident.code)}</eis:ident>`,
    legalDocument &&
      `<eis:legalDocument type="${legalDocument.type}">${legalDocument.base64}</eis:legalDocument>`,
    reservedCode !== undefined && `<eis:reserved><eis:pw>${escapeXml(reservedCode)}</eis:pw></eis:reserved>`,
  ];
  return `<eis:extdata xmlns:eis="${EE}eis-1.0.xsd">${parts.filter(Boolean).join('')}</eis:extdata>`;
}

const inFee = (name: string, content: string): string =>
  `<fee:${name} xmlns:fee="${IETF}epp:fee-1.0">${content}</fee:${name}>`;

export const fee = {
  /** Asks for the prices of commands, each with a period such as `2y`. */
  check: (
    commands: readonly { readonly name: string; readonly period?: string }[],
    currency?: string,
  ): string => {
    const asked = commands.map(({ name, period }) => {
      const of = period && `<fee:period unit="${period.slice(-1)}">${period.slice(0, -1)}</fee:period>`;
      return `<fee:command name="${name}">${of ?? ''}</fee:command>`;
    });
    return inFee('check', `${currency ? `<fee:currency>${currency}</fee:currency>` : ''}${asked.join('')}`);
  },
  /** The price that the client agrees to. */
  agreed: (command: 'create' | 'renew' | 'transfer' | 'update', amount: string, currency?: string): string =>
    inFee(
      command,
      `${currency ? `<fee:currency>${currency}</fee:currency>` : ''}<fee:fee>${amount}</fee:fee>`,
    ),
};

export const restoreRequest = `<rgp:update xmlns:rgp="${IETF}rgp-1.0"><rgp:restore op="request"/></rgp:update>`;
