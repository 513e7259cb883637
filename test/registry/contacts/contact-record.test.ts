import { describe, expect, test } from 'vitest';
import { carryOut } from '../../../src/operations/operator-operation.ts';
import { sql } from '../../../src/platform/sql/statement.ts';
import { dayIn } from '../../../src/platform/values/dates.ts';
import { ee } from '../../../src/policy/ee.ts';
import type { Policy } from '../../../src/policy/policy.ts';
import { checkContactCodes } from '../../../src/registry/contacts/check-codes.ts';
import {
  type ContactText,
  parseContactChange,
  parseNewContact,
} from '../../../src/registry/contacts/contact-fields.ts';
import { correctContact } from '../../../src/registry/contacts/correct-contact.ts';
import { createContact } from '../../../src/registry/contacts/create-contact.ts';
import { deleteContact } from '../../../src/registry/contacts/delete-contact.ts';
import { showContact } from '../../../src/registry/contacts/read-contact.ts';
import { readContactRecord } from '../../../src/registry/contacts/read-contact-record.ts';
import { type ContactChange, updateContact } from '../../../src/registry/contacts/update-contact.ts';
import { readHistory } from '../../../src/registry/history/read-history.ts';
import { archiveContacts } from '../../../src/registry/lifecycle/archive-contacts.ts';
import type { Context } from '../../../src/registry/operation.ts';
import { freshCode } from '../../support/contacts.ts';
import { coreForThisFile } from '../../support/core.ts';
import { taken } from '../../support/decisions.ts';
import { operator } from '../../support/operator.ts';

const core = coreForThisFile();
const alpha = (changes: Partial<Context> = {}) => core.context('alpha', changes);
const read = async (code: string, username = 'alpha') => {
  const { principal, policy } = await core.context(username);
  return readContactRecord(core.database.reads, code, policy, principal);
};
async function update(
  code: string,
  text: ContactText,
  changes: Omit<ContactChange, 'code' | 'fields'> = {},
  context?: Context,
): Promise<void> {
  const by = context ?? (await alpha({ now: new Date(Date.now() + 1_000) }));
  const fields = taken(parseContactChange(text, by.policy, dayIn(ee.timeZone, by.now)));
  await core.run(updateContact, { code, fields, ...changes }, by);
}
const historyOf = (code: string) => readHistory(core.database.reads, ['contact'], code);

const ADDRESS = {
  street: ['Pikk 1', 'korter 2'],
  city: 'Tallinn',
  state: 'Harjumaa',
  postalCode: '10123',
  countryCode: 'EE',
};
const IN_HISTORY = {
  street: ADDRESS.street,
  city: 'Tallinn',
  state: 'Harjumaa',
  postal_code: '10123',
  country_code: 'EE',
};

describe('the address of a contact', () => {
  test('success: stored, in history, shown to operators, kept until another is given', async () => {
    const code = await core.contact(await alpha(), { address: ADDRESS });
    expect((await read(code)).address).toEqual(ADDRESS);
    await update(code, { name: 'Mari Mustikas' });
    expect(await read(code)).toMatchObject({ name: 'Mari Mustikas', address: ADDRESS });
    expect(await showContact(core.database.reads, code)).toMatchObject({
      address: 'Pikk 1, korter 2, 10123 Tallinn, Harjumaa, EE',
    });
    await update(code, { address: { city: 'Riga', countryCode: 'lv' } });
    expect((await read(code)).address).toEqual({ city: 'Riga', countryCode: 'LV' });
    const riga = { city: 'Riga', country_code: 'LV' };
    expect(await historyOf(code)).toMatchObject([
      { after: { address: IN_HISTORY } },
      { before: { address: IN_HISTORY }, after: { address: IN_HISTORY } },
      { before: { address: IN_HISTORY }, after: { address: riga } },
    ]);
    const correction = { code, changes: { disclosedAttributes: [] }, isByRegistrant: false };
    await carryOut(core.database.writes, correctContact, correction, operator({ actor: 'operator:test' }));
    expect((await historyOf(code)).at(-1)).toMatchObject({ after: { address: riga } });
    await core.run(deleteContact, { code }, await alpha());
    expect((await historyOf(code)).at(-1)).toMatchObject({ before: { address: riga }, after: null });
  });

  test('success: in the history of an archived contact', async () => {
    const code = await core.contact(await alpha({ now: new Date('2020-01-01') }), { address: ADDRESS });
    const step = { now: new Date('2020-08-01'), policy: ee, today: '2020-08-01' };
    await archiveContacts(core.database, step, false);
    expect((await historyOf(code)).at(-1)).toMatchObject({
      operation: 'archive',
      before: { address: IN_HISTORY },
      after: null,
    });
  });

  test('success: a contact has none, or loses it where the policy stores none', async () => {
    const none: Policy = { ...ee, contacts: { ...ee.contacts, address: 'none' } };
    for (const code of [
      await core.contact(await alpha()),
      await core.contact(await alpha({ policy: none }), { address: ADDRESS }),
    ]) {
      expect((await read(code)).address).toBeNull();
      expect((await showContact(core.database.reads, code))?.address).toBeNull();
      expect((await historyOf(code))[0]?.after).not.toHaveProperty('address');
    }
  });
});

describe('auth_info', () => {
  test('success: as given, else generated; changed by an update; never in history', async () => {
    const code = await core.contact(await alpha(), { authInfo: 'given-at-create' });
    expect((await read(code)).authInfo).toBe('given-at-create');
    await update(code, { name: 'Mari Mustikas' });
    expect((await read(code)).authInfo).toBe('given-at-create');
    await update(code, { authInfo: 'given-by-update' });
    expect((await read(code)).authInfo).toBe('given-by-update');
    const recorded = JSON.stringify(await historyOf(code));
    expect(recorded).toContain('Mari Mustikas');
    expect(recorded).not.toMatch(/given-/);
    expect((await read(await core.contact(await alpha()))).authInfo).toMatch(/^[0-9a-f]{22}$/);
  });
});

test('success: client statuses are stored and in history', async () => {
  const clientStatuses = ['clientDeleteProhibited'] as const;
  const policy: Policy = { ...ee, contacts: { ...ee.contacts, clientStatuses } };
  const code = await core.contact(await alpha());
  const named = ['clientDeleteProhibited'];
  await update(code, {}, { addStatuses: named }, await alpha({ policy }));
  expect((await read(code)).statuses).toEqual(['clientDeleteProhibited']);
  await expect(core.run(deleteContact, { code }, await alpha())).rejects.toThrow(/clientDeleteProhibited/);
  await update(code, {}, { removeStatuses: named }, await alpha({ policy }));
  expect((await read(code)).statuses).toEqual(['ok']);
  const statuses = { clientDeleteProhibited: null };
  expect(await historyOf(code)).toMatchObject([{}, { after: { statuses } }, { before: { statuses } }]);
});

describe('the record of a contact', () => {
  test('success: everything about it, whatever the case of its code', async () => {
    const context = await alpha();
    const code = await core.contact(context);
    const [before] = await core.database.reads.rows(sql<{ id: number }>`
      select id from contacts where code = ${code}`);
    const expected = {
      id: before?.id,
      code,
      name: 'Mari',
      email: 'mari@example.ee',
      phone: '+372.5551234',
      ident: { ident: '60001019906', type: 'priv', countryCode: 'EE' },
      address: null,
      authInfo: expect.any(String),
      statuses: ['ok'],
      disclosedAttributes: [],
      sponsor: 'ALPHA',
      createdAt: context.now,
      updatedAt: context.now,
      updater: null,
    };
    expect(await read(code.toUpperCase())).toMatchObject(expected);
    await core.domain(context, { registrant: code });
    expect(await read(code)).toMatchObject({ ...expected, statuses: ['ok', 'linked'] });
  });

  test('success: linked as a contact of a domain too', async () => {
    const context = await alpha();
    const code = await core.contact(context);
    await core.domain(context, { techs: [code] });
    expect((await read(code)).statuses).toEqual(['ok', 'linked']);
  });

  test('success: who changed it last: its registrar, then the registry', async () => {
    const code = await core.contact(await alpha());
    const now = new Date(Date.now() + 1_000);
    await update(code, { phone: '+372.1' }, {}, await alpha({ now }));
    expect(await read(code)).toMatchObject({ updatedAt: now, updater: 'ALPHA' });
    const at = new Date(now.getTime() + 1_000);
    const correction = { code, changes: { disclosedAttributes: [] }, isByRegistrant: false };
    const context = operator({ actor: 'operator:test', now: at });
    await carryOut(core.database.writes, correctContact, correction, context);
    expect(await read(code)).toMatchObject({ updatedAt: at, updater: null });
  });

  test('failure: a foreign, an unknown and a malformed one do not exist; a deleted one was removed', async () => {
    const context = await alpha();
    const code = await core.contact(context);
    const missing = { refusals: [{ name: 'objectMissing', code: 2303 }] };
    await expect(read(code, 'beta')).rejects.toMatchObject(missing);
    await expect(read(freshCode())).rejects.toMatchObject(missing);
    await expect(read('a/b\0')).rejects.toMatchObject(missing);
    await core.run(deleteContact, { code }, context);
    await expect(read(code)).rejects.toMatchObject({ refusals: [{ name: 'objectGone', code: 2303 }] });
    await expect(read(code, 'beta')).rejects.toMatchObject(missing);
  });
});

describe('codes', () => {
  test('success: several are checked in order: taken in any case, free, malformed, repeated', async () => {
    const [code, free] = [await core.contact(await alpha()), freshCode()];
    const codes = [free, code, code.toUpperCase(), 'a/b', '', '\0', free];
    const found = await checkContactCodes(core.database.reads, codes, ee);
    expect(found.map((one) => one.code)).toEqual(codes);
    expect(found.map(({ available }) => available)).toEqual([true, ...Array(5).fill(false), true]);
    expect(await checkContactCodes(core.database.reads, ['..'], ee)).toEqual([
      { code: '..', available: false },
    ]);
  });

  test('success: the generated code of a registrar with a long code', async () => {
    const context = await alpha();
    const principal = { ...context.principal, registrarCode: 'LONGEST-REGISTRAR' };
    const text = { name: 'Mari', email: 'mari@example.ee', phone: '+372.1' };
    const ident = { ident: '60001019906', type: 'priv', countryCode: 'EE' };
    const contact = taken(parseNewContact({ ...text, ident }, ee, dayIn(ee.timeZone, context.now)));
    expect(await core.run(createContact, contact, { ...context, principal })).toMatchObject({
      code: expect.stringMatching(/^LONGEST:[0-9a-f]{8}$/),
    });
  });
});
