import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha, beta } from '../../support/client.ts';
import { type ConsoleClient, loggedIn, PEOPLE } from '../../support/console.ts';
import { formFields, preview } from '../../support/console-forms.ts';
import { createContact } from '../../support/contacts.ts';
import { freshName, hosts, Registrant } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let console: ConsoleClient;
let name: string;
let jaan: string;
let theirs: string;
beforeAll(async () => {
  registry = await startRegistry();
  const client = alpha(registry.url);
  name = await (await Registrant.of(client)).register({
    nameservers_attributes: hosts('ns1.example.ee', 'ns2.example.ee'),
  });
  jaan = await createContact(client, { name: 'Jaan Tamm' });
  theirs = await createContact(beta(registry.url), { name: 'Their Contact' });
  console = await loggedIn(registry.url);
});
afterAll(() => registry.stop());

const HEADER = { 'x-dry-run': '1' };
const path = (page: string) => `/console/domains/${name}/${page}`;
const stateNow = () =>
  registry.sql.one(sql<{ entries: string; version: number }>`
    select (select count(*) from history) as entries, version from domains where name = ${name}`);
/** The form as it is opened, with what is typed. */
const ask = async (page: string, typed: Record<string, string>, client = console) => {
  const form = formFields((await console.get(path(page))).text);
  return client.post(path(page), { ...form, ...typed }, HEADER);
};

describe('the preview of a form while it is filled in', () => {
  test('success: as its button shows it, and nothing is done, whatever the form says', async () => {
    const before = await stateNow();
    const nameservers = 'ns2.example.ee\nns3.example.ee';
    const shown = await ask('nameservers', { nameservers });
    expect(shown.status).toBe(200);
    for (const text of ['Will be added', 'ns3.example.ee', 'Will be removed', 'ns1.example.ee'])
      expect(shown.text).toContain(text);
    const { fields } = await preview(console, path('nameservers'), { nameservers });
    const confirmed = await console.post(path('nameservers'), fields, HEADER);
    expect([confirmed.status, confirmed.text.includes('This is a preview.')]).toEqual([200, true]);
    expect((await ask('contacts', { techs: jaan })).text).toContain('Jaan Tamm');
    expect((await ask('renew', { years: '3' })).text).toContain('€27.00');
    const registration = { name: freshName(), registrant: jaan, years: '2' };
    const registered = await console.post('/console/domains/register', registration, HEADER);
    expect(registered.text).toContain('€18.00');
    expect(await stateNow()).toEqual(before);
  });

  test.each<[what: string, page: string, typed: () => Record<string, string>]>([
    ['nothing changes', 'nameservers', () => ({})],
    ['a wrong host', 'nameservers', () => ({ nameservers: 'ns1.example.ee\nns' })],
    ['too many lines', 'nameservers', () => ({ nameservers: 'x\n'.repeat(101) })],
    ['10,000 characters', 'nameservers', () => ({ nameservers: 'õ'.repeat(10_000) })],
    ['a contact of another registrar', 'contacts', () => ({ techs: theirs })],
    ['an unknown period', 'renew', () => ({ years: '11' })],
    ['another version', 'nameservers', () => ({ nameservers: '', version: '0' })],
  ])('failure: %s: nothing is shown', async (_, page, typed) => {
    const { status, text } = await ask(page, typed());
    expect([status, text]).toEqual([204, '']);
  });

  test('failure: forms that are not filled in do nothing, and a long field is refused', async () => {
    const before = await stateNow();
    for (const page of ['hold', 'delete', 'transfer-code', 'registrant'])
      expect((await console.post(path(page), { step: 'confirm' }, HEADER)).status).toBe(204);
    const { status } = await console.post(path('renew'), { years: '1'.repeat(10_000) }, HEADER);
    expect(status).toBe(413);
    expect(await stateNow()).toEqual(before);
  });

  test('failure: readers, other registrars, other sites, and a session that has ended', async () => {
    const [reader, other] = [await loggedIn(registry.url, 'reader'), await loggedIn(registry.url, 'beta')];
    expect((await ask('renew', { years: '2' }, reader)).status).toBe(403);
    expect((await ask('renew', { years: '2' }, other)).status).toBe(204);
    const foreign = { ...HEADER, 'sec-fetch-site': 'cross-site' };
    expect((await console.post(path('renew'), { years: '2' }, foreign)).status).toBe(403);
    const late = await loggedIn(registry.url);
    await registry.sql.run(sql`
      update person_sessions set last_seen_at = last_seen_at - interval '31 minutes'
      where person_id = (select id from people where email_key = ${PEOPLE.alpha[0]})`);
    const asked = await late.post(path('renew'), { years: '2' }, HEADER);
    expect([asked.status, asked.headers.get('set-cookie')]).toEqual([303, null]);
    expect(await registry.sql.rows(sql`select 1 from login_steps where kind = 'held form'`)).toEqual([]);
  });
});
