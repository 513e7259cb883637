import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EppClient } from '../../support/epp.ts';
import type { EppAnswer } from '../../support/epp-answer.ts';
import { objectCommands } from '../../support/epp-objects.ts';
import { type EppTestServer, startEppServerForTest } from '../../support/epp-server.ts';
import { sql } from '../../support/sql.ts';
import { contact, createContact, ident, newId, person } from './acceptance/cases.ts';

let server: EppTestServer;
let client: EppClient;
beforeAll(async () => {
  server = await startEppServerForTest();
  client = await server.logIn('alpha');
});
afterAll(() => server.stop());

const disclose = (flag: string, ...elements: string[]) =>
  `<contact:disclose flag="${flag}">${elements.map((each) => `<contact:${each}/>`).join('')}</contact:disclose>`;
const ALL = ['name type="int"', 'org type="int"', 'addr type="loc"', 'voice', 'fax', 'email'];

async function create(markup: string): Promise<string> {
  const id = newId();
  const answer = await client.command(contact.create(id, { ...person, disclose: markup }), ident);
  expect(answer.code, answer.frame).toBe(1000);
  return id;
}
const update = (id: string, markup: string) =>
  client.command(contact.update(id, { chg: { disclose: markup } }));
const stored = async (id: string) =>
  (
    await server.sql.one(
      sql<{ list: string[] }>`select disclosed_attributes as list from contacts where code = ${id}`,
    )
  ).list;
const shownIn = (answer: EppAnswer) =>
  answer.first('disclose')?.children.map(({ name, attributes }) => [name, attributes.type]);
const shown = async (id: string) => shownIn(await client.command(contact.info(id)));

describe('disclose of a contact', () => {
  test('success: nothing is disclosed, and no element shown, without one', async () => {
    const id = await createContact(client);
    expect(await stored(id)).toEqual([]);
    expect((await client.command(contact.info(id))).all('disclose')).toEqual([]);
  });

  test('success: flag 1 discloses what it contains; what the registry does not store is ignored', async () => {
    const id = await create(disclose('1', ...ALL));
    expect(await stored(id)).toEqual(['name', 'email', 'phone', 'address']);
    const answer = await client.command(contact.info(id));
    expect(answer.first('disclose')?.attributes.flag).toBe('1');
    expect(shownIn(answer)).toEqual([
      ['name', 'int'],
      ['addr', 'int'],
      ['voice', undefined],
      ['email', undefined],
    ]);
    expect(await stored(await create(disclose('true', 'name type="int"', 'name type="loc"')))).toEqual([
      'name',
    ]);
    expect(await stored(await create(disclose('1', 'org type="int"', 'fax')))).toEqual([]);
  });

  test('success: flag 0 discloses nothing', async () => {
    for (const flag of ['0', 'false'])
      expect(await stored(await create(disclose(flag, 'email')))).toEqual([]);
  });

  test('success: an update replaces it, or leaves it as it is; history has both', async () => {
    const id = await create(disclose('1', 'voice', 'email'));
    await client.command(contact.update(id, { chg: { voice: '+372.5550000' } }));
    expect(await stored(id)).toEqual(['email', 'phone']);
    expect((await update(id, disclose('1', 'email'))).code).toBe(1000);
    expect(await shown(id)).toEqual([['email', undefined]]);
    expect((await update(id, disclose('0', 'email'))).code).toBe(1000);
    expect(await shown(id)).toBeUndefined();
    const history = await server.sql.rows(sql`
      select before -> 'disclosed_attributes' as before, after -> 'disclosed_attributes' as after
      from history where object_name = ${id} order by id desc limit 2`);
    expect(history).toEqual([
      { before: ['email'], after: null },
      { before: ['email', 'phone'], after: ['email'] },
    ]);
  });

  test('success: the dialect of .ee reads it, and has no element to show it', async () => {
    const ee = objectCommands('ee').contact;
    const id = newId();
    const markup = disclose('1', 'email');
    expect((await client.command(ee.create(id, { ...person, disclose: markup }), ident)).code).toBe(1000);
    expect((await client.command(ee.info(id))).all('disclose')).toEqual([]);
    expect(await shown(id)).toEqual([['email', undefined]]);
    expect((await client.command(ee.update(id, { chg: { disclose: disclose('0', 'email') } }))).code).toBe(
      1000,
    );
    expect(await stored(id)).toEqual([]);
  });

  test.each([
    ['another flag', disclose('yes', 'email'), 2005],
    ['no flag', '<contact:disclose><contact:email/></contact:disclose>', 2005],
    ['another type', disclose('1', 'name type="tni"'), 2005],
    ['an unknown element', disclose('1', 'ident'), 2001],
  ])('failure: %s changes nothing', async (_what, markup, code) => {
    const id = await create(disclose('1', 'voice'));
    const answer = await update(id, markup);
    expect(answer.code, answer.frame).toBe(code);
    expect(await stored(id)).toEqual(['phone']);
  });
});
