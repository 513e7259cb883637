import { type EppCommand, eis, secDns } from '../../support/epp-frames.ts';
import {
  ADDRESS,
  type Commands,
  DOCUMENT,
  disclose,
  ELEVEN_CONTACTS,
  HOSTS,
  ident,
  KEY_DATA,
  MARI,
  OTHER_KEY_DATA,
  PERSON,
  type Request,
  TEN_KEYS,
} from './epp-samples.ts';

/** Of two UTF-16 units: lengths count characters. */
const LETTER = '𝒳';

const ADDRESSES = Array.from({ length: 21 }, (_, n) => `192.0.2.${n}`);

const withHostObject = (command: EppCommand): EppCommand => ({
  ...command,
  body: command.body.replace(
    /<domain:hostAttr>.*<\/domain:hostAttr>/,
    '<domain:hostObj>ns.net</domain:hostObj>',
  ),
});

/** `authInfo` in another form than a password. */
const withOtherAuthInfo = (command: EppCommand, form: string): EppCommand => ({
  ...command,
  body: command.body.replace(/<(domain|contact):pw>.*?<\/\1:pw>/, `<$1:${form}/>`),
});

/** Refusals at elements that no other command is refused for. */
export const furtherRefusalsOf = (commands: Commands, p: string): Request[] => [
  ...contactRefusals(commands, p),
  ...newDomainRefusals(commands, p),
  ...updateRefusals(commands, p),
];

const contactRefusals = ({ contact }: Commands, p: string): Request[] => [
  [contact.check(LETTER.repeat(16), LETTER.repeat(17))],
  ...[255, 256].map(
    (length): Request => [
      contact.create(`${p}mari`, { ...PERSON, name: LETTER.repeat(length) }),
      ident(MARI),
    ],
  ),
  ...['ext', 'null'].map(
    (form): Request => [
      withOtherAuthInfo(contact.create(`${p}mari`, { ...PERSON, code: 'any-code' }), form),
      ident(MARI),
    ],
  ),
  [contact.create(`${p}new`, PERSON), eis({ ident: MARI, legalDocument: { ...DOCUMENT, type: 'exe' } })],
  [contact.info('x'.repeat(17))],
  [contact.delete('x'.repeat(17))],
  [contact.update('x'.repeat(17), { chg: { name: 'X Y' } })],
  ...[
    { code: 'x'.repeat(300) },
    { disclose: disclose('2', '<contact:voice/>') },
    { fax: '+372.5551234' },
    { name: 'X Y', org: 'OÜ Näidis' },
    { name: '<b>' },
    { address: { ...ADDRESS, street: ['1', '2', '3', '4'] } },
    { address: { ...ADDRESS, cc: 'XX' } },
  ].map((chg): Request => [contact.update(`${p}mari`, { chg })]),
  ...[
    { type: 'priv', code: MARI.code },
    { ...MARI, code: 'wrong' },
    { ...MARI, type: 'robot' },
    { ...MARI, cc: 'XX' },
  ].map((given): Request => [contact.update(`${p}mari`, { chg: { name: 'X Y' } }), eis({ ident: given })]),
  [contact.update(`${p}mari`, {}), eis({ legalDocument: { ...DOCUMENT, base64: 'AAAA' } })],
];

function newDomainRefusals({ domain }: Commands, p: string): Request[] {
  const own = { name: `${p}new.ee`, registrant: `${p}mari` };
  return [
    [withHostObject(domain.create({ ...own, nameservers: HOSTS }))],
    ...['ext', 'null'].map(
      (form): Request => [withOtherAuthInfo(domain.create({ ...own, code: 'any-code' }), form)],
    ),
    [domain.create({ ...own, nameservers: [{ name: `ns1.${p}new.ee`, addresses: ADDRESSES }, ...HOSTS] })],
    [domain.create({ ...own, contacts: ELEVEN_CONTACTS.map((id) => ({ type: 'tech', id: p + id })) })],
    [domain.create({ ...own, contacts: [{ type: 'admin', id: `${p}nobody` }] })],
    [
      domain.create({
        ...own,
        contacts: [{ type: 'admin', id: `${p}firm` }],
        nameservers: HOSTS.slice(1, 2),
      }),
      secDns.create([KEY_DATA, KEY_DATA]),
    ],
  ];
}

function updateRefusals({ domain }: Commands, p: string): Request[] {
  const name = `${p}one.ee`;
  const withAddresses = (...addresses: string[]) => ({
    add: { nameservers: [{ name: `ns.${name}`, addresses }] },
  });
  return [
    ...[
      { add: { contacts: ['jaan', 'jaan'].map((id) => ({ type: 'tech', id: p + id })) } },
      { add: { contacts: ELEVEN_CONTACTS.map((id) => ({ type: 'tech', id: p + id })) } },
      { add: { contacts: [{ type: 'admin', id: `${p}nobody` }] } },
      { add: { contacts: [{ type: 'billing', id: `${p}mari` }] } },
      { rem: { contacts: [{ type: 'admin', id: `${p}mari` }] } },
      { add: { nameservers: ['-'] } },
      withAddresses('10.0.0.1'),
      withAddresses('wrong'),
      withAddresses(...ADDRESSES),
      { rem: { nameservers: ['-'] } },
    ].map((changes): Request => [domain.update(name, changes)]),
    [withHostObject(domain.update(name, { add: { nameservers: HOSTS } }))],
    ...['ext', 'null'].map(
      (form): Request => [withOtherAuthInfo(domain.update(name, { code: 'any-code' }), form)],
    ),
    ...[
      secDns.update({ add: [{ ...OTHER_KEY_DATA, flags: 1 }] }),
      secDns.update({ add: [{ ...OTHER_KEY_DATA, protocol: 4 }] }),
      secDns.update({ add: [{ ...OTHER_KEY_DATA, alg: 1 }] }),
      secDns.update({ add: [{ ...OTHER_KEY_DATA, publicKey: 'AAAA' }] }),
      secDns.update({ add: TEN_KEYS }),
      secDns.update({ rem: [{ ...KEY_DATA, alg: 1 }] }),
      secDns.update({ rem: [{ ...KEY_DATA, publicKey: 'no base64!' }] }),
      secDns.update({ add: [OTHER_KEY_DATA] }).replaceAll('keyData', 'dsData'),
      secDns.update({ rem: [KEY_DATA] }).replaceAll('keyData', 'dsData'),
      secDns
        .update({ add: [OTHER_KEY_DATA] })
        .replace('<secDNS:keyData>', '<secDNS:maxSigLife>5</secDNS:maxSigLife>$&'),
    ].map((extension): Request => [domain.update(name, {}), extension]),
    [
      domain.update(name, { registrant: `${p}jaan`, verified: 'yes' }),
      eis({ legalDocument: { type: 'pdf', base64: 'AAAA' } }),
    ],
  ];
}
