import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha } from '../../support/client.ts';
import { ConsoleClient, loggedIn, PEOPLE } from '../../support/console.ts';
import { carryOut, formFields } from '../../support/console-forms.ts';
import { createContact } from '../../support/contacts.ts';
import { freshName, Registrant } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let contact: string;
beforeAll(async () => {
  registry = await startRegistry();
  contact = await createContact(alpha(registry.url));
});
afterAll(() => registry.stop());

const REGISTER = '/console/domains/register';
const HELD = `/console/form?${new URLSearchParams({ page: '/console' })}`;
const NOTHING_YET = 'Nothing has been changed yet.';

const end = (email: string) =>
  registry.sql.run(sql`
    update person_sessions set last_seen_at = last_seen_at - interval '31 minutes' where person_id = (select id from people where email_key = ${email})`);
const age = (email: string) =>
  registry.sql.run(sql`
    update person_sessions set authenticated_at = authenticated_at - interval '6 minutes' where person_id = (select id from people where email_key = ${email})`);
const again = (client: ConsoleClient, person: keyof typeof PEOPLE, next: string) => {
  const [email, password] = PEOPLE[person];
  return client.post('/console/login', { email, password, next });
};
const nextOf = (to: string | null) => new URL(to ?? '', registry.url).searchParams.get('next') ?? '';

describe('a form that is sent when its login has expired', () => {
  test('success: the preview of a registration is shown after the login, and can be confirmed', async () => {
    const client = await loggedIn(registry.url);
    const name = freshName();
    await end(PEOPLE.alpha[0]);
    const typed = {
      name,
      registrant: contact,
      years: '2',
      nameservers: `ns1.${name} 192.0.2.1\r\nns2.example.ee`,
    };
    const sent = await client.post(REGISTER, { ...typed, step: 'preview' });
    expect([sent.status, new URL(sent.to ?? '', registry.url).searchParams.get('reason')]).toEqual([
      303,
      'ended',
    ]);
    const next = nextOf(sent.to);
    expect(next).toBe(HELD);
    expect((await again(client, 'alpha', next)).to).toBe(next);
    const shown = await client.get(next);
    expect([shown.status, shown.text.includes(NOTHING_YET)]).toEqual([200, true]);
    expect(formFields(shown.text)).toMatchObject(typed);
    const done = await client.post(REGISTER, { ...formFields(shown.text), step: 'confirm' });
    expect(done.to).toBe(`/console/domains/${name}?notice=domainRegistered`);
  });

  test('success: a confirmed form is previewed again, and nothing is done', async () => {
    const client = await loggedIn(registry.url);
    const name = freshName();
    const typed = { name, registrant: contact, years: '1' };
    const preview = await client.post(REGISTER, { ...typed, step: 'preview' });
    await end(PEOPLE.alpha[0]);
    const sent = await client.post(REGISTER, { ...formFields(preview.text), step: 'confirm' });
    await again(client, 'alpha', nextOf(sent.to));
    const shown = await client.get(nextOf(sent.to));
    expect(shown.text).toContain('This is a preview.');
    expect((await client.get(`/console/domains/${name}`)).status).toBe(404);
  });

  test('success: what is wrong with it is said then', async () => {
    const client = await loggedIn(registry.url);
    await end(PEOPLE.alpha[0]);
    const sent = await client.post(REGISTER, { name: 'not a name', years: '1', step: 'preview' });
    await again(client, 'alpha', nextOf(sent.to));
    const shown = await client.get(nextOf(sent.to));
    expect([shown.status, shown.text.includes('id="name-fault"')]).toEqual([400, true]);
    expect(formFields(shown.text)).toMatchObject({ name: 'not a name' });
  });

  test('success: an old proof of identity, for a form that asks once and for one of a page', async () => {
    const client = await loggedIn(registry.url);
    const name = await (await Registrant.of(alpha(registry.url))).register();
    await age(PEOPLE.alpha[0]);
    const path = `/console/domains/${name}/delete`;
    const sent = await client.post(path, { typed: name, step: 'confirm', key: 'x', version: '1' });
    expect(new URL(sent.to ?? '', registry.url).searchParams.get('reason')).toBe('stepUp');
    await again(client, 'alpha', nextOf(sent.to));
    const shown = await client.get(nextOf(sent.to));
    expect(formFields(shown.text)).toMatchObject({ typed: name });
    expect(shown.text).toContain(`action="${path}"`);
    await age(PEOPLE.alpha[0]);
    const invited = await client.post('/console/people/invite', {
      email: 'held@example.ee',
      name: 'Held',
      'role-reader': 'yes',
    });
    await again(client, 'alpha', nextOf(invited.to));
    const people = await client.get(nextOf(invited.to));
    expect([people.status, people.text.includes('value="held@example.ee"')]).toEqual([200, true]);
    expect(people.text).not.toContain('<td>held@example.ee');
  });

  test('success: the same registrar as before, of several', async () => {
    await registry.sql.run(sql`
      insert into memberships (person_id, registrar_id, roles, created_at)
      select p.id, r.id, '{admin}', now() from people p, registrars r where p.email_key = ${PEOPLE.beta[0]} and r.code = 'ALPHA'`);
    const client = await loggedIn(registry.url, 'beta');
    await client.post('/console/registrar', { registrar: 'BETA' });
    await end(PEOPLE.beta[0]);
    const sent = await client.post(REGISTER, { name: 'held.ee', years: '1', step: 'edit' });
    await again(client, 'beta', nextOf(sent.to));
    const shown = await client.get(nextOf(sent.to));
    expect([shown.text.includes('Beta Registrar'), formFields(shown.text).name]).toEqual([true, 'held.ee']);
    await client.post('/console/registrar', { registrar: 'ALPHA' });
    expect((await client.get(HELD)).to).toBe('/console');
    await registry.sql.run(sql`
      delete from memberships m using people p, registrars r
      where p.id = m.person_id and r.id = m.registrar_id and p.email_key = ${PEOPLE.beta[0]} and r.code = 'ALPHA'`);
  });
});

describe('what is not shown again', () => {
  async function heldForm(): Promise<ConsoleClient> {
    const client = await loggedIn(registry.url);
    await end(PEOPLE.alpha[0]);
    const sent = await client.post(REGISTER, { name: 'secret.ee', years: '1', step: 'edit' });
    await again(client, 'alpha', nextOf(sent.to));
    return client;
  }
  const cookieOf = ({ cookie }: ConsoleClient, name: string) =>
    cookie.split('; ').find((each) => each.startsWith(`${name}=`)) ?? '';

  test('failure: the form of another person, with the cookie of its browser', async () => {
    const theirs = cookieOf(await heldForm(), '__Host-console-form');
    const reader = await loggedIn(registry.url, 'reader');
    expect(theirs).not.toBe('');
    const cookie = `${reader.cookie}; ${theirs}`;
    expect((await reader.get(HELD, { cookie })).to).toBe('/console');
  });

  test('failure: without its cookie, with another one, and nobody who is logged in', async () => {
    const client = await heldForm();
    expect((await client.get(HELD)).text).toContain('secret.ee');
    const session = cookieOf(client, '__Host-console');
    const visitor = new ConsoleClient(registry.url);
    const other = `${session}; __Host-console-form=${'A'.repeat(43)}`;
    for (const cookie of [session, other]) expect((await visitor.get(HELD, { cookie })).to).toBe('/console');
    const form = cookieOf(client, '__Host-console-form');
    expect((await visitor.get(HELD, { cookie: form })).to).toMatch(/^\/console\/login/);
  });

  test('failure: after an hour, and what the page of the address would be elsewhere', async () => {
    const client = await heldForm();
    await registry.sql.run(sql`
      update login_steps set expires_at = expires_at - interval '1 hour' where kind = 'held form'`);
    expect((await client.get(HELD)).to).toBe('/console');
    const elsewhere = new URLSearchParams({ page: 'https://evil.example/console' });
    expect((await client.get(`/console/form?${elsewhere}`)).to).toBe('/console');
  });

  test('failure: a right that was taken away meanwhile', async () => {
    const client = await heldForm();
    const roles = (role: string) =>
      registry.sql.run(sql`
        update memberships m set roles = ${[role]}::text[] from people p where p.id = m.person_id and p.email_key = ${PEOPLE.alpha[0]}`);
    await roles('billing');
    expect((await client.get(HELD)).to).toBe('/console');
    await roles('admin');
  });

  test('failure: passwords are not stored', async () => {
    const client = await loggedIn(registry.url, 'reader');
    await end(PEOPLE.reader[0]);
    const form = { current: 'a', chosen: 'b', repeated: 'b' };
    const { to } = await client.post('/console/account/password', form);
    expect(to).toBe('/console/login?reason=ended&next=%2Fconsole');
  });

  test('failure: nothing in the database reads it, one form of a person, and ten a minute', async () => {
    const client = await loggedIn(registry.url, 'reader');
    await end(PEOPLE.reader[0]);
    const post = () => client.post(REGISTER, { name: 'readable', step: 'edit' });
    const held = [];
    for (let count = 0; count < 11; count += 1) held.push(nextOf((await post()).to));
    expect(held.filter((next) => next === HELD)).toHaveLength(10);
    const rows = await registry.sql.rows(sql<{ state: string }>`
      select l.state::text as state from login_steps l join people p on p.id = l.person_id
      where l.kind = 'held form' and p.email_key = ${PEOPLE.reader[0]}`);
    expect(rows).toHaveLength(1);
    expect(
      Buffer.from(JSON.parse(rows[0]?.state ?? '{}').content, 'base64').toString('latin1'),
    ).not.toContain('readable');
  });

  test('failure: an address of a session that never was', async () => {
    const visitor = new ConsoleClient(registry.url);
    const cookie = `__Host-console=${'A'.repeat(43)}`;
    const { to } = await visitor.post(REGISTER, { name: 'a.ee' }, { cookie });
    expect(to).toBe('/console/login?reason=ended&next=%2Fconsole');
  });
});

test('success: a form that was sent in time is not held', async () => {
  const client = await loggedIn(registry.url);
  const answer = await carryOut(client, `${REGISTER}?registrant=${contact}`, {
    name: freshName(),
    years: '1',
  });
  expect(answer.status).toBe(303);
  expect(client.cookie).not.toContain('__Host-console-form');
});
