import { describe, expect, test } from 'vitest';
import { whoisText } from '../../../src/doors/whois/whois-text.ts';
import type { DisclosedContact } from '../../../src/registry/lookup/disclosure.ts';
import type { ShownDomain } from '../../../src/registry/lookup/look-up-domain.ts';

const FACTS = { timeZone: 'Europe/Tallinn', zone: 'ee', lookupUrl: 'https://registry.example/lookup' };
const HIDDEN = ['code', 'ident', 'country', 'email', 'phone', 'address'] as const;

const PERSON: DisclosedContact = {
  role: 'registrant',
  kind: 'person',
  shown: {},
  redacted: ['name', ...HIDDEN],
};
const ORGANISATION: DisclosedContact = {
  role: 'registrant',
  kind: 'organisation',
  shown: {
    name: 'Aiand OÜ',
    ident: { ident: '12345678', type: 'org' },
    country: 'EE',
    email: 'info@aiand.ee',
  },
  redacted: ['code', 'address'],
};

const KEY = {
  flags: 257,
  protocol: 3,
  alg: 13,
  publicKey: 'AAAA',
  keyTag: 1,
  digestType: 2,
  digest: 'BB',
};
const domain = (changes: Partial<ShownDomain> = {}): ShownDomain => ({
  id: 1,
  name: 'õun.ee',
  asciiName: 'xn--un-4ka.ee',
  audience: 'public',
  isDelegated: true,
  statuses: ['serverHold', 'expired'],
  registrar: {
    code: 'ALPHA',
    name: 'Alpha',
    website: 'https://alpha.example',
    phone: '+372.6000000',
    abuseEmail: 'abuse@alpha.example',
    abusePhone: null,
  },
  createdAt: '2029-07-01T07:15:00Z',
  updatedAt: '2030-01-15T10:00:00Z',
  expireTime: '2030-07-01T21:00:00Z',
  outzoneAt: null,
  deleteDate: '2030-08-15',
  transferredAt: null,
  nameservers: [{ hostname: 'ns1.õun.ee', asciiHostname: 'ns1.õun.ee', ipv4: ['192.0.2.1'], ipv6: [] }],
  dnsKeys: [KEY],
  delegationSigners: [KEY],
  contacts: [PERSON],
  omittedRoles: ['admin', 'tech'],
  ...changes,
});

/** Without the terms of use. */
const shown = (changes?: Partial<ShownDomain>): string[] =>
  whoisText({ result: 'registered', domain: domain(changes) }, FACTS)
    .split('\r\n')
    .filter((line) => !line.startsWith('%'));

describe('the text of a domain', () => {
  test('success: all fields of a held and signed domain of a person', () => {
    expect(shown()).toEqual([
      '',
      'Domain:',
      'name:           õun.ee',
      'ascii name:     xn--un-4ka.ee',
      'status:         serverHold',
      'status:         expired',
      'registered:     2029-07-01 10:15:00 +03:00',
      'changed:        2030-01-15 12:00:00 +02:00',
      'expire:         2030-07-02 00:00:00 +03:00',
      'delete:         2030-08-15',
      '',
      'Registrant:',
      'name:           Private person',
      'email:          Not disclosed',
      'phone:          Not disclosed',
      '',
      'Administrative contact:',
      'name:           Not disclosed',
      '',
      'Technical contact:',
      'name:           Not disclosed',
      '',
      'Registrar:',
      'name:           Alpha',
      'url:            https://alpha.example',
      'phone:          +372.6000000',
      'abuse email:    abuse@alpha.example',
      '',
      'Name servers:',
      'nserver:        ns1.õun.ee',
      '',
      'DNSSEC:',
      'signed:         yes',
      'dnskey:         257 3 13 AAAA',
      '',
      '',
    ]);
  });

  test('success: keys that the zone does not publish are not shown as signed', () => {
    expect(shown({ delegationSigners: [] })).toContain('signed:         no');
  });

  test('success: the fields of an organisation, without absent values and empty blocks', () => {
    const address = { street: ['Pikk 1', '2. korrus'], city: 'Tallinn', countryCode: 'EE' } as never;
    const admin = { ...ORGANISATION, role: 'admin', shown: { name: 'Abi AS', address } } as const;
    const contacts = [ORGANISATION, admin];
    const lines = shown({ contacts, omittedRoles: [], nameservers: [], dnsKeys: [] });
    expect(lines.slice(lines.indexOf('Registrant:'), lines.indexOf('Registrar:'))).toEqual([
      'Registrant:',
      'name:           Aiand OÜ',
      'registry code:  12345678',
      'country:        EE',
      'email:          info@aiand.ee',
      '',
      'Administrative contact:',
      'name:           Abi AS',
      'address:        Pikk 1, 2. korrus, Tallinn, EE',
      '',
    ]);
    expect(lines.join()).not.toMatch(/Name servers|DNSSEC|Technical/);
  });

  test('success: a hidden contact is shown like a missing one', () => {
    const [lines, others] = [shown(), shown({ omittedRoles: ['tech', 'admin'] })];
    expect(lines).toEqual(others);
    const disclosed = { ...PERSON, role: 'tech', shown: { email: 'a@b.ee' }, redacted: ['name'] } as const;
    expect(shown({ contacts: [PERSON, disclosed] }).join('\n')).toContain(
      'Technical contact:\nname:           Private person\nemail:          a@b.ee\n',
    );
  });

  test('failure: values that would inject lines, or hide others', () => {
    const name = 'Evil\r\n\r\nRegistrar:\nname: Other\u2028x\u0085y\vz\u202e\u001b[2J\u0000\u200b';
    const lines = shown({ contacts: [{ ...ORGANISATION, shown: { name } }] });
    expect(lines).toContain('name:           Evil Registrar: name: Other x y z[2J');
    expect(lines.filter((line) => line === 'Registrar:')).toHaveLength(1);
  });
});

test.each([
  ['unregistered', 'Domain not found'],
  ['blocked', 'Domain not available: nobody can register this name'],
  ['zone', 'Policy error: this is a zone of the registry, not a domain'],
  ['invalid', 'Policy error: no domain of this registry can have this name'],
] as const)('success: the text of a name that is %s', (result, expected) => {
  const lines = whoisText({ result } as never, FACTS).split('\r\n');
  expect(lines.slice(-3)).toEqual(['', expected, '']);
  const terms = lines.slice(0, -3);
  expect(terms.filter((line) => !line.startsWith('% ') || line.length > 72)).toEqual([]);
  expect(terms.at(-1)).toContain(FACTS.lookupUrl);
});
