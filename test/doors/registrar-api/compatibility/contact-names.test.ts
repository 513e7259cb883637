import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OldClient, setProfile } from '../../../support/compatibility.ts';
import { newContact } from '../../../support/contacts.ts';
import { freshName, newDomain } from '../../../support/domains.ts';
import type { EppClient } from '../../../support/epp.ts';
import { eis } from '../../../support/epp-frames.ts';
import { objectCommands } from '../../../support/epp-objects.ts';
import { eppAddressOf, logInToEpp } from '../../../support/epp-sandbox.ts';
import { startFreshRegistry, type TestRegistry } from '../../../support/registry.ts';

/** What a name without the prefix means to a registrar with the profile, through the API and through EPP. */
let registry: TestRegistry;
let old: OldClient;
let epp: EppClient;
const { contact, domain } = objectCommands('ee');
const PERSON = { name: 'Epp Person', voice: '+372.5551234', email: 'epp@example.ee' };
const IDENT = eis({ ident: { type: 'priv', cc: 'EE', code: '60001019906' } });

beforeAll(async () => {
  registry = await startFreshRegistry({ eppPort: 0 });
  old = new OldClient(registry.url);
  // Before the profile: one without the prefix, and two that differ in it alone.
  for (const [id, name] of [
    ['bare', 'Bare Person'],
    ['both', 'Bare Person'],
    ['ALPHA:BOTH', 'Prefixed Person'],
  ])
    await old.post('/contacts', newContact({ id, name }));
  await setProfile(registry, 'ALPHA', 'on');
  epp = await logInToEpp(await eppAddressOf(registry.url), 'alpha');
  await old.post('/contacts', newContact({ id: 'only', name: 'Prefixed Person' }));
});
afterAll(async () => {
  await epp?.close();
  await registry.stop();
});

const available = async (code: string) =>
  (await old.get(`/contacts/check/${code}`)).body.data.contact.available;
const availableByEpp = async (code: string) =>
  / avail="1"/.test((await epp.command(contact.check(code))).frame);
const createByEpp = async (id: string) => (await epp.command(contact.create(id, PERSON), IDENT)).code;
const outcome = ({ status, body }: { status: number; body: { code: number } }) => [status, body.code];

describe('where only the contact without the prefix exists', () => {
  test('success: it is meant by either name, in both interfaces', async () => {
    for (const code of ['bare', 'BARE', 'ALPHA:bare']) {
      expect((await old.get(`/contacts/${code}`)).body.data.contact.name).toBe('Bare Person');
      expect((await epp.command(contact.info(code))).frame).toContain('<contact:id>bare</contact:id>');
    }
    const name = freshName();
    await old.post('/domains', newDomain('bare', { name, tech_contacts: ['ALPHA:BARE'] }));
    const { registrant, contacts } = (await old.get(`/domains/${name}`)).body.data.domain;
    expect([registrant.code, contacts[0].code]).toEqual(['bare', 'bare']);
  });

  test('failure: neither name is free, and the second contact is not created', async () => {
    for (const code of ['bare', 'ALPHA:BARE'])
      expect([code, await available(code), await availableByEpp(code)]).toEqual([code, false, false]);
    expect(outcome(await old.post('/contacts', newContact({ id: 'bare' })))).toEqual([400, 2302]);
    expect(outcome(await old.post('/contacts', newContact({ id: 'ALPHA:bare' })))).toEqual([400, 2302]);
    expect(await createByEpp('ALPHA:BARE')).toBe(2302);
  });
});

describe('where only the contact with the prefix exists', () => {
  test('success: it is meant by either name, in both interfaces', async () => {
    for (const code of ['only', 'ALPHA:ONLY']) {
      expect((await old.get(`/contacts/${code}`)).body.data.contact.code).toBe('ALPHA:ONLY');
      expect((await epp.command(contact.info(code))).frame).toContain('<contact:id>ALPHA:ONLY</contact:id>');
    }
    const name = freshName();
    const links = { registrant: 'only', contacts: [{ type: 'tech', id: 'only' }] };
    expect((await epp.command(domain.create({ name, ...links }))).code).toBe(1000);
    const removal = { rem: { contacts: [{ type: 'tech', id: 'only' }] } };
    expect((await epp.command(domain.update(name, removal))).code).toBe(1000);
    expect((await old.get(`/domains/${name}`)).body.data.domain).toMatchObject({
      registrant: { code: 'ALPHA:ONLY' },
      contacts: [],
    });
    expect((await epp.command(contact.update('only', { chg: { email: 'new@example.ee' } }))).code).toBe(1000);
    expect((await old.get('/contacts/only')).body.data.contact.email).toBe('new@example.ee');
  });

  test('failure: neither name is free, and the second contact is not created', async () => {
    for (const code of ['only', 'ALPHA:ONLY'])
      expect([code, await available(code), await availableByEpp(code)]).toEqual([code, false, false]);
    expect(await createByEpp('only')).toBe(2302);
    expect(outcome(await old.post('/contacts', newContact({ id: 'only' })))).toEqual([400, 2302]);
  });
});

describe('where both exist', () => {
  const TEXT = 'both may mean ALPHA:BOTH or both';

  test('failure: the name without the prefix is refused with both codes, wherever it is used', async () => {
    const name = freshName();
    const change = { contact: { phone: '+372.5550000' } };
    const replies = [
      await old.get('/contacts/both'),
      await old.put('/contacts/both', change),
      await old.delete('/contacts/both'),
      await old.post('/domains', newDomain('both', { name })),
      await old.post('/domains', newDomain('only', { name, tech_contacts: ['both'] })),
      await old.patch('/domains/contacts', { current_contact_id: 'both', new_contact_id: 'only' }),
      await old.get('/contacts?q[code_eq]=both'),
      await old.get('/domains?contact=both'),
    ];
    for (const { status, body } of replies)
      expect([status, body.code, body.message]).toEqual([400, 2306, TEXT]);
    const answers = [
      await epp.command(contact.info('both')),
      await epp.command(contact.update('both', { chg: { email: 'new@example.ee' } })),
      await epp.command(contact.delete('both')),
      await epp.command(domain.create({ name, registrant: 'both' })),
      await epp.command(
        domain.create({ name, registrant: 'only', contacts: [{ type: 'tech', id: 'both' }] }),
      ),
    ];
    for (const { code, frame } of answers) expect([code, frame.includes(TEXT)]).toEqual([2306, true]);
    expect((await old.get(`/domains/${name}`)).status).toBe(401);
  });

  test('success: the name with the prefix means the contact with it', async () => {
    expect((await old.get('/contacts/ALPHA:BOTH')).body.data.contact.name).toBe('Prefixed Person');
    expect((await epp.command(contact.info('ALPHA:both'))).frame).toContain('Prefixed Person');
  });

  test('failure: neither name is free', async () => {
    for (const code of ['both', 'ALPHA:BOTH'])
      expect([code, await available(code), await availableByEpp(code)]).toEqual([code, false, false]);
  });
});

test('success: EPP keeps a code as it was given, and the name of another registrar’s contact is free', async () => {
  expect(await createByEpp('by-epp')).toBe(1000);
  expect((await old.get('/contacts/by-epp')).body.data.contact.code).toBe('by-epp');
  const beta = new OldClient(registry.url, '/registry/v1', 'beta:beta-sandbox-password');
  await beta.post('/contacts', newContact({ id: 'foreign' }));
  expect(await available('foreign')).toBe(true);
  expect((await old.post('/contacts', newContact({ id: 'foreign' }))).body.data.contact.code).toBe(
    'ALPHA:FOREIGN',
  );
});

test('success: without the profile codes are as given, and both can be created', async () => {
  const beta = new OldClient(registry.url, '/registry/v1', 'beta:beta-sandbox-password');
  for (const id of ['twin', 'BETA:TWIN'])
    expect((await beta.post('/contacts', newContact({ id }))).body.data.contact.code).toBe(id);
  expect((await beta.get('/contacts/twin')).body.data.contact.code).toBe('twin');
  expect((await beta.get('/contacts/BETA:other')).status).toBe(404);
});
