import { KEY, OTHER_KEY } from '../../../support/domains.ts';

/** HTTP status and code; of a success in the envelope too. */
type Outcome = `${number}/${number}`;

/**
 * One request and what the incumbent is known to answer. Where nothing else is said the profile answers with the same
 * status and code; otherwise `here` is what it answers. `text` is the incumbent's message, where clients may know it.
 */
export type Known = {
  readonly call: string;
  readonly json?: unknown;
  readonly form?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly incumbent: Outcome;
  readonly here?: Outcome;
  readonly text?: string;
  /** Members of `data` of a success at the incumbent that are required here. */
  readonly data?: readonly string[];
};

const ok = '200/1000';
const missing = '400/2003';
const wrong = '400/2005';
const ident = { ident: '60001019906', ident_type: 'priv', ident_country_code: 'EE' };
const person = { name: 'Mari Maasikas', email: 'mari@example.ee', phone: '+372.5551234', ident };

const contact = (changes: object, incumbent: Outcome, more: Partial<Known> = {}): Known => ({
  call: 'POST /contacts',
  json: { contact: { ...person, ...changes } },
  incumbent,
  ...more,
});
const domain = (name: string, changes: object, incumbent: Outcome, more: Partial<Known> = {}): Known => ({
  call: 'POST /domains',
  json: { domain: { name, registrant: 'mari', period: 1, period_unit: 'y', ...changes } },
  incumbent,
  ...more,
});
const put = (call: string, json: unknown, incumbent: Outcome, more: Partial<Known> = {}): Known => ({
  call,
  json,
  incumbent,
  ...more,
});
const get = (path: string, incumbent: Outcome, more: Partial<Known> = {}): Known => ({
  call: `GET ${path}`,
  incumbent,
  ...more,
});
const host = (hostname: string, more: object = {}) => ({ hostname, ...more });
const TWO = [host('ns1.example.net'), host('ns2.example.net')];

const MONEY_AND_MESSAGES: readonly Known[] = [
  get('/accounts/balance', ok, { data: ['balance', 'currency'] }),
  get('/accounts/balance?detailed=true&from=2020-01-01&until=2030-01-01', ok, { data: ['transactions'] }),
  get('/accounts/balance?detailed=1&from=soon', ok),
  get('/registrar/notifications/all_notifications?limit=10&offset=0', ok),
  get('/registrar/notifications/all_notifications?limit=5000', ok, { data: ['0.id'] }),
  get('/registrar/notifications/all_notifications?limit=50000', ok, { data: ['0.id'] }),
  get('/registrar/notifications/all_notifications?limit=0', ok),
  get('/registrar/notifications', ok, { data: ['id', 'text', 'attached_obj_type', 'attached_obj_id'] }),
  get('/registrar/notifications/MESSAGE', ok),
  put('PUT /registrar/notifications/MESSAGE', {}, missing),
  put('PUT /registrar/notifications/MESSAGE', { notification: { read: false } }, wrong),
  put('PUT /registrar/notifications/MESSAGE', { notification: { read: 'true' } }, ok, {
    data: ['notification_id', 'read'],
  }),
  put('PUT /registrar/notifications/MESSAGE', { notification: { read: true } }, '404/2303'),
  get('/registrar/notifications/MESSAGE', '404/2303'),
  get('/registrar/notifications/999999', '404/2303', { text: 'Object does not exist' }),
];

const CONTACTS: readonly Known[] = [
  get('/contacts', ok, { data: ['contacts', 'count'] }),
  get('/contacts?details=true&limit=5&offset=0', ok),
  get('/contacts?q[name_matches]=Mari%25&q[s]=name+asc', ok),
  get('/contacts?q[code_eq]=ALPHA:MARI', ok),
  get('/contacts?q[email_matches]=mari%25', ok),
  get('/contacts?locale=et', ok),
  get('/contacts?details=yes', ok),
  get('/contacts/ALPHA:MARI', ok, {
    data: [
      'contact.code',
      'contact.ident.country_code',
      'contact.auth_info',
      'contact.registrar.website',
      'contact.domains',
      'contact.domains_count',
    ],
  }),
  get('/contacts/ALPHA:MARI?simple=true', ok),
  get('/contacts/NOBODY', '404/2303', { text: 'Object does not exist' }),
  get('/contacts/bert', '404/2303'),
  get('/contacts/check/NEW', ok, { data: ['contact.code', 'contact.available'] }),
  contact({ id: 'new-1' }, ok, { data: ['contact.code'] }),
  contact(
    { id: 'new-2', addr: { country_code: 'EE', city: 'Tallinn', street: 'Pikk 1', zip: '1' } },
    '200/1100',
  ),
  contact({ id: 'new-3', legal_document: { body: 'QUJD', type: 'pdf' } }, ok),
  {
    call: 'POST /contacts',
    form: 'contact[id]=new-4&contact[name]=Mari&contact[email]=m%40example.ee&contact[phone]=%2B372.5551234&contact[ident][ident]=60001019906&contact[ident][ident_type]=priv&contact[ident][ident_country_code]=EE',
    incumbent: ok,
  },
  put('POST /contacts', {}, missing),
  contact({ name: undefined }, missing, { text: 'param is missing or the value is empty: name' }),
  contact({ email: '' }, missing),
  contact({ phone: undefined }, missing),
  contact({ ident: undefined }, missing),
  contact({ ident: { ...ident, ident: '' } }, missing),
  contact({ ident: { ...ident, ident_type: 'passport' } }, missing, {
    text: 'Invalid ident type',
  }),
  contact({ email: 'nobody' }, wrong, { text: 'Parameter value syntax error: email' }),
  contact({ ident: { ...ident, ident: '60001019907' } }, wrong, {
    text: 'Ident code does not conform to national identification number format of Estonia',
  }),
  contact({ ident: { ident: '1', ident_type: 'org', ident_country_code: 'EE' } }, wrong),
  contact({ ident: { ident: '01.01.2000', ident_type: 'birthday', ident_country_code: 'US' } }, wrong),
  contact({ ident: { ...ident, ident_country_code: 'XX' } }, wrong),
  contact({ name: 'x'.repeat(256) }, wrong, { text: 'Contact name is too long, max 255 characters [name]' }),
  contact({ name: 'Mari <b>' }, wrong, { text: 'Name is invalid [name]' }),
  contact({ phone: '5551234' }, wrong, { text: 'Phone nr is invalid [phone]' }),
  contact({ phone: `+372.${'1'.repeat(14)}` }, '500/0', { here: wrong }),
  contact({ id: 'a b' }, wrong, { text: 'Contact code is invalid [code]' }),
  contact({ id: 'x'.repeat(101) }, wrong, { text: 'Contact code is too long, max 100 characters [code]' }),
  contact({ id: 'mari' }, '400/2302', { text: 'Contact id already exists [code]' }),
  put('PUT /contacts/ALPHA:SPARE', { contact: { phone: '+372.5550000' } }, ok),
  put('PUT /contacts/ALPHA:SPARE', { contact: { ident } }, ok),
  put('PUT /contacts/ALPHA:SPARE', { contact: { ident: { ...ident, ident: '38501010002' } } }, '400/2308', {
    text: 'Ident update is not allowed. Consider creating new contact object',
  }),
  put('PUT /contacts/ALPHA:SPARE', { contact: { colour: 'red' } }, ok),
  put('PUT /contacts/bert', { contact: { phone: '+372.5550000' } }, '404/2303'),
  put('DELETE /contacts/ALPHA:MARI', undefined, '400/2305', {
    text: 'Object association prohibits operation [domains]',
  }),
  put('DELETE /contacts/NOBODY', undefined, '404/2303'),
  put('DELETE /contacts/ALPHA:NEW-1', undefined, ok),
];

const DOMAINS: readonly Known[] = [
  get('/domains', ok, { data: ['new_domain', 'domains', 'count'] }),
  get('/domains?details=true&limit=2', ok),
  get('/domains?q[name_matches]=one%25&q[s]=valid_to+desc', ok),
  get('/domains?q[valid_to_gteq]=2030-01-01', ok),
  get('/domains/ONE.ee', ok, {
    data: [
      'domain.registrant.code',
      'domain.expire_time',
      'domain.statuses',
      'domain.dispute',
      'domain.transfer_code',
    ],
  }),
  get('/domains/foreign.ee', ok),
  get('/domains/no-such.ee', '401/2201', { text: 'Authorization error' }),
  domain('fresh.ee', { nameservers_attributes: TWO, dnskeys_attributes: [KEY], tech_contacts: ['jaan'] }, ok),
  domain('näide.ee', {}, ok, { data: ['domain.name', 'domain.transfer_code'] }),
  domain('numbers.ee', { dnskeys_attributes: [{ ...OTHER_KEY, flags: 257 }] }, wrong),
  domain('numbers.ee', { period: '1' }, ok),
  put('POST /domains', { domain: { registrant: 'mari', period: 1, period_unit: 'y' } }, missing, {
    text: 'Missing parameter name',
  }),
  domain('a1.ee', { registrant: undefined }, missing),
  domain('a2.ee', { period_unit: undefined }, missing),
  domain('a3.ee', { dnskeys_attributes: [{ ...KEY, public_key: ` ${KEY.public_key}` }] }, wrong),
  domain('a3.ee', { dnskeys_attributes: [{ ...KEY, public_key: '!' }] }, wrong, {
    text: 'DNS keys are invalid',
  }),
  domain('a4.ee', { registrant: 'nobody' }, '500/0', { here: '400/2303' }),
  domain('a5.ee', { tech_contacts: ['nobody'] }, '400/2303', { text: 'Contact was not found' }),
  domain('a6.ee', { tech_contacts: ['jaan', 'jaan'] }, '400/2306', { text: 'Contacts are invalid' }),
  domain('-a.ee', {}, wrong, { text: 'Domain name is invalid [name_dirty]' }),
  domain('a.example', {}, wrong),
  domain(`${'x'.repeat(64)}.ee`, {}, wrong),
  domain('blocked.ee', {}, '400/2308', {
    text: 'Data management policy violation: Domain name is blocked [name]',
  }),
  domain('com.ee', {}, '400/2308'),
  domain('one.ee', {}, '400/2302', { text: 'Domain name already exists [name_dirty]' }),
  domain('reserved.ee', {}, missing, {
    text: 'Required parameter missing; reserved_pw element required for reserved domains',
  }),
  domain('reserved.ee', { reserved_pw: 'a guess' }, '400/2202', {
    text: 'Invalid authorization information; invalid reserved_pw value',
  }),
  domain('a7.ee', { admin_contacts: ['firm'] }, '400/2306', {
    text: 'Admin contact can be private person only',
  }),
  domain('a8.ee', { admin_contacts: ['child'] }, '400/2304', {
    text: 'Administrative contact must be at least 18 years old',
  }),
  domain('a9.ee', { nameservers_attributes: [host('ns1.example.net')] }, '400/2308', {
    text: 'Data management policy violation; Nameserver count must be between 2-11 for active domains [nameservers]',
  }),
  domain('b1.ee', { nameservers_attributes: [...TWO, host('no host!')] }, wrong, {
    text: 'Hostname is invalid [hostname]',
  }),
  domain('b2.ee', { nameservers_attributes: [...TWO, host('ns3.example.net', { ipv4: ['1.2.3'] })] }, wrong, {
    text: 'IPv4 is invalid [ipv4]',
  }),
  domain('b3.ee', { nameservers_attributes: [...TWO, host('ns1.b3.ee')] }, missing, {
    text: 'Either IPv4 or IPv6 is required for glue record generation',
  }),
  domain('b4.ee', { nameservers_attributes: [...TWO, host('ns1.example.net')] }, '400/2302', {
    text: 'Nameserver already exists on this domain [hostname]',
  }),
  domain('b5.ee', { dnskeys_attributes: [{ ...KEY, alg: '1' }] }, wrong, {
    text: 'Valid algorithms are: 3, 5, 6, 7, 8, 10, 13, 14, 15, 16 [alg]',
  }),
  domain('b6.ee', { dnskeys_attributes: [KEY, KEY] }, '400/2302', {
    text: 'Public key already exists [public_key]',
  }),
  domain('b7.ee', { period: 11 }, '400/2104', { text: 'Active price missing for this operation!' }),
  domain('b8.ee', { period: undefined }, '400/2104'),
  domain('b9.ee', { period_unit: 'w' }, '400/2104'),
  put('PUT /domains/one.ee', {}, missing),
  put('PUT /domains/one.ee', { domain: { transfer_code: 'a-code-of-ours' } }, ok),
  put('PUT /domains/one.ee', { domain: { transfer_code: 'short' } }, ok, { here: wrong }),
  put('PUT /domains/one.ee', { domain: { registrant: { code: 'nobody' } } }, '400/2303', {
    text: 'Registrant not found',
  }),
  put('PUT /domains/one.ee', { domain: { contacts: [{ code: 'jaan', type: 'tech' }] } }, ok),
  put('PUT /domains/foreign.ee', { domain: { transfer_code: 'a-code-of-ours' } }, '404/2303'),
  put('PUT /domains/two.ee', { domain: { registrant: { code: 'jaan', verified: true } } }, ok),
  put('PUT /domains/three.ee', { domain: { registrant: { code: 'jaan' } } }, '200/1001', {}),
  put('PUT /domains/three.ee', { domain: { transfer_code: 'a-code-of-ours' } }, '400/2304', {
    text: 'Object status prohibits operation',
  }),
  put('PUT /domains/disputed.ee', { domain: { transfer_code: 'a-code-of-ours' } }, '400/2304'),
  put('PUT /domains/disputed.ee', { domain: { registrant: { code: 'jaan' } } }, '400/2304'),
  put('PUT /domains/disputed.ee', { domain: { registrant: { code: 'jaan' }, reserved_pw: 'x' } }, '400/2202'),
  put('DELETE /domains/disputed.ee', { domain: { delete: { verified: true } } }, '400/2304', {
    text: 'Domain status prohibits operation',
  }),
  put(
    'PUT /domains/disputed.ee',
    { domain: { registrant: { code: 'jaan' }, reserved_pw: 'dispute-code' } },
    ok,
  ),
  put('DELETE /domains/no-such.ee', { domain: { delete: { verified: true } } }, '404/2303'),
  put('DELETE /domains/one.ee', { domain: { delete: {} } }, missing),
  put('DELETE /domains/foreign.ee', { domain: { delete: { verified: true } } }, '400/2202'),
  put('DELETE /domains/numbers.ee', { domain: { delete: { verified: 'false' } } }, '200/1001'),
  put('DELETE /domains/näide.ee', { domain: { delete: { verified: true } } }, ok),
];

const PARTS: readonly Known[] = [
  get('/domains/one.ee/contacts', ok, { data: ['admin_contacts', 'tech_contacts'] }),
  get('/domains/foreign.ee/contacts', '404/2303'),
  put('POST /domains/one.ee/contacts', { contacts: [{ code: 'jaan', type: 'tech' }] }, ok),
  put('POST /domains/one.ee/contacts', { contacts: [{ code: 'jaan', type: 'tech' }] }, ok),
  put('POST /domains/one.ee/contacts', { contacts: [{ code: 'jaan', type: 'owner' }] }, ok),
  put('POST /domains/one.ee/contacts', { contacts: [{ code: 'nobody', type: 'tech' }] }, '400/2303'),
  put('POST /domains/one.ee/contacts', { contacts: [{ code: 'firm', type: 'admin' }] }, '400/2306'),
  put('POST /domains/one.ee/contacts', { contacts: [{ code: 'child', type: 'admin' }] }, '400/2304'),
  put('POST /domains/one.ee/contacts', { contacts: [{ type: 'admin' }] }, missing),
  put('DELETE /domains/one.ee/contacts', { contacts: [{ code: 'jaan', type: 'tech' }] }, ok),
  put('DELETE /domains/one.ee/contacts', { contacts: [{ code: 'jaan', type: 'tech' }] }, '400/2303'),
  put('POST /domains/one.ee/renew', { renews: { period: 1, period_unit: 'y', exp_date: 'EXPIRY' } }, ok),
  put(
    'POST /domains/one.ee/renew',
    { renews: { period: 1, period_unit: 'y', exp_date: '2020-01-01' } },
    '400/2306',
    {
      text: 'Given and current expire dates do not match',
    },
  ),
  put(
    'POST /domains/one.ee/renew',
    { renews: { period: 1, period_unit: 'y', exp_date: 'soon' } },
    '400/2306',
  ),
  put(
    'POST /domains/one.ee/renew',
    { renews: { period: '1', period_unit: 'y', exp_date: '2020-01-01' } },
    wrong,
  ),
  put(
    'POST /domains/one.ee/renew',
    { renews: { period: 10, period_unit: 'y', exp_date: 'NEXT' } },
    '400/2304',
    {
      text: 'Object status prohibits operation',
    },
  ),
  put(
    'POST /domains/one.ee/renew',
    { renews: { period: 11, period_unit: 'y', exp_date: 'NEXT' } },
    '400/2105',
    {
      text: 'Object is not eligible for renewal; Expiration date must be before',
    },
  ),
  put(
    'POST /domains/one.ee/renew',
    { renews: { period: 1, period_unit: 'y', exp_date: 'NEXTT00:00:00.000+02:00' } },
    ok,
  ),
  put(
    'POST /domains/foreign.ee/renew',
    { renews: { period: 1, period_unit: 'y', exp_date: '2020-01-01' } },
    '404/2303',
  ),
  get('/domains/one.ee/nameservers', ok, { data: ['nameservers'] }),
  put('POST /domains/one.ee/nameservers', { nameservers: [host('ns1.example.org')] }, '400/2308'),
  put('POST /domains/one.ee/nameservers', { nameservers: [host('')] }, ok),
  put('POST /domains/one.ee/nameservers', { nameservers: [...TWO, host('ns3.example.net')] }, ok),
  put('POST /domains/one.ee/nameservers', { nameservers: [host('ns1.example.net')] }, '400/2302'),
  put(
    'POST /domains/one.ee/nameservers',
    { nameservers: [host('ns4.example.net', { ipv6: ['::g'] })] },
    wrong,
    {
      text: 'IPv6 is invalid [ipv6]',
    },
  ),
  put('DELETE /domains/one.ee/nameservers/ns9.example.net', undefined, '404/2303'),
  put('DELETE /domains/one.ee/nameservers/ns3.example.net', undefined, ok),
  put('DELETE /domains/one.ee/nameservers/ns2.example.net', undefined, '400/2308'),
  get('/domains/one.ee/dnssec', ok, { data: ['dns_keys'] }),
  put('POST /domains/one.ee/dnssec', { dns_keys: [KEY] }, ok),
  put('POST /domains/one.ee/dnssec', { dns_keys: [KEY] }, '400/2302'),
  put('POST /domains/one.ee/dnssec', { dns_keys: [{ ...OTHER_KEY, flags: '1' }] }, '500/0', { here: wrong }),
  put('POST /domains/one.ee/dnssec', { dns_keys: [{ ...OTHER_KEY, protocol: '4' }] }, wrong, {
    text: 'Valid protocols are: Valid protocols are: 3 [protocol]',
  }),
  put('DELETE /domains/one.ee/dnssec', { dns_keys: [OTHER_KEY] }, '400/2303', { text: 'DS was not found' }),
  put('DELETE /domains/one.ee/dnssec', { dns_keys: [KEY] }, ok),
  put('PUT /domains/one.ee/statuses/clientHold', undefined, ok, { data: ['domain', 'status'] }),
  put('PUT /domains/one.ee/statuses/clientHold', undefined, '400/2306'),
  put('PUT /domains/one.ee/statuses/serverHold', undefined, '400/2306', {
    text: 'Parameter value policy error. Client-side object status management not supported: status serverHold',
  }),
  put('DELETE /domains/one.ee/statuses/clientHold', undefined, ok),
  put('DELETE /domains/one.ee/statuses/clientHold', undefined, '400/2306'),
  put('PUT /domains/no-such.ee/statuses/clientHold', undefined, '404/2303'),
];

const ns = (data: object) => ({ data: { type: 'nameserver', ...data } });
const TRANSFERS_AND_BULK: readonly Known[] = [
  get('/domains/one.ee/transfer_info', ok, {
    data: [
      'domain',
      'registrant.ident_country_code',
      'registrant.statuses',
      'admin_contacts',
      'tech_contacts',
    ],
  }),
  get('/domains/foreign.ee/transfer_info', '400/2202', { text: 'Authorization error' }),
  get('/domains/foreign.ee/transfer_info', '400/2202', { headers: { 'auth-code': 'a guess' } }),
  get('/domains/foreign.ee/transfer_info', ok, { headers: { 'auth-code': 'foreign-code' } }),
  get('/domains/no-such.ee/transfer_info', '404/2303'),
  put('POST /domains/foreign.ee/transfer', { transfer: {} }, missing),
  put('POST /domains/foreign.ee/transfer', { transfer: { transfer_code: 'a guess' } }, '400/2202', {
    text: 'Invalid authorization information',
  }),
  put('POST /domains/one.ee/transfer', { transfer: { transfer_code: 'a-code-of-ours' } }, '400/2002', {
    text: 'Domain already belongs to the querying registrar',
  }),
  put('POST /domains/foreign.ee/transfer', { transfer: { transfer_code: 'foreign-code' } }, ok, {
    data: ['domain.name', 'domain.type'],
  }),
  put('POST /domains/transfer', { data: {} }, missing),
  put(
    'POST /domains/transfer',
    { data: { domain_transfers: [{ domain_name: 'no-such.ee', transfer_code: 'x' }] } },
    ok,
  ),
  put('PATCH /domains/contacts', { current_contact_id: 'jaan' }, missing),
  put('PATCH /domains/contacts', { current_contact_id: 'nobody', new_contact_id: 'jaan' }, '404/2303'),
  put('PATCH /domains/contacts', { current_contact_id: 'jaan', new_contact_id: 'jaan' }, '400/2304', {
    text: 'New contact must be different from current',
  }),
  put('PATCH /domains/contacts', { current_contact_id: 'jaan', new_contact_id: 'spare' }, ok, {
    data: ['affected_domains', 'skipped_domains'],
  }),
  put(
    'PUT /registrar/nameservers',
    ns({ id: 'ns9.example.net', attributes: host('ns8.example.net') }),
    '404/2303',
  ),
  put('PUT /registrar/nameservers', ns({ id: 'ns1.example.net', attributes: host('ns1.example.net') }), ok),
  put('PUT /registrar/nameservers', ns({ id: 'ns1.example.net', attributes: {} }), missing),
  put('PUT /registrar/nameservers', ns({ id: 'ns1.example.net', attributes: host('no host!') }), wrong),
  put(
    'PUT /registrar/nameservers',
    ns({ id: 'ns1.example.net', attributes: host('ns8.example.net', { ipv4: '192.0.2.1' }) }),
    wrong,
  ),
  put('PUT /registrar/nameservers', ns({ id: 'ns1.example.net', attributes: host('ns8.example.net') }), ok),
  put('PUT /registrar/nameservers', ns({ domains: ['one.ee'], attributes: host('ns7.example.net') }), ok),
  put('PUT /registrar/nameservers', ns({ attributes: host('ns7.example.net') }), ok, {
    data: ['type', 'id', 'attributes.hostname', 'affected_domains', 'skipped_domains'],
  }),
  put('POST /domains/renew/bulk', { domains: ['fresh.ee'], renew_period: '1y' }, ok, {
    data: ['updated_domains'],
  }),
  put('POST /domains/renew/bulk', { domains: ['fresh.ee'], renew_period: '7y7' }, wrong, {
    text: 'Invalid renew period',
  }),
  put('POST /domains/renew/bulk', { domains: 'fresh.ee', renew_period: '1y' }, wrong, {
    text: 'Domains attribute must be an array',
  }),
  put('POST /domains/renew/bulk', { domains: [], renew_period: '1y' }, wrong, {
    text: 'Domains cannot be empty',
  }),
  put('POST /domains/renew/bulk', { domains: ['no-such.ee'], renew_period: '1y' }, '400/2304', {
    text: 'Object does not exist: <name>',
  }),
  put('POST /domains/renew/bulk', { domains: ['fresh.ee'], renew_period: '10y' }, '400/2002', {
    text: 'Domain renew error for <name>',
  }),
];

/** In the order in which they are sent: some depend on those before. */
export const KNOWN: readonly Known[] = [
  ...MONEY_AND_MESSAGES,
  ...CONTACTS,
  ...DOMAINS,
  ...PARTS,
  ...TRANSFERS_AND_BULK,
];
