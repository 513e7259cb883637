import { KEY, OTHER_KEY } from '../../support/domains.ts';
import { type Recorded, type Recorder, withErrors } from './recorder.ts';

const API = '/registry/v1';
const CODE = 'a-transfer-code';
const contact = (id: string, changes: object = {}) => ({
  contact: {
    id,
    name: 'Mari Maasikas',
    email: 'mari@example.ee',
    phone: '+372.5551234',
    ident: { ident: '60001019906', ident_type: 'priv', ident_country_code: 'EE' },
    ...changes,
  },
});
const domain = (name: string, changes: object = {}) => ({
  domain: { name, registrant: 'mari', period: 1, period_unit: 'y', transfer_code: CODE, ...changes },
});
const hosts = (...names: string[]) => names.map((hostname) => ({ hostname }));
const THREE = hosts('ns1.example.net', 'ns2.example.net', 'ns3.example.net');

type Call = readonly [method: string, path: string, body?: unknown, headers?: Record<string, string>];

const as =
  (who: string) =>
  ([method, path, body, headers = {}]: Call): Recorded => ({
    as: who,
    method,
    path: API + path,
    headers,
    ...(body !== undefined && { body }),
  });

/** The objects that later requests refer to. */
const SETUP: readonly Recorded[] = [
  ...(
    [
      ['POST', '/contacts', contact('mari')],
      ['POST', '/contacts', contact('jaan', { name: 'Jaan Tamm' })],
      ['POST', '/contacts', contact('spare')],
      ['POST', '/contacts', contact('gone')],
      ['DELETE', '/contacts/gone'],
      [
        'POST',
        '/contacts',
        contact('firm', { ident: { ident: '12345678', ident_type: 'org', ident_country_code: 'EE' } }),
      ],
      ['POST', '/domains', domain('one.ee', { nameservers_attributes: THREE, dnskeys_attributes: [KEY] })],
      ['POST', '/domains', domain('two.ee', { admin_contacts: ['mari'], tech_contacts: ['jaan', 'spare'] })],
      ['POST', '/domains', domain('three.ee')],
    ] as const
  ).map(as('alpha')),
  ...(
    [
      ['POST', '/contacts', contact('bert')],
      ['POST', '/domains', domain('beta-one.ee', { registrant: 'bert' })],
      ['POST', '/domains', domain('beta-two.ee', { registrant: 'bert' })],
    ] as const
  ).map(as('beta')),
];

/** Every call that changes something, with a valid body; all of them are sent as dry runs first. */
const CHANGES: readonly Call[] = [
  ['POST', '/invoices/add_credit', { invoice: { amount: '100.00' } }],
  ['PUT', '/registrar/notifications/1', { notification: { read: true } }],
  ['POST', '/contacts', contact('fresh')],
  [
    'PUT',
    '/contacts/mari',
    { contact: { name: 'Mari Mets', email: 'mets@example.ee', phone: '+372.5550000' } },
  ],
  ['DELETE', '/contacts/spare'],
  [
    'POST',
    '/domains',
    domain('fresh.ee', {
      reserved_pw: 'no-need',
      admin_contacts: ['mari'],
      tech_contacts: ['jaan'],
      nameservers_attributes: [
        { hostname: 'ns1.fresh.ee', ipv4: ['192.0.2.1'], ipv6: ['2001:db8::1'] },
        { hostname: 'ns.example.net' },
      ],
      dnskeys_attributes: [KEY],
    }),
  ],
  [
    'PUT',
    '/domains/one.ee',
    { domain: { registrant: { code: 'jaan', verified: true }, transfer_code: 'another-code' } },
  ],
  ['POST', '/domains/one.ee/contacts', { contacts: [{ code: 'jaan', type: 'tech' }] }],
  ['DELETE', '/domains/two.ee/contacts', { contacts: [{ code: 'jaan', type: 'tech' }] }],
  ['POST', '/domains/one.ee/renew', { renews: { period: 1, period_unit: 'y', exp_date: '2031-01-16' } }],
  ['POST', '/domains/one.ee/nameservers', { nameservers: hosts('ns4.example.net') }],
  ['DELETE', '/domains/one.ee/nameservers/ns1.example.net'],
  ['DELETE', '/domains/one.ee/nameservers'],
  ['POST', '/domains/one.ee/dnssec', { dns_keys: [OTHER_KEY] }],
  ['DELETE', '/domains/one.ee/dnssec', { dns_keys: [KEY] }],
  ['PUT', '/domains/one.ee/statuses/clientHold'],
  ['POST', '/domains/beta-one.ee/transfer', { transfer: { transfer_code: CODE } }],
  [
    'POST',
    '/domains/transfer',
    { data: { domain_transfers: [{ domain_name: 'beta-two.ee', transfer_code: CODE }] } },
  ],
  ['PATCH', '/domains/contacts', { current_contact_id: 'spare', new_contact_id: 'mari' }],
  [
    'PUT',
    '/registrar/nameservers',
    {
      data: {
        type: 'nameserver',
        id: 'ns3.example.net',
        domains: ['one.ee'],
        attributes: { hostname: 'ns5.example.net', ipv4: ['192.0.2.5'], ipv6: [] },
      },
    },
  ],
  ['POST', '/domains/renew/bulk', { domains: ['one.ee', 'two.ee'], renew_period: '1y' }],
  ['DELETE', '/domains/three.ee', { domain: { delete: { verified: true } } }, { 'Auth-Code': CODE }],
];

const READS: readonly Call[] = [
  ['GET', '/accounts/balance'],
  ['GET', '/accounts/balance?detailed=true&from=2030-01-01'],
  ['GET', '/accounts/balance?detailed=maybe'],
  ['GET', '/accounts/balance?from=yesterday&until=2030-13-01'],
  ['GET', '/accounts/balance?surprise=1'],
  ['GET', '/invoices'],
  ['GET', '/invoices?limit=1'],
  ['GET', '/invoices/999999'],
  ['GET', '/invoices/word'],
  ['GET', '/registrar/notifications/all_notifications'],
  ['GET', '/registrar/notifications/all_notifications?limit=0'],
  ['GET', '/registrar/notifications'],
  ['GET', '/registrar/notifications/999999'],
  ['GET', '/registrar/notifications/word'],
  ['GET', '/contacts'],
  ['GET', '/contacts?details=true&limit=2'],
  ['GET', '/contacts?limit=2&sort=-name&q=m'],
  ['GET', '/contacts?limit=1001'],
  ['GET', '/contacts?limit=ten&offset=-1&details=5&sort=age&q='],
  ['GET', '/contacts?offset=100001'],
  ['GET', '/contacts?after=nowhere'],
  ['GET', '/contacts?limit=1&limit=2'],
  ['GET', '/contacts?q=%00'],
  ['GET', '/contacts/mari'],
  ['GET', '/contacts/MARI?simple=true'],
  ['GET', '/contacts/gone'],
  ['GET', '/contacts/nobody'],
  ['GET', '/contacts/bert'],
  ['GET', `/contacts/${'x'.repeat(300)}`],
  ['GET', '/contacts/check/mari'],
  ['GET', '/contacts/check/free'],
  ['GET', '/domains'],
  ['GET', '/domains?details=true&limit=1'],
  ['GET', '/domains?limit=1&sort=-expire_time'],
  ['GET', '/domains/one.ee'],
  ['GET', '/domains/beta-one.ee'],
  ['GET', '/domains/nothing.ee'],
  ['GET', '/domains/-.ee'],
  ['GET', '/domains/check/one.ee'],
  ['GET', '/domains/check/free.ee'],
  ['GET', '/domains/check/blocked.ee'],
  ['GET', '/domains/check/reserved.ee'],
  ['GET', '/domains/check/-'],
  ['GET', '/domains/two.ee/contacts'],
  ['GET', '/domains/one.ee/nameservers'],
  ['GET', '/domains/one.ee/dnssec'],
  ['GET', '/domains/beta-one.ee/dnssec'],
  ['GET', '/domains/one.ee/transfer_info'],
  ['GET', '/domains/beta-one.ee/transfer_info'],
  ['GET', '/domains/beta-one.ee/transfer_info', undefined, { 'Auth-Code': CODE }],
  ['GET', '/domains/beta-one.ee/transfer_info', undefined, { 'Auth-Code': 'wrong' }],
];

/** Of members that requests have gained since: at the end, so that what was recorded before keeps its place. */
const FURTHER_REFUSED: readonly Call[] = [
  ['PUT', '/contacts/mari', { contact: { reference: 'x'.repeat(256) } }],
];

/** Each well-formed, and refused by a rule. */
const REFUSED: readonly Call[] = [
  ['POST', '/contacts', contact('MARI')],
  [
    'PUT',
    '/contacts/mari',
    { contact: { ident: { ident: '38712316098', ident_type: 'priv', ident_country_code: 'EE' } } },
  ],
  ['PUT', '/contacts/nobody', { contact: { name: 'X' } }],
  ['DELETE', '/contacts/mari'],
  ['DELETE', '/contacts/gone'],
  ['POST', '/domains', domain('one.ee')],
  ['POST', '/domains', domain('blocked.ee')],
  ['POST', '/domains', domain('reserved.ee')],
  ['POST', '/domains', domain('reserved.ee', { reserved_pw: 'wrong' })],
  ['POST', '/domains', domain('fresh.ee', { registrant: 'bert' })],
  ['POST', '/domains', domain('fresh.ee', { period: 7, period_unit: 'm' })],
  ['POST', '/domains', domain('fresh.ee', { period: 1001 })],
  ['POST', '/domains', domain('fresh.ee', { admin_contacts: ['firm'], tech_contacts: ['jaan', 'jaan'] })],
  ['POST', '/domains', domain('fresh.ee', { nameservers_attributes: hosts('ns1.example.net') })],
  ['POST', '/domains', domain('fresh.ee', { nameservers_attributes: hosts('ns1.fresh.ee', 'ns2.fresh.ee') })],
  ['POST', '/domains', domain('fresh.ee', { dnskeys_attributes: [KEY, KEY] })],
  ['POST', '/domains', domain('fresh.ee', { tech_contacts: Array.from({ length: 101 }, () => 'mari') })],
  ['POST', '/domains/one.ee/renew', { renews: { period: 1, period_unit: 'y', exp_date: '2029-01-01' } }],
  ['POST', '/domains/one.ee/renew', { renews: { period: 10, period_unit: 'y', exp_date: '2031-01-16' } }],
  ['POST', '/domains/renew/bulk', { domains: ['one.ee', 'nothing.ee', 'beta-one.ee'], renew_period: '1y' }],
  ['POST', '/domains/renew/bulk', { domains: ['one.ee', 'one.ee'], renew_period: '1y' }],
  [
    'POST',
    '/domains/renew/bulk',
    { domains: Array.from({ length: 1001 }, (_, n) => `n${n}.ee`), renew_period: '1y' },
  ],
  ['POST', '/domains/beta-one.ee/transfer', { transfer: { transfer_code: 'wrong' } }],
  ['POST', '/domains/one.ee/transfer', { transfer: { transfer_code: CODE } }],
  ['PUT', '/domains/beta-one.ee', { domain: { transfer_code: 'another-code' } }],
  ['PUT', '/domains/one.ee/statuses/serverHold'],
  ['DELETE', '/domains/one.ee/statuses/clientHold'],
  ['DELETE', '/domains/one.ee/dnssec', { dns_keys: [OTHER_KEY] }],
  ['POST', '/domains/one.ee/dnssec', { dns_keys: [KEY] }],
  ['DELETE', '/domains/one.ee/contacts', { contacts: [{ code: 'jaan', type: 'tech' }] }],
  ['DELETE', '/domains/one.ee', { domain: { delete: { verified: true } } }, { 'Auth-Code': 'wrong' }],
  ['PATCH', '/domains/contacts', { current_contact_id: 'mari', new_contact_id: 'mari' }],
  ['PATCH', '/domains/contacts', { current_contact_id: 'nobody', new_contact_id: 'mari' }],
  [
    'PUT',
    '/registrar/nameservers',
    { data: { type: 'nameserver', id: 'ns1.example.net', attributes: { hostname: 'ns1.example.net' } } },
  ],
  [
    'PUT',
    '/registrar/nameservers',
    { data: { type: 'host', id: 'ns1.example.net', domains: [], attributes: {} } },
  ],
  ['POST', '/invoices/add_credit', { invoice: { amount: '0.01' } }],
  ['POST', '/invoices/add_credit', { invoice: { amount: '9999999999.00' } }],
  ['POST', '/domains/renew/bulk', { domains: ['one.ee'], renew_period: '11y' }],
];

/** Errors outside the body. */
const OUTSIDE: readonly Recorded[] = [
  { as: 'nobody', method: 'GET', path: `${API}/contacts` },
  { as: 'wrong password', method: 'GET', path: `${API}/contacts` },
  { as: 'nobody', method: 'GET', path: `${API}/nowhere` },
  { as: 'alpha-billing', method: 'GET', path: `${API}/accounts/balance` },
  { as: 'alpha-billing', method: 'GET', path: `${API}/contacts` },
  { as: 'alpha-billing', method: 'POST', path: `${API}/contacts`, raw: '{' },
  { as: 'poor', method: 'POST', path: `${API}/domains`, body: domain('poor.ee') },
  { as: 'alpha', method: 'GET', path: API },
  { as: 'alpha', method: 'GET', path: `${API}/` },
  { as: 'alpha', method: 'GET', path: `${API}/nowhere` },
  { as: 'alpha', method: 'GET', path: `${API}/contacts/` },
  { as: 'alpha', method: 'PATCH', path: `${API}/contacts` },
  { as: 'alpha', method: 'POST', path: `${API}/contacts/mari`, body: {} },
  { as: 'alpha', method: 'HEAD', path: `${API}/contacts` },
  { as: 'alpha', method: 'GET', path: `${API}/contacts`, headers: { accept: 'text/html' } },
  { as: 'alpha', method: 'GET', path: `${API}/contacts`, headers: { accept: 'application/*;q=0.5' } },
  { as: 'alpha', method: 'GET', path: `${API}/contacts`, headers: { 'content-type': 'message/coffeepot' } },
  ...['text/plain', 'application/xml', 'application/json; charset=utf-8', ''].map((type) => ({
    as: 'alpha',
    method: 'POST',
    path: `${API}/contacts`,
    body: contact('mari'),
    headers: { 'content-type': type },
  })),
  ...[
    '{',
    '[]',
    '5',
    '"text"',
    'null',
    '',
    '{"contact":{"name":"\\u0000"}}',
    '['.repeat(40) + ']'.repeat(40),
  ].map((raw) => ({ as: 'alpha', method: 'POST', path: `${API}/contacts`, raw })),
  {
    as: 'alpha',
    method: 'POST',
    path: `${API}/contacts`,
    raw: JSON.stringify({ a: 'x'.repeat(1024 * 1024) }),
  },
  { as: 'alpha', method: 'POST', path: `${API}/contacts`, raw: `[${'1,'.repeat(26_000)}1]` },
  { as: 'alpha', method: 'GET', path: `${API}/contacts/mari`, body: { surprise: 1 } },
  ...['yes', 'TRUE', ''].map((value) => ({
    as: 'alpha',
    method: 'POST',
    path: `${API}/contacts`,
    body: contact('mari'),
    headers: { 'dry-run': value },
  })),
  ...['', 'x'.repeat(256)].map((key) => ({
    as: 'alpha',
    method: 'POST',
    path: `${API}/contacts`,
    body: contact('mari'),
    headers: { 'idempotency-key': key },
  })),
];

const keyed = (body: object): Recorded => ({
  as: 'alpha',
  method: 'POST',
  path: `${API}/contacts`,
  body,
  headers: { 'idempotency-key': 'once' },
});

/** All recorded requests to the registrar API. */
export async function recordRegistrarApi(recorder: Recorder): Promise<void> {
  await recorder.sendAll(SETUP);
  await recorder.sendAll(READS.map(as('alpha')));
  await recorder.sendAll(OUTSIDE);
  await recorder.sendAll(REFUSED.map(as('alpha')));
  for (const [method, path, body, headers] of CHANGES) {
    const dry = { ...headers, 'dry-run': 'true' };
    await recorder.send(as('alpha')([method, path, body, dry]));
    for (const wrong of withErrors(body ?? {}, { few: true }))
      await recorder.send(as('alpha')([method, path, wrong, dry]));
  }
  await recorder.sendAll([keyed(contact('keyed')), keyed(contact('keyed')), keyed(contact('other'))]);
  const { data } = await recorder.send(
    as('alpha')(['POST', '/invoices/add_credit', { invoice: { amount: '50.00' } }]),
  );
  const at = `/invoices/${data.invoice.invoice_number}`;
  await recorder.sendAll([at, `${at}/pdf`, `${at}/ubl`].map((path) => as('alpha')(['GET', path])));
  await recorder.send(as('alpha')(['GET', `${at}/pdf`, undefined, { accept: 'application/pdf' }]));
  await recorder.send(as('alpha')(['GET', `${at}/ubl`, undefined, { accept: 'application/pdf' }]));
  await recorder.sendAll(CHANGES.map(as('alpha')));
  await recorder.sendAll(READS.map(as('alpha')));
  await recorder.sendAll(READS.slice(9, 12).map(as('beta')));
  const [message] = (await recorder.send(as('beta')(['GET', '/registrar/notifications/all_notifications'])))
    .data;
  const one = `/registrar/notifications/${message.id}`;
  await recorder.send(as('beta')(['GET', one]));
  await recorder.send(as('beta')(['PUT', one, { notification: { read: true } }]));
  await recorder.send(as('alpha')(['GET', one]));
  await recorder.sendAll(FURTHER_REFUSED.map(as('alpha')));
}
