import { KEY, OTHER_KEY } from '../../support/domains.ts';
import type { ConsoleRecorder } from './console-recorder.ts';
import {
  PERSON,
  recordEstonianForms,
  recordGuessedCodes,
  recordRefusedForms,
  recordStaleForms,
} from './console-refused.ts';

type Filled = readonly [path: string, fields?: Readonly<Record<string, string>>];

const DNSKEY = `${OTHER_KEY.flags} 3 15 ${OTHER_KEY.public_key}`;

/** Forms about one object that are carried out, in their order; some are refused for what was done before. */
const FORMS: readonly Filled[] = [
  ['/contacts/~create', { ...PERSON, id: 'jaan', 'disclose-name': 'yes' }],
  ['/contacts/mari/change', {}],
  [
    '/contacts/mari/change',
    { email: 'uus@example.ee', city: 'Tartu', country: 'EE', 'disclose-phone': 'yes' },
  ],
  [
    '/domains/register',
    {
      name: 'new.ee',
      registrant: 'mari',
      years: '2',
      admins: 'jaan',
      techs: 'firm',
      nameservers: 'ns1.new.ee 192.0.2.1\nns2.example.net',
    },
  ],
  [
    '/domains/register',
    { name: 'reserved.ee', registrant: 'mari', reservationCode: 'reserved-sandbox-code' },
  ],
  ['/domains/new.ee/nameservers', { nameservers: 'ns3.example.net\nns4.example.net' }],
  ['/domains/beta-one.ee/nameservers', { nameservers: 'ns3.example.net\nns4.example.net' }],
  ['/domains/new.ee/keys', { keys: DNSKEY }],
  ['/domains/new.ee/keys', { keys: DNSKEY }],
  ['/domains/new.ee/keys', { 'remove-0': 'yes', keys: `257 3 13 ${KEY.public_key}` }],
  ['/domains/new.ee/contacts', { admins: '', techs: 'mari, jaan' }],
  ['/domains/new.ee/hold'],
  ['/domains/new.ee/release'],
  ['/domains/new.ee/transfer-code/new'],
  ['/domains/new.ee/renew', { years: '1' }],
  ['/domains/one.ee/registrant', { registrant: 'mari' }],
  ['/domains/one.ee/registrant', { registrant: 'jaan' }],
  ['/domains/one.ee/registrant', { registrant: 'jaan' }],
  ['/domains/one.ee/renew', { years: '1' }],
  ['/domains/two.ee/registrant', { registrant: 'jaan', verified: 'yes' }],
  ['/domains/two.ee/delete', { typed: 'two' }],
  ['/domains/two.ee/delete', { typed: 'two.ee' }],
  ['/domains/two.ee/delete', { typed: 'two.ee', verified: 'yes' }],
  ['/domains/reserved.ee/delete', { typed: 'Reserved.ee', verified: 'yes' }],
  ['/domains/reserved.ee/renew', { years: '1' }],
  ['/domains/nothing.ee/delete', { verified: 'yes' }],
  ['/domains/transfer', { name: 'beta-one.ee', transferCode: 'a-transfer-code' }],
  ['/contacts/spare/delete'],
  ['/contacts/spare/delete'],
  ['/balance/top-up', { amount: '250,5' }],
  ['/balance/settings', { low_balance: '50', amount: '500.00', threshold: '20,00' }],
  ['/balance/settings', { low_balance: '', amount: '', threshold: '' }],
];

const BULK: readonly (readonly [path: string, fields: Readonly<Record<string, string>>])[] = [
  ['/bulk/renew', { period: '1y', names: '' }],
  ['/bulk/renew', { period: '5d', names: 'four.ee' }],
  ['/bulk/renew', { period: '1y', names: 'nothing.ee\nbeta-two.ee' }],
  ['/bulk/renew', { period: '1y', names: 'four.ee\nnothing.ee\nfive.ee' }],
  ['/bulk/nameservers', { how: 'set', current: '', nameservers: '', names: 'four.ee' }],
  ['/bulk/nameservers', { how: 'add', current: '', nameservers: 'ns9.example.net', names: 'four.ee' }],
  ['/bulk/nameservers', { how: 'replace', current: 'ns1.example.net', nameservers: '-', names: 'four.ee' }],
  [
    '/bulk/nameservers',
    {
      how: 'replace',
      current: 'ns1.example.net',
      nameservers: 'ns9.example.net',
      names: 'four.ee\nfive.ee',
    },
  ],
  ['/bulk/nameservers', { how: 'remove', current: 'ns7.example.net', names: '' }],
  ['/bulk/tech-contact', { current: '', next: '', names: 'four.ee' }],
  ['/bulk/tech-contact', { current: 'nobody', next: 'mari', names: 'four.ee' }],
  ['/bulk/tech-contact', { current: 'firm', next: 'nobody', names: 'four.ee' }],
  ['/bulk/tech-contact', { current: 'firm', next: 'firm', names: 'four.ee' }],
  ['/bulk/tech-contact', { current: 'jaan', next: 'mari', names: 'four.ee\n-' }],
  ['/bulk/tech-contact', { current: 'firm', next: 'mari', names: 'four.ee\nfive.ee' }],
  ['/bulk/transfer', { names: 'beta-two.ee' }],
  ['/bulk/transfer', { names: 'beta-two.ee,wrong\nnothing.ee,code\nfour.ee,code\nx.com,code' }],
  ['/bulk/transfer', { names: 'beta-two.ee,a-transfer-code' }],
];

/** As the page of a form that asks once sends it. */
const CONFIRMED = { step: 'confirm', key: '00000000-0000-4000-8000-000000000001' };

/** Requests of one step. */
const POSTS: readonly (readonly [person: string, path: string, fields?: Readonly<Record<string, string>>])[] =
  [
    ['nobody', '/login', { email: 'alpha@sandbox.example', password: 'wrong' }],
    ['nobody', '/login', { email: '', password: '' }],
    ['nobody', '/domains/register', { name: 'new.ee' }],
    ['reader', '/domains/register', { name: 'new.ee', registrant: 'mari', step: 'preview' }],
    ['reader', '/people/invite', { email: 'new@example.ee' }],
    ['alpha', '/nowhere'],
    ['alpha', '/language', { language: 'et' }],
    ['alpha', '/language', { language: 'fr' }],
    ['alpha', '/language', { language: 'en' }],
    ['alpha', '/registrar', { registrar: 'BETA' }],
    ['alpha', '/domains/one.ee/transfer-code'],
    ['alpha', '/domains/nothing.ee/transfer-code'],
    ['alpha', '/messages/acknowledge'],
    ['alpha', '/messages/acknowledge', { message: 'word' }],
    ['alpha', '/messages/acknowledge', { message: '999999' }],
    ['alpha', '/people/invite', { email: 'wrong', name: 'New', 'role-reader': 'yes' }],
    ['alpha', '/people/invite', { email: 'new@example.ee', name: '', 'role-reader': 'yes' }],
    ['alpha', '/people/invite', { email: 'new@example.ee', name: 'New' }],
    ['alpha', '/people/invite', { email: 'alpha@sandbox.example', name: 'New', 'role-reader': 'yes' }],
    [
      'alpha',
      '/people/invite',
      { email: 'new@example.ee', name: 'New', 'role-reader': 'yes', language: 'en' },
    ],
    ['alpha', '/people/withdraw', { email: 'new@example.ee' }],
    ['alpha', '/people/withdraw', { email: 'new@example.ee' }],
    ['alpha', '/people/2/roles', {}],
    ['alpha', '/people/2/roles', { 'role-billing': 'yes' }],
    ['alpha', '/people/1/roles', { 'role-reader': 'yes' }],
    ['alpha', '/people/1/disable'],
    ['alpha', '/people/3/disable'],
    ['alpha', '/people/2/end-sessions'],
    ['alpha', '/people/2/disable'],
    ['alpha', '/people/2/enable'],
    ['alpha', '/people/2/remove'],
    ['alpha', '/people/1/remove', { ...CONFIRMED, typed: 'alpha@sandbox.example' }],
    ['alpha', '/people/2/remove', { ...CONFIRMED, typed: 'alpha-reader@sandbox.example' }],
    ['alpha', '/access/users', { username: '', 'role-epp': 'yes' }],
    ['alpha', '/access/users', { username: 'alpha', 'role-epp': 'yes' }],
    ['alpha', '/access/users', { username: 'alpha-shop' }],
    ['alpha', '/access/users', { username: 'alpha-shop', 'role-epp': 'yes' }],
    ['alpha', '/access/users/alpha-shop/roles', {}],
    ['alpha', '/access/users/alpha-shop/roles', { 'role-billing': 'yes' }],
    ['alpha', '/access/users/alpha-shop/password', { old: 'day' }],
    ['alpha', '/access/users/alpha-shop/drop-old-password'],
    ['alpha', '/access/users/alpha-shop/disable'],
    ['alpha', '/access/users/alpha-shop/enable'],
    ['alpha', '/access/users/beta/disable'],
    ['alpha', '/access/users/alpha-shop/request', { request: 'wrong' }],
    ['alpha', '/access/users/alpha-shop/withdraw-request'],
    ['alpha', '/access/certificates/9/revoke'],
    ['alpha', '/access/addresses', { purpose: 'api', 'api-range': 'office', 'api-note': 'office' }],
    ['alpha', '/access/addresses', { purpose: 'api', 'api-range': '192.0.2.0/24', 'api-note': 'office' }],
    ['alpha', '/access/addresses', { purpose: 'api', 'api-range': '192.0.2.0/24', 'api-note': 'office' }],
    ['alpha', '/access/addresses/remove', { purpose: 'api', range: '192.0.2.0/24' }],
    ['alpha', '/access/addresses/remove', { purpose: 'api', range: '192.0.2.0/24' }],
    ['alpha', '/webhooks/whe_nothing/test'],
    ['alpha', '/webhooks/whe_nothing/disable'],
    [
      'alpha',
      '/account/password',
      { current: 'wrong', chosen: 'a-new-long-password', repeated: 'a-new-long-password' },
    ],
    ['alpha', '/account/password', { current: 'alpha-console-password', chosen: 'short', repeated: 'short' }],
    [
      'alpha',
      '/account/password',
      { current: 'alpha-console-password', chosen: 'a-new-long-password', repeated: 'other' },
    ],
    [
      'alpha',
      '/account/password',
      {
        current: 'alpha-console-password',
        chosen: 'a-new-long-password',
        repeated: 'a-new-long-password',
      },
    ],
    ['alpha', '/account/code/confirm', { step: 'wrong', code: '123456' }],
    ['alpha', '/account/code/remove'],
    ['alpha', '/account/passkeys/add', { step: 'wrong', response: '{}', name: 'key' }],
    ['alpha', '/account/passkeys/remove', { passkey: '999' }],
    ['alpha', '/account/sessions/end', { session: '999999' }],
    ['alpha', '/account/identity/unlink'],
    ['alpha', '/account/sessions/end-others'],
  ];

export async function recordConsole(recorder: ConsoleRecorder): Promise<void> {
  await recordRefusedForms(recorder);
  await recordEstonianForms(recorder);
  for (const [path, fields] of FORMS) await recordForm(recorder, path, fields);
  await recordStaleForms(recorder);
  for (const [path, fields] of BULK) await recorder.fillBulk('alpha', path, fields);
  for (const [person, path, fields] of POSTS) await recorder.post(person, path, fields);
  const message = await recorder.find('alpha', '/messages', /name="message" value="(\d+)"/);
  await recorder.post('alpha', '/messages/acknowledge', { message });
  await recordWebhook(recorder);
  await recordGuessedCodes(recorder);
  await recorder.post('alpha', '/logout');
  await recorder.post('alpha', '/language', { language: 'en' });
}

/** By the kind of the form. */
function recordForm(recorder: ConsoleRecorder, path: string, fields: Filled[1] = {}): Promise<unknown> {
  if (path.endsWith('/delete')) return recorder.confirm('alpha', path, fields);
  if (/\/(?:hold|release)$/.test(path)) return recorder.post('alpha', path, fields);
  return recorder.fill('alpha', path, fields);
}

async function recordWebhook(recorder: ConsoleRecorder): Promise<void> {
  const { text } = await recorder.fill('alpha', '/webhooks/new', {
    url: 'http://127.0.0.1:1/hook',
    description: 'shop',
  });
  const id = /\/console\/webhooks\/(whe_\w+)"/.exec(text)?.[1] ?? '';
  await recorder.fill('alpha', `/webhooks/${id}/change`);
  await recorder.fill('alpha', `/webhooks/${id}/change`, { description: 'another shop' });
  await recorder.fill('alpha', `/webhooks/${id}/secret`);
  await recorder.post('alpha', `/webhooks/${id}/replay`, { since: 'soon' });
  await recorder.post('alpha', `/webhooks/${id}/replay`, { since: '2030-01-01' });
  await recorder.post('alpha', `/webhooks/${id}/disable`);
  await recorder.post('alpha', `/webhooks/${id}/disable`);
  await recorder.post('alpha', `/webhooks/${id}/test`);
  await recorder.post('alpha', `/webhooks/${id}/enable`);
  await recorder.confirm('alpha', `/webhooks/${id}/delete`);
}
