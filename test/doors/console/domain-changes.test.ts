import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha, beta } from '../../support/client.ts';
import { type ConsoleClient, loggedIn } from '../../support/console.ts';
import { carryOut, confirm, confirmation, formFields, preview } from '../../support/console-forms.ts';
import { createContact } from '../../support/contacts.ts';
import { freshName, hosts, KEY, OTHER_KEY, Registrant } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let console: ConsoleClient;
let mari: Registrant;
let jaan: string;
let firm: string;
const ORGANISATION = { ident: '12345678', ident_type: 'org', ident_country_code: 'EE' };
const PERSON = { ident: '37605030299', ident_type: 'priv', ident_country_code: 'EE' };
beforeAll(async () => {
  registry = await startRegistry();
  const client = alpha(registry.url);
  mari = await Registrant.of(client);
  jaan = await createContact(client, { name: 'Jaan Tamm', ident: PERSON });
  firm = await createContact(client, { name: 'Aed OÜ', ident: ORGANISATION });
  console = await loggedIn(registry.url);
});
afterAll(() => registry.stop());

const keyLine = ({ flags, protocol, alg, public_key }: typeof KEY) =>
  `${flags} ${protocol} ${alg} ${public_key}`;

type State = {
  registrant: string;
  links: string[];
  hosts: string[];
  keys: string[];
  statuses: string[];
  code: string;
  registrar: string;
  last: [string, string];
};
const stateOf = (name: string) =>
  registry.sql.one(sql<State>`
    select (select code from contacts where id = d.registrant_id) as registrant, d.transfer_code as code,
      (select code from registrars where id = d.registrar_id) as registrar,
      array(select l.role || ' ' || c.code from domain_contacts l join contacts c on c.id = l.contact_id where l.domain_id = d.id order by 1) as links,
      array(select n.hostname || ' ' || array_to_string(n.ipv4 || n.ipv6, ' ') from domain_nameservers n where n.domain_id = d.id order by 1) as hosts,
      array(select k.flags || ' ' || k.alg from domain_keys k where k.domain_id = d.id order by 1) as keys,
      array(select jsonb_object_keys(d.statuses) order by 1) as statuses,
      (select array[operation, actor] from history where object_kind = 'domain' and object_name = d.name order by id desc limit 1) as last
    from domains d where d.name = ${name}`);
const PERSON_ACTOR = 'person:alpha@sandbox.example';
const REGISTER = '/console/domains/register';
const pathOf = (name: string, page: string) => `/console/domains/${encodeURIComponent(name)}/${page}`;

type Domain = Record<string, unknown>;
/** Each change: its page, the domain before, what is filled in, the notice, and what differs afterwards. */
const changes: [
  page: string,
  before: () => Domain,
  filled: () => Record<string, string>,
  notice: string,
  after: (before: State) => Partial<State>,
  shown: () => string[],
][] = [
  [
    'nameservers',
    () => ({ nameservers_attributes: hosts('ns1.example.ee', 'ns2.example.ee') }),
    () => ({ nameservers: 'NS2.example.ee.\r\nns3.example.ee, 192.0.2.7 (2001:DB8::1)\r\n' }),
    'domainChanged',
    () => ({
      hosts: ['ns2.example.ee ', 'ns3.example.ee 192.0.2.7 2001:db8::1'],
      last: ['update', PERSON_ACTOR],
    }),
    () => ['Will be added', 'ns3.example.ee 192.0.2.7 2001:db8::1', 'Will be removed', 'ns1.example.ee'],
  ],
  [
    'nameservers',
    () => ({ nameservers_attributes: hosts('ns1.example.ee', 'ns2.example.ee') }),
    () => ({ nameservers: '' }),
    'domainChanged',
    () => ({ hosts: [], last: ['update', PERSON_ACTOR] }),
    () => ['Without nameservers the domain leaves the zone.'],
  ],
  [
    'keys',
    () => ({ dnskeys_attributes: [KEY] }),
    () => ({
      'remove-0': 'yes',
      keys: `minu.ee. 3600 IN DNSKEY 256 3 15 (\r\n  ${OTHER_KEY.public_key.slice(0, 20)}\r\n ${OTHER_KEY.public_key.slice(20)} ) ; ZSK`,
    }),
    'domainChanged',
    () => ({ keys: ['256 15'], last: ['update', PERSON_ACTOR] }),
    () => ['Will be removed', KEY.public_key, OTHER_KEY.public_key],
  ],
  [
    'contacts',
    () => ({ admin_contacts: [mari.code], tech_contacts: [firm] }),
    () => ({ admins: `${jaan.toUpperCase()}\r\n`, techs: `${firm}, ${mari.code}` }),
    'domainChanged',
    () => ({
      links: [`admin ${jaan}`, ...[`tech ${firm}`, `tech ${mari.code}`].sort()],
      last: ['update', PERSON_ACTOR],
    }),
    () => ['Administrative contacts: Will be removed', 'Jaan Tamm', 'Technical contacts: Will be added'],
  ],
  [
    'registrant',
    () => ({}),
    () => ({ registrant: jaan, verified: 'yes' }),
    'registrantChanged',
    ({ code }) => ({
      registrant: jaan,
      code: expect.not.stringMatching(code),
      last: ['change registrant', PERSON_ACTOR],
    }),
    () => ['Registrant now', 'Mari Maasikas', 'Jaan Tamm', 'at once'],
  ],
  [
    'registrant',
    () => ({}),
    () => ({ registrant: jaan }),
    'confirmationRequested',
    () => ({ statuses: ['pendingUpdate'], last: ['ask for registrant change', PERSON_ACTOR] }),
    () => ['The present registrant is asked by mail to confirm, within 48 hours.'],
  ],
  [
    'transfer-code/new',
    () => ({}),
    () => ({}),
    'transferCodeReplaced',
    ({ code }) => ({ code: expect.not.stringMatching(code), last: ['update', PERSON_ACTOR] }),
    () => ['The present code stops working.'],
  ],
  [
    'delete',
    () => ({}),
    () => ({ verified: 'yes' }),
    'domainDeleted',
    () => ({ statuses: ['pendingDelete', 'serverHold'], last: ['delete', PERSON_ACTOR] }),
    () => ['is deleted on'],
  ],
  [
    'delete',
    () => ({}),
    () => ({}),
    'confirmationRequested',
    () => ({ statuses: ['pendingDeleteConfirmation'], last: ['ask for deletion', PERSON_ACTOR] }),
    () => ['The registrant is asked by mail to confirm, within 48 hours.'],
  ],
];

/** A deletion asks for the name instead of showing a preview. */
const open = (name: string, page: string, filled: Record<string, string>) =>
  page === 'delete'
    ? confirmation(console, pathOf(name, page), { ...filled, typed: name })
    : preview(console, pathOf(name, page), filled);

describe('a change of one domain', () => {
  test.each(changes)('success: %s', async (page, domain, filled, notice, after, shown) => {
    const name = await mari.register(domain());
    const before = await stateOf(name);
    const path = pathOf(name, page);
    const { shown: opened, fields } = await open(name, page, filled());
    for (const text of shown()) expect(opened.text).toContain(text);
    expect(await stateOf(name)).toEqual(before);
    const to = `/console/domains/${name}?notice=${notice}`;
    const answers = [await console.post(path, fields), await console.post(path, fields)];
    expect(answers.map((answer) => [answer.status, answer.to])).toEqual([
      [303, to],
      [303, to],
    ]);
    expect(await stateOf(name)).toEqual({ ...before, ...after(before) });
  });

  test.each(changes)('failure: %s, after a concurrent change of the domain', async (page, domain, filled) => {
    const name = await mari.register(domain());
    const path = pathOf(name, page);
    const { fields } = await open(name, page, filled());
    await registry.sql.run(sql`update domains set updated_at = now() where name = ${name}`);
    const before = await stateOf(name);
    const stale = await console.post(path, fields);
    expect([stale.status, stale.text.includes('Someone changed this while you were editing.')]).toEqual([
      page === 'delete' ? 409 : 400,
      true,
    ]);
    expect(await stateOf(name)).toEqual(before);
    // The form that comes with it is one of the present state.
    const fresh = formFields((await console.get(path)).text);
    expect({ ...formFields(stale.text), key: '' }).toEqual({ ...fresh, key: '' });
  });

  test('success: a hold is set and lifted at once; a repeated form leaves it as it is', async () => {
    const name = await mari.register();
    for (const [change, notice, statuses] of [
      ['hold', 'domainHeld', ['clientHold']],
      ['release', 'domainReleased', []],
    ] as const) {
      const last = [change === 'hold' ? 'set clientHold' : 'remove clientHold', PERSON_ACTOR];
      for (const _ of [1, 2]) {
        const answer = await console.post(pathOf(name, change), {});
        expect([answer.status, answer.to]).toEqual([303, `/console/domains/${name}?notice=${notice}`]);
        expect(await stateOf(name)).toMatchObject({ statuses, last });
      }
    }
  });

  test('failure: a deletion without the name typed', async () => {
    const name = await mari.register();
    const before = await stateOf(name);
    for (const typed of ['', 'other.ee']) {
      const answer = await confirm(console, pathOf(name, 'delete'), { verified: 'yes', typed });
      expect(answer.status).toBe(400);
      expect(answer.text).toContain(`id="typed-fault">Type ${name} exactly`);
      expect(formFields(answer.text)).toMatchObject({ verified: 'yes', typed });
    }
    expect(await stateOf(name)).toEqual(before);
  });

  test('success: a disputed domain gets another registrant by the code of the dispute, which ends it', async () => {
    const name = await mari.register();
    await registry.sql.run(sql`
      insert into disputes (name, code, starts_at, expires_at) values (${name}, 'dispute-code', '2020-01-01', '2099-01-01')`);
    for (const page of [
      `/console/domains/${name}`,
      `/console/domains?name=${name}`,
      `/console/search?q=${name}`,
    ])
      expect((await console.get(page)).text).toMatch(/<span class="tag warn"[^>]*>Under dispute</);
    const path = pathOf(name, 'registrant');
    const without = await preview(console, path, { registrant: jaan }).then(({ shown }) => shown);
    expect([without.status, without.text.includes('The status forbids it: Under dispute.')]).toEqual([
      400,
      true,
    ]);
    const wrong = await preview(console, path, { registrant: jaan, disputeCode: 'wrong' }).then(
      ({ shown }) => shown,
    );
    expect([wrong.status, wrong.text.includes('id="disputeCode-fault">The code is wrong.')]).toEqual([
      400,
      true,
    ]);
    const answer = await carryOut(console, path, { registrant: jaan, disputeCode: 'dispute-code' });
    expect(answer.to).toBe(`/console/domains/${name}?notice=registrantChanged`);
    expect(await stateOf(name)).toMatchObject({
      registrant: jaan,
      last: ['change registrant', PERSON_ACTOR],
    });
  });
});

describe('a new domain', () => {
  test('success: registered for a contact that was found by its name, with all fields', async () => {
    const name = freshName();
    const typed = { name, years: '2', techs: firm, nameservers: 'ns1.example.ee\r\nns2.example.ee' };
    const found = await console.post(REGISTER, { ...typed, find: ' jaan t', step: 'find' });
    expect([found.status, formFields(found.text)]).toMatchObject([200, { ...typed, find: 'jaan t' }]);
    expect(found.text).toContain(`name="step" value="choose:${jaan}" formnovalidate>`);
    const chosen = await console.post(REGISTER, { ...formFields(found.text), step: `choose:${jaan}` });
    expect(formFields(chosen.text)).toMatchObject({ ...typed, find: '', registrant: jaan });
    expect(chosen.text).toContain(': Jaan Tamm');
    const filled = {
      name: ` ${name.toUpperCase()} `,
      years: '2',
      admins: jaan,
      techs: firm,
      nameservers: `ns1.${name} 192.0.2.1\r\nns2.example.ee`,
      keys: keyLine(KEY),
    };
    const answer = await carryOut(console, `/console/domains/register?registrant=${jaan}`, filled);
    expect([answer.status, answer.to]).toEqual([303, `/console/domains/${name}?notice=domainRegistered`]);
    for (const text of ['€18.00', 'Expires', '2 years', 'Jaan Tamm', 'Aed OÜ'])
      expect(answer.preview).toContain(text);
    expect(await stateOf(name)).toMatchObject({
      registrant: jaan,
      links: [`admin ${jaan}`, `tech ${firm}`],
      keys: ['257 13'],
      last: ['create', PERSON_ACTOR],
      hosts: [`ns1.${name} 192.0.2.1`, 'ns2.example.ee '],
    });
  });

  test('success: another search before the preview, for nobody, and the Enter key with nothing to find', async () => {
    const name = freshName();
    const none = await console.post(REGISTER, {
      name,
      registrant: jaan,
      find: 'nobody at all',
      step: 'find',
    });
    expect(formFields(none.text)).toMatchObject({ name, registrant: jaan });
    expect(none.text).toContain('No contact matches.');
    const entered = await console.post(REGISTER, {
      name,
      years: '1',
      registrant: jaan,
      find: ' ',
      step: 'find',
    });
    expect(entered.text).toContain('This is a preview.');
  });

  test('success: a set of nameservers that is often used is filled in by its button', async () => {
    const name = await mari.register({ nameservers_attributes: hosts('ns1.often.ee', 'ns2.often.ee') });
    const button = 'name="step" value="hosts:ns1.often.ee,ns2.often.ee" formnovalidate';
    const form = await console.get(REGISTER);
    expect(form.text).toContain(button);
    const step = 'hosts:ns1.often.ee,ns2.often.ee';
    const filled = await console.post(REGISTER, { name: 'kept.ee', years: '3', step });
    expect(formFields(filled.text)).toMatchObject({
      name: 'kept.ee',
      years: '3',
      nameservers: 'ns1.often.ee\nns2.often.ee',
    });
    const path = pathOf(name, 'nameservers');
    expect((await console.get(path)).text).toContain(button);
    const changed = await console.post(path, { nameservers: '', version: '1', step });
    expect(formFields(changed.text)).toMatchObject({
      nameservers: 'ns1.often.ee\nns2.often.ee',
      version: '1',
    });
    const other = await loggedIn(registry.url, 'beta');
    expect((await other.get(REGISTER)).text).not.toContain('ns1.often.ee');
  });

  test('success: whether a name can be registered, as the API says it, with the price', async () => {
    const taken = await mari.register();
    const free = freshName();
    const asked: [name: string, years: string, isAvailable: boolean, text: string][] = [
      [free, '2', true, `${free} is available: €18.00`],
      [free.toUpperCase(), 'many', true, `${free} is available: €9.00`],
      [taken, '1', false, 'This name is taken.'],
      ['ee', '1', false, 'This name is a zone.'],
      ['not a name', '1', false, 'This is not a domain name of this registry yet.'],
      ['', '1', false, 'This is not a domain name of this registry yet.'],
    ];
    for (const [name, years, available, text] of asked) {
      const answer = await console.get(
        `/console/domains/availability.json?${new URLSearchParams({ name, years })}`,
      );
      expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { available, text }]);
    }
  });

  test('failure: the contact of another registrar is not named when it is chosen', async () => {
    const theirs = await createContact(beta(registry.url));
    const chosen = await console.post(REGISTER, { name: freshName(), step: `choose:${theirs}` });
    expect(formFields(chosen.text)).toMatchObject({ registrant: theirs });
    expect(chosen.text).not.toContain('The code of the contact: ');
  });

  test('success: a domain of another registrar, by its code', async () => {
    const name = await (await Registrant.of(beta(registry.url))).register();
    const { code } = await stateOf(name);
    const answer = await carryOut(console, '/console/domains/transfer', { name, transferCode: code });
    expect([answer.status, answer.to]).toEqual([303, `/console/domains/${name}?notice=domainTransferred`]);
    expect(await stateOf(name)).toMatchObject({ registrar: 'ALPHA', last: ['transfer', PERSON_ACTOR] });
  });
});
