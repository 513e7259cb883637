import { KEY } from '../../support/domains.ts';
import type { Recorded } from './recorder.ts';

const API = '/registry/v1';
const CODE = 'a-transfer-code';
const PERSON = { ident: '60001019906', ident_type: 'priv', ident_country_code: 'EE' };
const ORGANISATION = { ident: '12345678', ident_type: 'org', ident_country_code: 'EE' };
const nameservers = {
  nameservers_attributes: [{ hostname: 'ns1.example.net' }, { hostname: 'ns2.example.net' }],
};

const contact = (id: string, changes: object = {}): Recorded => ({
  as: 'alpha',
  method: 'POST',
  path: `${API}/contacts`,
  body: {
    contact: {
      id,
      name: 'Mari Maasikas',
      email: 'mari@example.ee',
      phone: '+372.5551234',
      ident: PERSON,
      ...changes,
    },
  },
});
const firm = contact('firm', { name: 'Näidis OÜ', ident: ORGANISATION });
const domain = (name: string, registrant: string, changes: object = {}): Recorded => ({
  as: 'alpha',
  method: 'POST',
  path: `${API}/domains`,
  body: {
    domain: { name, registrant, period: 1, period_unit: 'y', transfer_code: CODE, ...changes },
  },
});
const deletion = (name: string): Recorded => ({
  as: 'alpha',
  method: 'DELETE',
  path: `${API}/domains/${name}`,
  body: { domain: { delete: { verified: true } } },
  headers: { 'Auth-Code': CODE },
});

/** Domains of hidden and disclosed persons and of organisations, with and without nameservers and keys. */
export const LOOKUP_OBJECTS: readonly Recorded[] = [
  contact('hidden'),
  contact('shown', { disclosed_attributes: ['name', 'email', 'phone'] }),
  contact('named', { disclosed_attributes: ['name'] }),
  firm,
  domain('hidden.ee', 'hidden', nameservers),
  domain('shown.ee', 'shown', { admin_contacts: ['hidden'], tech_contacts: ['shown', 'firm'] }),
  domain('named.ee', 'named', { admin_contacts: ['named'] }),
  domain('firm.ee', 'firm', { ...nameservers, dnskeys_attributes: [KEY] }),
  domain('õun.ee', 'firm', {
    nameservers_attributes: [
      { hostname: 'ns1.õun.ee', ipv4: ['192.0.2.1'], ipv6: ['2001:db8::1'] },
      { hostname: 'ns2.õun.ee', ipv4: ['192.0.2.2'] },
    ],
  }),
  domain('held.ee', 'firm', nameservers),
  { as: 'alpha', method: 'PUT', path: `${API}/domains/held.ee/statuses/clientHold` },
  domain('gone.ee', 'firm'),
  deletion('gone.ee'),
];

/** What the commands refer to. */
export const COMMAND_OBJECTS: readonly Recorded[] = [
  contact('mari'),
  firm,
  domain('one.ee', 'mari', { ...nameservers, dnskeys_attributes: [KEY], tech_contacts: ['firm'] }),
  domain('õun.ee', 'firm'),
  domain('gone.ee', 'firm'),
  deletion('gone.ee'),
];

/** What the forms of the console refer to. */
export const CONSOLE_OBJECTS: readonly Recorded[] = [
  contact('mari'),
  contact('spare'),
  contact('kid', { ident: { ident: '2020-01-01', ident_type: 'birthday', ident_country_code: 'GB' } }),
  firm,
  domain('one.ee', 'mari'),
  domain('two.ee', 'mari'),
  ...['four.ee', 'five.ee'].map((name) => domain(name, 'firm', { ...nameservers, tech_contacts: ['firm'] })),
  { ...contact('bert'), as: 'beta' },
  ...['beta-one.ee', 'beta-two.ee', 'beta-three.ee'].map((name) => ({ ...domain(name, 'bert'), as: 'beta' })),
];
