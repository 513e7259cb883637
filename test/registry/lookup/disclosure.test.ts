import { describe, expect, test } from 'vitest';
import type { Sql } from '../../../src/platform/sql/executor.ts';
import { ee } from '../../../src/policy/ee.ts';
import {
  type Audience,
  type ContactField,
  type ContactKind,
  DISCLOSED_ATTRIBUTES,
  type DisclosedAttribute,
  type DomainRole,
} from '../../../src/policy/policy.ts';
import type { PostalAddress } from '../../../src/registry/contacts/postal-address.ts';
import { discloseContacts, type LinkedContact } from '../../../src/registry/lookup/disclosure.ts';
import { findDomain } from '../../../src/registry/lookup/find-domain.ts';
import { lookUpDomain } from '../../../src/registry/lookup/look-up-domain.ts';
import { PUBLIC, type Viewer } from '../../../src/registry/lookup/viewer.ts';
import { coreForThisFile } from '../../support/core.ts';

const core = coreForThisFile();

const FIELDS: readonly ContactField[] = ['code', 'name', 'ident', 'country', 'email', 'phone', 'address'];

/**
 * What each audience sees of a contact of Estonia, in the order of FIELDS: + is shown, - is hidden, ? is left to the
 * contact. Written out here, so that every change of the policy is noticed.
 */
const TABLE: readonly (readonly [Audience, DomainRole, ContactKind, string])[] = [
  ['public', 'registrant', 'person', '-?--???'],
  ['public', 'registrant', 'organisation', '-+++???'],
  ['public', 'admin', 'person', '-?--???'],
  ['public', 'admin', 'organisation', '-+--???'],
  ['public', 'tech', 'person', '-?--???'],
  ['public', 'tech', 'organisation', '-+--???'],
  ['registrar', 'registrant', 'person', '++--???'],
  ['registrar', 'registrant', 'organisation', '++++???'],
  ['registrar', 'admin', 'person', '+?--???'],
  ['registrar', 'admin', 'organisation', '++--???'],
  ['registrar', 'tech', 'person', '+?--???'],
  ['registrar', 'tech', 'organisation', '++--???'],
  ['sponsor', 'registrant', 'person', '+++++++'],
  ['sponsor', 'registrant', 'organisation', '+++++++'],
  ['sponsor', 'admin', 'person', '+++++++'],
  ['sponsor', 'admin', 'organisation', '+++++++'],
  ['sponsor', 'tech', 'person', '+++++++'],
  ['sponsor', 'tech', 'organisation', '+++++++'],
  ['requester', 'registrant', 'person', '+++++++'],
  ['requester', 'registrant', 'organisation', '+++++++'],
  ['requester', 'admin', 'person', '+++++++'],
  ['requester', 'admin', 'organisation', '+++++++'],
  ['requester', 'tech', 'person', '+++++++'],
  ['requester', 'tech', 'organisation', '+++++++'],
];

/** Every set of attributes that a contact can disclose. */
const PREFERENCES: readonly DisclosedAttribute[][] = Array.from({ length: 16 }, (_, set) =>
  DISCLOSED_ATTRIBUTES.filter((_attribute, bit) => Math.floor(set / 2 ** bit) % 2 === 1),
);

const VALUES: Pick<LinkedContact, ContactField> = {
  code: 'ALPHA:1',
  name: 'Mari',
  ident: { ident: '60001019906', type: 'priv' },
  country: 'EE',
  email: 'mari@example.ee',
  phone: '+372.5551234',
  address: { city: 'Tallinn', countryCode: 'EE' } as PostalAddress,
};
const contactOf = (changes: Partial<LinkedContact>): LinkedContact => ({
  ...VALUES,
  role: 'registrant',
  kind: 'person',
  disclosedAttributes: [],
  ...changes,
});
const disclosed = (audience: Audience, ...contacts: LinkedContact[]) =>
  discloseContacts(contacts, audience, ee.lookup.disclosure);

describe('what the look-up shows of a contact', () => {
  test('success: the table has every audience, role and kind once', () => {
    const { disclosure } = ee.lookup;
    const all = Object.entries(disclosure).flatMap(([audience, roles]) =>
      Object.entries(roles).flatMap(([role, kinds]) =>
        Object.keys(kinds).map((kind) => `${audience} ${role} ${kind}`),
      ),
    );
    expect(TABLE.map(([audience, role, kind]) => `${audience} ${role} ${kind}`)).toEqual(all);
    expect(new Set(PREFERENCES.map(String)).size).toBe(2 ** DISCLOSED_ATTRIBUTES.length);
  });

  test.each(TABLE)('success: %s, %s, %s: %s', (audience, role, kind, rules) => {
    for (const disclosedAttributes of PREFERENCES) {
      const isShown = (field: ContactField) =>
        rules[FIELDS.indexOf(field)] === '+' ||
        (rules[FIELDS.indexOf(field)] === '?' && (disclosedAttributes as string[]).includes(field));
      const shownFields = FIELDS.filter(isShown);
      const isLeftOut = role !== 'registrant' && shownFields.length === 0;
      const whole = contactOf({ role, kind, disclosedAttributes });
      expect(disclosed(audience, whole).contacts).toEqual(
        isLeftOut
          ? []
          : [
              {
                role,
                kind,
                shown: Object.fromEntries(shownFields.map((field) => [field, VALUES[field]])),
                redacted: FIELDS.filter((field) => !isShown(field)),
              },
            ],
      );
      // Whether a hidden address exists is hidden too.
      if (isShown('address')) continue;
      expect(disclosed(audience, { ...whole, address: null })).toEqual(disclosed(audience, whole));
    }
  });

  test('success: admin and tech contacts that show nothing are left out, and their roles announced always', () => {
    const registrant = contactOf({});
    const without = disclosed('public', registrant);
    expect(without.omittedRoles).toEqual(['admin', 'tech']);
    const hidden = (['admin', 'tech', 'tech'] as const).map((role) => contactOf({ role, code: `X:${role}` }));
    expect(disclosed('public', registrant, ...hidden)).toEqual(without);
    const shown = contactOf({ role: 'tech', disclosedAttributes: ['email'] });
    const { contacts, omittedRoles } = disclosed('public', registrant, ...hidden, shown);
    expect(contacts.map(({ role }) => role)).toEqual(['registrant', 'tech']);
    expect(omittedRoles).toEqual(['admin', 'tech']);
    for (const audience of ['registrar', 'sponsor', 'requester'] as const)
      expect(disclosed(audience, ...hidden)).toMatchObject({ contacts: [{}, {}, {}], omittedRoles: [] });
  });
});

describe('the look-up of a domain with hidden contacts', () => {
  const now = new Date();
  const look = (db: Sql, name: string, viewer: Viewer) => lookUpDomain(db, name, { viewer, now, policy: ee });

  test('success: the public is sent nothing that it is not shown, registrars only what they see', async () => {
    const context = await core.context('alpha');
    const hidden = await core.contact(context);
    const name = await core.domain(context, { registrant: hidden, admins: [hidden], techs: [hidden] });
    const { registrarId } = context.principal;
    const fields = async (viewer: Viewer) => {
      const { domain } = await findDomain(core.database.reads, name, { viewer, now, policy: ee });
      const loaded = [...(domain ? [domain.registrant] : []), ...(domain?.contacts ?? [])];
      return loaded.map((contact) => FIELDS.filter((field) => contact[field] != null));
    };
    const all = FIELDS.filter((field) => field !== 'address');
    expect(await fields(PUBLIC)).toEqual([[]]);
    expect(await fields({ kind: 'registrar', registrarId: registrarId + 1 })).toEqual([
      ['code', 'name'],
      ['code'],
      ['code'],
    ]);
    expect(await fields({ kind: 'registrar', registrarId })).toEqual([all, all, all]);
    expect(await fields({ kind: 'requester', requesterId: registrarId })).toEqual([all, all, all]);
  });

  test('success: the public cannot learn how many admin and tech contacts a domain has', async () => {
    const context = await core.context('alpha');
    const registrant = await core.contact(context);
    const hidden = await Promise.all(Array.from({ length: 3 }, () => core.contact(context)));
    const [none, many] = [
      await core.domain(context, { registrant }),
      await core.domain(context, { registrant, admins: hidden, techs: hidden }),
    ];
    const of = async (name: string) => {
      const found = await look(core.database.reads, name, PUBLIC);
      if (found.result !== 'registered') throw new Error(`${name} is ${found.result}`);
      const { contacts, omittedRoles, ...others } = found.domain;
      return { text: JSON.stringify({ contacts, omittedRoles }), members: Object.keys(others) };
    };
    expect(await of(many)).toEqual(await of(none));
    for (const secret of [registrant, ...hidden, 'Mari', 'mari@example.ee', '5551234', '60001019906'])
      expect((await of(many)).text).not.toContain(secret);
  });
});
