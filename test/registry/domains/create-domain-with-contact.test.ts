import { describe, expect, test } from 'vitest';
import { ee } from '../../../src/policy/ee.ts';
import type { ContactCode } from '../../../src/registry/contacts/contact-fields.ts';
import { refusal } from '../../../src/registry/contacts/contact-refusals.ts';
import {
  type NewContactRole,
  namingContact,
  placedAtContact,
} from '../../../src/registry/domains/create-domain-with-contact.ts';
import { parseNewDomain } from '../../../src/registry/domains/rules/parse-new-domain.ts';

const CODE = 'new' as ContactCode;

describe('a registration with a contact of its own', () => {
  test.each<[roles: NewContactRole[], registrant: string, admins: string[], techs: string[]]>([
    [['registrant'], 'new', ['a1'], []],
    [['admin'], 'r1', ['a1', 'new'], []],
    [['registrant', 'admin', 'tech'], 'new', ['a1', 'new'], ['new']],
    [[], 'r1', ['a1'], []],
  ])('success: the contact is named as %s', (roles, registrant, admins, techs) => {
    const parsed = parseNewDomain(
      { name: 'uus.ee', registrant: 'r1', months: 12, admins: ['a1'], techs: [] },
      ee,
    );
    if ('refusals' in parsed) throw new Error('the registration was not parsed');
    expect(namingContact(parsed.value, CODE, roles)).toEqual({ ...parsed.value, registrant, admins, techs });
  });

  test('failure: what is wrong with the contact is not placed in the domain', () => {
    expect(placedAtContact(refusal('contactCodeTaken', { at: ['code'] })).at).toEqual(['contact', 'code']);
    expect(placedAtContact({ ...refusal('contactCodeTaken', { at: ['code'] }), at: null }).at).toBeNull();
  });
});
