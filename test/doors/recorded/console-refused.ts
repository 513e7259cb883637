import { KEY, OTHER_KEY } from '../../support/domains.ts';
import type { ConsoleRecorder } from './console-recorder.ts';

type Fields = Readonly<Record<string, string>>;

export const PERSON = {
  name: 'Jaan Tamm',
  email: 'jaan@example.ee',
  phone: '+372.5551234',
  identType: 'priv',
  ident: '37605030299',
  identCountry: 'EE',
};
const ADDRESS = { street: 'Pikk 1', city: 'Tartu', country: 'EE' };
const LONG = 'x'.repeat(256);
const KEY_LINE = `257 3 13 ${KEY.public_key}`;

const many = (count: number, line: (n: number) => string, separator = '\n'): string =>
  Array.from({ length: count }, (_, n) => line(n)).join(separator);
const TEN_KEYS = many(10, (n) => `257 3 13 ${'A'.repeat(85)}${'QRSTUVWXYZ'[n]}==`);

/** What is wrong in each field of a contact. */
const CONTACT_FAULTS: readonly Fields[] = [
  { id: '!' },
  { id: 'mari' },
  { name: '' },
  { name: '<b>' },
  { name: LONG },
  { email: '' },
  { email: 'wrong' },
  { phone: '' },
  { phone: '5' },
  { ident: '' },
  { ident: '37605030290' },
  { identType: 'org', ident: '1' },
  { identType: 'birthday', ident: '1800-01-01' },
  { identType: 'robot' },
  { identCountry: '' },
  { identCountry: 'XX' },
  { city: 'Tartu' },
  { country: 'EE' },
  { ...ADDRESS, street: LONG },
  { ...ADDRESS, street: many(4, (n) => `Pikk ${n}`) },
  { ...ADDRESS, city: LONG },
  { ...ADDRESS, state: LONG },
  { ...ADDRESS, postalCode: LONG },
  { ...ADDRESS, country: 'XX' },
  { name: '', email: 'wrong', phone: '5', ident: '1', city: 'Tartu' },
];

const CHANGE_FAULTS: readonly Fields[] = [
  {},
  { name: '' },
  { name: '<b>' },
  { email: 'wrong', phone: '' },
  { ...ADDRESS, country: '' },
  { ...ADDRESS, postalCode: LONG },
];

/** What is wrong in each field of a registration. */
const REGISTRATION_FAULTS: readonly Fields[] = [
  { name: '' },
  { name: '-.ee' },
  { name: 'x.com' },
  { name: 'one.ee' },
  { name: 'com.ee' },
  { name: 'blocked.ee' },
  { name: 'reserved.ee' },
  { name: 'reserved.ee', reservationCode: 'wrong' },
  { registrant: '' },
  { registrant: 'nobody' },
  { registrant: 'bert' },
  { years: 'x' },
  { years: '11' },
  { admins: 'firm' },
  { admins: 'kid' },
  { admins: 'nobody' },
  { admins: 'mari mari' },
  { techs: 'nobody' },
  { techs: 'mari, MARI' },
  { techs: many(101, (n) => `tech-${n}`, ' ') },
  { techs: many(11, (n) => `tech-${n}`, ' ') },
  { nameservers: 'ns1.example.net' },
  { nameservers: many(12, (n) => `ns${n}.example.net`) },
  { nameservers: many(101, (n) => `ns${n}.example.net`) },
  { nameservers: 'ns1.example.net\nNS1.example.net' },
  { nameservers: 'ns1.new.ee\nns2.new.ee' },
  { nameservers: 'ns1.new.ee 10.0.0.1\nns2.new.ee ::1' },
  { nameservers: 'ns1.example.net wrong\n- 192.0.2.1' },
  { nameservers: `ns1.new.ee ${many(21, (n) => `192.0.2.${n}`, ' ')}\nns2.example.net` },
  { keys: 'wrong' },
  { keys: '257 4 13 AAAA' },
  { keys: '257 3 1 AAAA' },
  { keys: '257 3 13 AAAA' },
  { keys: `${KEY_LINE}\n${KEY_LINE}` },
  { keys: TEN_KEYS },
  { name: '', registrant: '', years: 'x', admins: 'nobody', nameservers: '-', keys: 'wrong' },
];

/** Forms about a domain, as the sponsor sees it. */
const DOMAIN_FAULTS: readonly (readonly [form: string, fields: Fields])[] = [
  ['nameservers', {}],
  ['nameservers', { nameservers: 'ns1.example.net' }],
  ['nameservers', { nameservers: 'ns1.example.net\nns1.example.net' }],
  ['nameservers', { nameservers: 'ns1.four.ee\nns2.example.net' }],
  ['nameservers', { nameservers: 'ns1.four.ee 10.0.0.1\nns2.example.net' }],
  ['nameservers', { nameservers: 'ns1.example.net wrong\n-' }],
  ['nameservers', { nameservers: many(101, (n) => `ns${n}.example.net`) }],
  ['keys', {}],
  ['keys', { keys: '257 3 13' }],
  ['keys', { keys: '257 3 1 AAAA' }],
  ['keys', { keys: `${OTHER_KEY.flags} 3 15 ${KEY.public_key}` }],
  ['keys', { keys: TEN_KEYS }],
  ['contacts', {}],
  ['contacts', { admins: 'kid' }],
  ['contacts', { admins: 'firm', techs: 'nobody' }],
  ['contacts', { admins: 'mari mari' }],
  ['contacts', { techs: many(101, (n) => `tech-${n}`, ' ') }],
  ['registrant', {}],
  ['registrant', { registrant: '' }],
  ['registrant', { registrant: 'nobody' }],
  ['registrant', { registrant: 'firm' }],
  ['renew', { years: '10' }],
  ['renew', { years: 'x' }],
  ['renew', { years: '1', expires: '2029-01-01' }],
];

const TRANSFER_FAULTS: readonly Fields[] = [
  {},
  { name: 'nothing.ee', transferCode: 'a-transfer-code' },
  { name: '-', transferCode: 'a-transfer-code' },
  { name: 'one.ee', transferCode: 'a-transfer-code' },
  { name: 'one.ee', transferCode: 'wrong' },
  { name: 'beta-one.ee', transferCode: '' },
  { name: 'beta-one.ee', transferCode: 'wrong' },
];

const WEBHOOK_FAULTS: readonly Fields[] = [
  { url: '' },
  { url: 'ftp://example.ee/' },
  { url: 'http://127.0.0.1:1/hook', description: 'x'.repeat(2_001) },
  { url: 'http://127.0.0.1:1/hook', events: 'chosen' },
];

const SETTINGS_FAULTS: readonly Fields[] = [
  { low_balance: 'x' },
  { amount: '500' },
  { threshold: '20' },
  { amount: 'x', threshold: '20' },
  { amount: '500', threshold: 'x' },
];

/** Every field of a form with something wrong in it; nothing is changed. */
export async function recordRefusedForms(recorder: ConsoleRecorder): Promise<void> {
  for (const fault of CONTACT_FAULTS)
    await recorder.fill('alpha', '/contacts/~create', { ...PERSON, ...fault });
  for (const fault of CHANGE_FAULTS) await recorder.fill('alpha', '/contacts/mari/change', fault);
  for (const fault of REGISTRATION_FAULTS)
    await recorder.fill('alpha', '/domains/register', { name: 'new.ee', registrant: 'mari', ...fault });
  for (const [form, fault] of DOMAIN_FAULTS) await recorder.fill('alpha', `/domains/four.ee/${form}`, fault);
  for (const fault of TRANSFER_FAULTS) await recorder.fill('alpha', '/domains/transfer', fault);
  for (const fault of WEBHOOK_FAULTS) await recorder.fill('alpha', '/webhooks/new', fault);
  for (const fault of SETTINGS_FAULTS) await recorder.fill('alpha', '/balance/settings', fault);
  for (const amount of ['', '0', 'ten', '100000000.01'])
    await recorder.fill('alpha', '/balance/top-up', { amount });
  await recorder.confirm('alpha', '/contacts/mari/delete');
  for (const path of ['/contacts/bert/change', '/contacts/nobody/delete', '/domains/beta-one.ee/renew'])
    await recorder.fill('alpha', path);
}

const FORM_KEY = '00000000-0000-4000-8000-000000000000';
const RENEWAL = { years: '1', expires: '2031-01-16', step: 'confirm', key: FORM_KEY };

/** Forms that were opened before something else changed, or were sent otherwise than the console does. */
export async function recordStaleForms(recorder: ConsoleRecorder): Promise<void> {
  const nameservers = 'ns3.example.net\nns4.example.net';
  await recorder.post('alpha', '/domains/four.ee/nameservers', {
    nameservers,
    version: '0',
    step: 'preview',
  });
  await recorder.post('alpha', '/contacts/mari/change', {
    ...PERSON,
    ...ADDRESS,
    version: '0',
    step: 'preview',
  });
  await recorder.post('alpha', '/domains/four.ee/renew', { ...RENEWAL, price: '1.00' });
  await recorder.post('alpha', '/domains/five.ee/renew', { ...RENEWAL, price: '9.00' });
  await recorder.post('alpha', '/domains/five.ee/renew', { ...RENEWAL, price: '9.00' });
  await recorder.post('alpha', '/domains/five.ee/renew', { ...RENEWAL, years: '2', price: '18.00' });
  for (const headers of [
    { 'sec-fetch-site': '' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': '', origin: 'https://elsewhere.example' },
  ])
    await recorder.post('alpha', '/language', { language: 'en' }, headers);
}

/** The texts of refusals in the other language. */
export async function recordEstonianForms(recorder: ConsoleRecorder): Promise<void> {
  await recorder.post('alpha', '/language', { language: 'et' });
  await recorder.fill('alpha', '/contacts/~create', { ...PERSON, id: 'mari' });
  await recorder.fill('alpha', '/contacts/~create', { ...PERSON, name: '', email: 'wrong', city: 'Tartu' });
  await recorder.confirm('alpha', '/contacts/mari/delete');
  const names = ['x.com', 'one.ee', 'blocked.ee', 'reserved.ee'];
  for (const name of names) await recorder.fill('alpha', '/domains/register', { name, registrant: 'mari' });
  await recorder.fill('alpha', '/domains/register', {
    name: 'new.ee',
    registrant: 'nobody',
    years: '11',
    admins: 'firm kid',
    nameservers: 'ns1.new.ee',
    keys: 'wrong',
  });
  await recorder.fill('alpha', '/domains/four.ee/contacts', { admins: 'firm kid', techs: 'mari mari' });
  await recorder.fill('alpha', '/domains/transfer', { name: 'beta-one.ee', transferCode: 'wrong' });
  await recorder.fill('alpha', '/balance/top-up', { amount: '0' });
  await recorder.post('alpha', '/language', { language: 'en' });
}

/** Beyond so many wrong codes of one name a right one is refused, too. */
const WRONG_CODES = 10;

export async function recordGuessedCodes(recorder: ConsoleRecorder): Promise<void> {
  for (let guess = 0; guess < WRONG_CODES; guess++)
    await recorder.guessTransferCode('alpha', 'beta-three.ee', `guess-${guess}`);
  await recorder.fill('alpha', '/domains/transfer', {
    name: 'beta-three.ee',
    transferCode: 'a-transfer-code',
  });
  await recorder.fillBulk('alpha', '/bulk/transfer', { names: 'beta-three.ee,a-transfer-code' });
}
