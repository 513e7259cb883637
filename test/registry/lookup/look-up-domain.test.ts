import { describe, expect, test } from 'vitest';
import { sql } from '../../../src/platform/sql/statement.ts';
import { ee } from '../../../src/policy/ee.ts';
import { lookUpDomain, type ShownDomain } from '../../../src/registry/lookup/look-up-domain.ts';
import { PUBLIC, type Viewer } from '../../../src/registry/lookup/viewer.ts';
import { parseDomainName } from '../../../src/registry/names/name.ts';
import { freshCode } from '../../support/contacts.ts';
import { coreForThisFile } from '../../support/core.ts';
import { freshName } from '../../support/domains.ts';

const core = coreForThisFile();

const lookUp = (name: string, viewer: Viewer = PUBLIC) =>
  lookUpDomain(core.database.reads, name, { viewer, now: new Date(), policy: ee });

async function shown(name: string, viewer: Viewer = PUBLIC): Promise<ShownDomain> {
  const found = await lookUp(name, viewer);
  if (found.result !== 'registered') throw new Error(`${name} is ${found.result}`);
  return found.domain;
}

describe('the look-up of a domain', () => {
  test('success: the public sees the domain and its registrar, and nothing of a person', async () => {
    const name = await core.domain(await core.context('alpha'));
    const { contacts, ...domain } = await shown(` ${name.toUpperCase()}. `.trim());
    expect(domain).toMatchObject({
      name,
      asciiName: name,
      audience: 'public',
      statuses: ['inactive'],
      isDelegated: false,
      registrar: {
        code: 'ALPHA',
        name: expect.any(String),
        phone: '+372.6000001',
        abuseEmail: 'abuse@alpha.example',
      },
      nameservers: [],
      dnsKeys: [],
      transferredAt: null,
      omittedRoles: ['admin', 'tech'],
      expireTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    });
    expect(contacts).toEqual([
      {
        role: 'registrant',
        kind: 'person',
        shown: {},
        redacted: ['code', 'name', 'ident', 'country', 'email', 'phone', 'address'],
      },
    ]);
  });

  test('success: the sponsor sees the contacts, another registrar their codes', async () => {
    const context = await core.context('alpha');
    const registrant = await core.contact(context);
    const name = await core.domain(context, { registrant });
    const viewer = async (username: string): Promise<Viewer> => ({
      kind: 'registrar',
      registrarId: (await core.context(username)).principal.registrarId,
    });
    const [seenBySponsor] = (await shown(name, await viewer('alpha'))).contacts;
    expect(seenBySponsor?.redacted).toEqual([]);
    expect(seenBySponsor?.shown).toMatchObject({
      code: registrant,
      ident: { ident: '60001019906', type: 'priv' },
    });
    const [seenByOther] = (await shown(name, await viewer('beta'))).contacts;
    expect(Object.keys(seenByOther?.shown ?? {})).toEqual(['code', 'name']);
  });

  test('success: what a person has disclosed is shown', async () => {
    const context = await core.context('alpha');
    const registrant = await core.contact(context);
    const name = await core.domain(context, { registrant });
    await core.database.writes.run(
      sql`update contacts set disclosed_attributes = array['email'] where code = ${registrant}`,
    );
    const [contact] = (await shown(name)).contacts;
    expect(contact?.shown).toEqual({ email: expect.stringContaining('@') });
    expect(contact?.redacted).not.toContain('email');
  });

  test('success: addresses of nameservers are shown where they are glue, signers while the zone has them', async () => {
    const name = `${freshCode()}õ.ee`;
    const parsed = parseDomainName(name, ee);
    if (!parsed) throw new Error('no name');
    const [below, beside] = [`ns1.${name}`, `ns1.not${name}`];
    const addresses = { ipv4: ['8.8.8.8'], ipv6: ['2001:4860:4860::8888'] };
    const nameservers = [below, beside].map((hostname) => ({ hostname, ...addresses }));
    await core.domain(await core.context('alpha'), { name: parsed, nameservers });
    await core.database.writes.run(sql`
      insert into domain_keys (domain_id, flags, protocol, alg, public_key, key_tag, digest_type, digest)
      select d.id, f.flags, 3, 13, 'key ' || f.flags, f.flags, 2, 'AB' from domains d, unnest(array[256, 257]) as f(flags) where d.name = ${name}`);
    const seen = await shown(name);
    expect(seen.nameservers).toMatchObject([
      { hostname: below, ...addresses },
      { hostname: beside, ipv4: [], ipv6: [] },
    ]);
    expect([seen.isDelegated, seen.dnsKeys.length]).toEqual([true, 2]);
    expect(seen.delegationSigners).toMatchObject([{ flags: 257 }]);
    await core.database.writes.run(
      sql`update domains set statuses = '{"clientHold": ""}' where name = ${name}`,
    );
    expect(await shown(name)).toMatchObject({ isDelegated: false, delegationSigners: [] });
  });

  test('success: the day of deletion is that of the force delete where it comes first', async () => {
    const name = await core.domain(await core.context('alpha'));
    const deletedOn = async (deletion: string | null, forced: string | null) => {
      await core.database.writes.run(
        sql`update domains set delete_date = ${deletion}::date, force_delete = '{}', force_delete_date = ${forced}::date where name = ${name}`,
      );
      return (await shown(name)).deleteDate;
    };
    expect(await deletedOn(null, null)).toBeNull();
    expect(await deletedOn(null, '2030-05-02')).toBe('2030-05-02');
    expect(await deletedOn('2030-05-03', '2030-05-02')).toBe('2030-05-02');
    expect(await deletedOn('2030-05-01', '2030-05-02')).toBe('2030-05-01');
  });

  test('failure: a name that is free, blocked, reserved, a zone, or none of ours', async () => {
    const [blocked, reserved] = [freshName(), freshName()];
    await core.database.writes.run(
      sql`insert into blocked_names (name, created_at) values (${blocked}, now())`,
    );
    await core.database.writes.run(
      sql`insert into reserved_names (name, code, created_at) values (${reserved}, 'a-code', now())`,
    );
    const results = await Promise.all(
      [freshName(), blocked, reserved, 'com.ee', 'ee', 'example.com', 'a.b.ee', '-a.ee'].map(
        async (name) => (await lookUp(name)).result,
      ),
    );
    expect(results).toEqual([
      'unregistered',
      'blocked',
      'unregistered',
      'zone',
      'zone',
      'invalid',
      'invalid',
      'invalid',
    ]);
  });
});
