import { toASCII } from 'tr46';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha } from '../../support/client.ts';
import { basic, RdapClient } from '../../support/rdap.ts';
import { domainsOfEveryKind, ORGANISATION, PERSON } from '../../support/rdap-objects.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';

let registry: TestRegistry;
let names: Awaited<ReturnType<typeof domainsOfEveryKind>>;
let rdap: RdapClient;
beforeAll(async () => {
  registry = await startRegistry();
  rdap = new RdapClient(registry.url);
  names = await domainsOfEveryKind(registry);
});
afterAll(() => registry.stop());

const entity = (body: { entities: { roles: string[] }[] }, role: string) =>
  body.entities.find(({ roles }) => roles.includes(role)) as never as Entity | undefined;
type Entity = {
  handle?: string;
  publicIds?: object[];
  vcardArray: [string, [string, object, string, unknown][]];
  entities?: Entity[];
  links?: { rel: string; href: string }[];
};
const property = (of: Entity | undefined, name: string) =>
  of?.vcardArray[1].find(([each]) => each === name)?.[3];

describe('the domain of an organisation (rdap-01)', () => {
  test('success: its name, registry code and country are public, the rest is announced as redacted', async () => {
    const { status, body } = await rdap.domain(names.organisation);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      rdapConformance: ['rdap_level_0', 'redacted'],
      ldhName: names.organisation,
      handle: expect.stringMatching(/^D\d+-EE$/),
      status: ['active'],
      secureDNS: { delegationSigned: false },
      nameservers: [{ ldhName: 'ns1.example.net' }, { ldhName: 'ns2.example.net' }],
    });
    expect(body).not.toHaveProperty('unicodeName');
    const registrant = entity(body, 'registrant');
    expect(property(registrant, 'fn')).toBe(ORGANISATION.name);
    expect(property(registrant, 'org')).toBe(ORGANISATION.name);
    expect(property(registrant, 'kind')).toBe('org');
    expect(registrant?.publicIds).toEqual([{ type: 'ee-registry-code', identifier: '12345678' }]);
    expect(registrant?.vcardArray[1]).toContainEqual(['adr', { cc: 'EE' }, 'text', Array(7).fill('')]);
    expect(registrant).not.toHaveProperty('handle');
    for (const hidden of [ORGANISATION.email, '6001000'])
      expect(JSON.stringify(registrant)).not.toContain(hidden);
  });

  test('success: the registrar has its code as handle, its website and its own page', async () => {
    const { body } = await rdap.domain(names.organisation);
    const registrar = entity(body, 'registrar');
    expect(registrar).toMatchObject({
      handle: 'ALPHA',
      publicIds: [{ type: 'ee-registrar-code', identifier: 'ALPHA' }],
      links: [
        { rel: 'self', href: `${registry.url}/rdap/entity/ALPHA`, type: 'application/rdap+json' },
        { rel: 'about', type: 'text/html' },
      ],
    });
  });
});

describe('the domain of a person', () => {
  test('success: nothing of the person is public, and contacts are left out', async () => {
    const { body, text } = await rdap.domain(names.person);
    for (const hidden of [PERSON.name, PERSON.email, '5551234', PERSON.code])
      expect(text).not.toContain(hidden);
    const registrant = entity(body, 'registrant');
    expect(property(registrant, 'fn')).toBe('');
    expect(property(registrant, 'kind')).toBe('individual');
    expect(property(registrant, 'contact-uri')).toBe(`${registry.url}/lookup/contact?name=${names.person}`);
    expect(body.entities.map(({ roles }: Entity & { roles: string[] }) => roles[0])).toEqual([
      'registrar',
      'registrant',
    ]);
    expect(body.redacted.map(({ name }: { name: object }) => name)).toEqual(
      expect.arrayContaining([
        { type: 'Registrant Name' },
        { type: 'Registrant Email' },
        { description: 'Administrative Contact' },
        { description: 'Technical Contact' },
      ]),
    );
  });

  test('success: another registrar sees code and name, the sponsor everything', async () => {
    const other = await new RdapClient(registry.url, basic('beta')).domain(names.person);
    expect(property(entity(other.body, 'registrant'), 'fn')).toBe(PERSON.name);
    expect(entity(other.body, 'registrant')?.handle).toBeTruthy();
    for (const hidden of [PERSON.email, '5551234', PERSON.code]) expect(other.text).not.toContain(hidden);
    const own = await new RdapClient(registry.url, basic('alpha')).domain(names.person);
    const registrant = entity(own.body, 'registrant');
    expect(property(registrant, 'email')).toBe(PERSON.email);
    expect(property(registrant, 'tel')).toBe('tel:+3725551234');
    expect(registrant?.publicIds).toEqual([{ type: 'ee-identity-code', identifier: PERSON.code }]);
    expect(property(registrant, 'contact-uri')).toBeUndefined();
    expect(own.body).not.toHaveProperty('redacted');
    expect(own.body.rdapConformance).toEqual(['rdap_level_0']);
  });
});

describe('domains in other states', () => {
  test('success: an expired one is active until it is held; the event shows that it has expired', async () => {
    const { body } = await rdap.domain(names.expired);
    expect(body.status).toEqual(['active']);
    const { eventDate } = body.events.find(
      (each: { eventAction: string }) => each.eventAction === 'expiration',
    );
    expect(Date.parse(eventDate)).toBeLessThan(Date.now());
  });

  test('success: a held one has its nameservers, which the zone does not', async () => {
    const { body } = await rdap.domain(names.held);
    expect(body.status).toEqual(['server hold']);
    expect(body.nameservers).toHaveLength(2);
    expect(body.nameservers[0]).not.toHaveProperty('links');
  });

  test('success: a signed one has the signer that the zone publishes, all keys, and glue', async () => {
    const { body } = await rdap.domain(names.signed);
    expect(body.secureDNS).toMatchObject({
      delegationSigned: true,
      dsData: [{ algorithm: 13, digestType: 2 }],
      keyData: [
        { flags: 257, protocol: 3, algorithm: 13 },
        { flags: 256, protocol: 3, algorithm: 15 },
      ],
    });
    expect(body.nameservers[0]).toMatchObject({
      ipAddresses: { v4: ['8.8.8.8'], v6: ['2001:4860:4860::8888'] },
    });
    expect(body.nameservers[1]).not.toHaveProperty('ipAddresses');
  });

  test('success: keys of a held one do not make a signed delegation', async () => {
    const held = await alpha(registry.url).put(`/domains/${names.signed}/statuses/clientHold`);
    expect(held.status).toBe(200);
    const { body } = await rdap.domain(names.signed);
    expect(body.secureDNS).toMatchObject({
      delegationSigned: false,
      keyData: [{ flags: 257 }, { flags: 256 }],
    });
    expect((await rdap.nameserver(`ns1.${names.signed}`)).status).toBe(404);
    const released = await alpha(registry.url).delete(`/domains/${names.signed}/statuses/clientHold`);
    expect(released.status).toBe(200);
  });

  test('success: an IDN is found in every spelling, and has both names', async () => {
    const ascii = toASCII(names.idn) ?? '';
    const { body } = await rdap.domain(names.idn);
    expect(body).toMatchObject({ ldhName: ascii, unicodeName: names.idn });
    expect(body.links[0].href).toBe(`${registry.url}/rdap/domain/${ascii}`);
    for (const spelling of [
      names.idn.toUpperCase(),
      ascii,
      ascii.toUpperCase(),
      `${names.idn}.`,
      `${ascii}.`,
      names.idn.normalize('NFD'),
    ])
      expect((await rdap.domain(spelling)).body).toMatchObject({ handle: body.handle, ldhName: ascii });
  });
});

describe('other objects', () => {
  test('success: a registrar in any case (rdap-03), but no contact', async () => {
    const { status, body } = await rdap.entity('alpha');
    expect(status).toBe(200);
    expect(body).toMatchObject({ handle: 'ALPHA', roles: ['registrar'], objectClassName: 'entity' });
    const own = await new RdapClient(registry.url, basic('alpha')).domain(names.person);
    const handle = entity(own.body, 'registrant')?.handle ?? '';
    expect(handle).not.toBe('');
    expect((await rdap.entity(handle)).status).toBe(404);
    expect((await new RdapClient(registry.url, basic('alpha')).entity(handle)).status).toBe(404);
  });

  test('success: a nameserver in the zone, with its glue', async () => {
    const { status, body } = await rdap.nameserver(`NS1.${names.signed}.`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ldhName: `ns1.${names.signed}`,
      ipAddresses: { v4: ['8.8.8.8'], v6: ['2001:4860:4860::8888'] },
    });
    expect((await rdap.nameserver('ns1.example.net')).body).not.toHaveProperty('ipAddresses');
  });

  test('success: help (rdap-04), also at the base', async () => {
    const help = await rdap.get('/help');
    expect(help.status).toBe(200);
    for (const path of ['/', '']) {
      const { text } = await rdap.get(path);
      expect(
        text.replaceAll(`"value":"${registry.url}/rdap${path}"`, `"value":"${registry.url}/rdap/help"`),
      ).toBe(help.text);
      expect(text).not.toContain(`"value":"${registry.url}/rdap/help"`);
    }
    expect(help.body.notices.map(({ title }: { title: string }) => title)).toContain('Terms of Service');
  });

  test('success: the bootstrap file leads from each zone to this service', async () => {
    const { status, body } = await rdap.get('/dns.json');
    expect(status).toBe(200);
    expect(body.services).toEqual([
      [['ee', 'com.ee', 'pri.ee', 'fie.ee', 'med.ee'], [`${registry.url}/rdap/`]],
    ]);
  });
});
