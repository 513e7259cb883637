import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha, beta } from '../../support/client.ts';
import { type ConsoleClient, loggedIn } from '../../support/console.ts';
import { hosts, KEY, Registrant } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';
import { tableRows } from '../../support/table-rows.ts';

let registry: TestRegistry;
let console: ConsoleClient;
let mari: Registrant;
let code: string;
const NAME = 'õun.ee';
const PATH = `/console/domains/${encodeURIComponent(NAME)}`;
const transferCodeOf = async (name: string): Promise<string> =>
  (
    await registry.sql.one(
      sql<{ code: string }>`select transfer_code as code from domains where name = ${name}`,
    )
  ).code;

beforeAll(async () => {
  registry = await startRegistry();
  const client = alpha(registry.url);
  mari = await Registrant.of(client, { name: 'Mari Maasikas' });
  await mari.register({
    name: NAME,
    nameservers_attributes: hosts('ns1.example.net', 'ns2.example.net'),
    dnskeys_attributes: [KEY],
  });
  await (await Registrant.of(beta(registry.url))).register({ name: 'meri.ee' });
  code = await transferCodeOf(NAME);
  console = await loggedIn(registry.url);
});
afterAll(() => registry.stop());

describe('the page of a domain', () => {
  test('success: everything about it, but the transfer code', async () => {
    const { status, text } = await console.get(PATH);
    expect(status).toBe(200);
    for (const shown of ['Active', 'Mari Maasikas', mari.code, 'ns1.example.net', KEY.public_key, '€9.00'])
      expect(text).toContain(shown);
    expect(text).toContain('Registered');
    expect(text).not.toContain(code);
    expect(text).toContain('Show the transfer code');
  });

  test('success: by its name in punycode, in any case', async () => {
    expect((await console.get('/console/domains/XN--un-bka.ee')).text).toContain(`<bdi>${NAME}</bdi>`);
  });

  test('success: the reason for each status in words, with the note of the registry', async () => {
    await registry.sql.run(sql`
      update domains set statuses = '{"serverHold": "court order 12", "serverForceDelete": ""}', hold_causes = '["registry"]', force_delete = '{"reason": "wrong data", "kind": "soft"}'
      where name = ${NAME}`);
    const { text } = await console.get(PATH);
    for (const shown of [
      'otherwise only the registry can lift it',
      'court order 12',
      'The registry is deleting this domain',
      'wrong data',
    ])
      expect(text).toContain(shown);
    await registry.sql.run(
      sql`update domains set statuses = '{}', hold_causes = '[]', force_delete = null where name = ${NAME}`,
    );
  });

  test.each(['meri.ee', 'nobody-has-this.ee', 'x', '%00', '%ff', `${'a'.repeat(300)}.ee`, '..%2f..%2fetc'])(
    'failure: %s is not found',
    async (name) => {
      const { status } = await console.get(`/console/domains/${name}`);
      expect([400, 404]).toContain(status);
      expect([400, 404]).toContain((await console.post(`/console/domains/${name}/transfer-code`, {})).status);
    },
  );

  test('success: text of third parties is escaped', async () => {
    const hostile = '<img src=x onerror=alert(1)>';
    await registry.sql.script(`begin; set local session_replication_role = replica;
      update domain_nameservers set hostname = '${hostile}' where hostname = 'ns2.example.net';
      update contacts set name = '${hostile}' where name = 'Mari Maasikas';
      update domain_keys set public_key = '${hostile}';
      update domains set statuses = '{"serverHold": "${hostile}", "${hostile}": ""}', hold_causes = '["registry"]', force_delete = '{"reason": "${hostile}"}' where name = '${NAME}';
      insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor, before, after)
      select d.created_at, 'domain', d.id, d.name, '${hostile}', d.registrar_id, 'user:${hostile}', '{"${hostile}": "a"}', '{"${hostile}": "${hostile}"}' from domains d where name = '${NAME}';
      insert into poll_messages (registrar_id, type, text, attached_obj_type, attached_obj_id, created_at)
      select registrar_id, 'expired', '${hostile}', 'Domain', id, created_at from domains where name = '${NAME}';
      commit`);
    const { text } = await console.get(PATH);
    expect(text).not.toContain('<img');
    expect(text.split('&lt;img src=x').length).toBeGreaterThan(9);
    await registry.sql.script(`begin; set local session_replication_role = replica;
      update domain_nameservers set hostname = 'ns2.example.net' where hostname = '${hostile}';
      update contacts set name = 'Mari Maasikas' where name = '${hostile}';
      update domain_keys set public_key = '${KEY.public_key}';
      update domains set statuses = '{}', hold_causes = '[]', force_delete = null where name = '${NAME}';
      commit`);
  });
});

describe('the timeline of a domain', () => {
  test('success: changes with their author and charge, and messages, newest first', async () => {
    const client = alpha(registry.url);
    const name = await mari.register({ name: 'ajajoon.ee' });
    const [{ at } = { at: '' }] = await registry.sql.rows(
      sql<{
        at: string;
      }>`select (expire_time at time zone 'Europe/Tallinn')::date::text as at from domains where name = ${name}`,
    );
    const renewal = await client.post(`/domains/${name}/renew`, {
      renews: { exp_date: at, period: 1, period_unit: 'y' },
    });
    expect(renewal.status).toBe(200);
    await registry.sql.run(sql`
      insert into poll_messages (registrar_id, type, text, attached_obj_type, attached_obj_id, created_at)
      select registrar_id, 'status_set', 'A message about it', 'Domain', id, created_at + interval '1 hour' from domains where name = ${name}`);
    const { text } = await console.get(`/console/domains/${name}`);
    const timeline = text.slice(text.indexOf('id="timeline"'));
    const places = ['A message about it', 'Renewed', 'Registered'].map((shown) => timeline.indexOf(shown));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places[0]).toBeGreaterThan(0);
    expect(timeline).toContain('<bdi>alpha</bdi>');
    expect(timeline.replaceAll(/<[^>]*>/g, '')).toMatch(/Expires: \d+ \w+ \d{4} → \d+ \w+ \d{4}/);
    expect(timeline.split('€9.00')).toHaveLength(3);
  });

  test('success: changes in words: no name of a field, no code of a status, no time as it is stored', async () => {
    const client = alpha(registry.url);
    const name = await mari.register({
      name: 'sõnad.ee',
      nameservers_attributes: hosts('ns1.example.net', 'ns2.example.net'),
    });
    const kati = await Registrant.of(client, { name: 'Kati Karu' });
    const path = `/domains/${encodeURIComponent(name)}`;
    const changes = [
      await client.post(`${path}/nameservers`, { nameservers: hosts('ns3.example.net', 'ns4.example.net') }),
      await client.post(`${path}/dnssec`, { dns_keys: [KEY] }),
      await client.post(`${path}/contacts`, { contacts: [{ code: kati.code, type: 'tech' }] }),
      await client.put(`${path}/statuses/clientHold`),
      await client.delete(path, { domain: { delete: { verified: true } } }),
    ];
    expect(changes.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const { text } = await console.get(`/console/domains/${encodeURIComponent(name)}`);
    const timeline = text.slice(text.indexOf('id="timeline"'), text.indexOf('</main>'));
    expect(timeline).not.toMatch(/<code>\w+<\/code>:/);
    const words = timeline.replaceAll(/<[^>]*>/g, '');
    expect(words).not.toMatch(/clientHold|pendingDelete|\d{4}-\d\d-\d\d|true|false/);
    for (const shown of [
      'Nameservers: added ns3.example.net',
      'DNSSEC keys: added 257 13',
      'Will be deleted: ',
      `added Kati Karu (${kati.code})`,
    ])
      expect(words).toContain(shown);
  });

  test('success: a change with the message and the mail that it sent is one event', async () => {
    const name = await mari.register({ name: 'üks.ee' });
    await registry.sql.script(`begin; set local session_replication_role = replica;
      insert into history (at, object_kind, object_id, object_name, operation, actor)
      select created_at + interval '1 hour', 'domain', id, name, 'expire', 'registry' from domains where name = '${name}';
      insert into poll_messages (registrar_id, type, text, attached_obj_type, attached_obj_id, created_at)
      select registrar_id, 'outzoned', 'Domain ' || name || ' has left the zone', 'Domain', id, created_at + interval '1 hour' from domains where name = '${name}';
      insert into mails (recipient, subject, text, html, object_kind, object_id, registrar_id, recipient_role, created_at, next_attempt_at, try_until)
      select 'mari@example.ee', 'About your domain', '', '', 'domain', id, registrar_id, 'registrant', created_at + interval '1 hour', now() + interval '1 year', now() + interval '2 years' from domains where name = '${name}';
      commit`);
    const { text } = await console.get(`/console/domains/${encodeURIComponent(name)}`);
    const rows = tableRows(text, /Timeline/);
    expect(rows).toHaveLength(2);
    expect(rows[0]?.slice(1, 3)).toEqual([
      `ExpiredMessage: Domain ${name} has left the zoneMail to the registrant: About your domain (waits to be sent)`,
      'Automatic',
    ]);
    const speak = (lang: string) =>
      registry.sql.run(sql`update people set language = ${lang} where email_key = 'alpha@sandbox.example'`);
    await speak('et');
    const { text: inEstonian } = await console.get(`/console/domains/${encodeURIComponent(name)}`);
    await speak('en');
    expect(inEstonian).toContain(`Domeen ${name} on tsoonist eemaldatud`);
  });

  test('success: mails about it, by the role of the recipient and their delivery state', async () => {
    const name = await mari.register({ name: 'kirjad.ee' });
    const asked = await alpha(registry.url).delete(`/domains/${name}`, {
      domain: { delete: { verified: false } },
    });
    expect(asked.status).toBe(200);
    const timeline = async () => {
      const { text } = await console.get(`/console/domains/${name}`);
      return text.slice(text.indexOf('id="timeline"'));
    };
    const ofMail = sql`object_kind = 'domain' and object_id = (select id from domains where name = ${name})`;
    const unsent = () => registry.sql.rows(sql`select from mails where sent_at is null and ${ofMail}`);
    await expect.poll(unsent).toEqual([]);
    const { text, recipient } = await registry.sql.one(
      sql<{ text: string; recipient: string }>`
        update mails set sent_at = null, next_attempt_at = now() + interval '1 day' where ${ofMail} returning text, recipient`,
    );
    const link = /\/confirm\/(\S+)/.exec(text)?.[1] ?? 'none';
    const subject = `Please confirm the deletion of ${name}`;
    expect(await timeline()).toMatch(
      new RegExp(`Mail to the registrant: [^<]*${subject} \\(waits to be sent\\)`),
    );
    await registry.sql.run(sql`update mails set sent_at = created_at where ${ofMail}`);
    expect(await timeline()).toContain(`${subject} (sent)`);
    await registry.sql.run(sql`update mails set sent_at = null, gave_up_at = created_at where ${ofMail}`);
    const shown = await timeline();
    expect(shown).toContain(`${subject} (could not be delivered)`);
    expect(shown).not.toContain(link);
    expect(shown).not.toContain(recipient);
    await registry.sql.run(sql`
      update mails set registrar_id = (select id from registrars where code = 'BETA') where ${ofMail}`);
    expect(await timeline()).not.toContain(subject);
  });

  test('success: pages without gaps or repeats, and invalid cursors begin at the newest', async () => {
    await registry.sql.run(sql`
      insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor)
      select d.created_at + (n / 2) * interval '1 microsecond', 'domain', d.id, d.name, 'step ' || n, d.registrar_id, 'user:alpha'
      from domains d, generate_series(1, 60) as n where d.name = ${NAME}`);
    const steps: string[] = [];
    let address: string | undefined = PATH;
    let pages = 0;
    while (address !== undefined) {
      const { text }: { text: string } = await console.get(address);
      steps.push(...[...text.matchAll(/<code>(step \d+)<\/code>/g)].map(([, step]) => step ?? ''));
      address = /rel="next" href="([^"]+)"/.exec(text)?.[1];
      pages++;
    }
    expect(pages).toBeGreaterThan(2);
    expect(steps).toHaveLength(60);
    expect(new Set(steps).size).toBe(60);
    for (const after of ['x', '1.change', '9'.repeat(40), '1.other.2', '%00'])
      expect((await console.get(`${PATH}?after=${after}`)).status).toBe(200);
  });

  test('success: neither changes of a former sponsor nor names of operators', async () => {
    const name = await mari.register({ name: 'rändur.ee' });
    await alpha(registry.url).post(`/domains/${encodeURIComponent(name)}/statuses/clientHold`, {});
    const transfer = { domain_name: name, transfer_code: await transferCodeOf(name) };
    const moved = await beta(registry.url).post('/domains/transfer', {
      data: { domain_transfers: [transfer] },
    });
    expect(moved.status).toBe(200);
    await registry.sql.run(sql`
      insert into history (at, object_kind, object_id, object_name, operation, actor, reason)
      select now() + interval '1 day', 'domain', id, name, 'set serverHold', 'operator-jane', 'internal reason' from domains where name = ${name}`);
    const other = await loggedIn(registry.url, 'beta');
    const { text } = await other.get(`/console/domains/${encodeURIComponent(name)}`);
    expect(text).toContain('Transferred to you');
    expect(text).toContain('Put on hold by the registry');
    for (const hidden of ['Created', '<bdi>alpha</bdi>', 'operator-jane', 'internal reason', mari.code])
      expect(text).not.toContain(hidden);
    expect((await console.get(`/console/domains/${encodeURIComponent(name)}`)).status).toBe(404);
  });
});

describe('the transfer code', () => {
  const views = async (): Promise<string[]> =>
    (
      await registry.sql.rows(
        sql<{ actor: string }>`select actor from history where operation = 'view transfer code' order by id`,
      )
    ).map(({ actor }) => actor);

  test('success: shown once to a person who may change domains, and recorded', async () => {
    const before = await views();
    const { status, text } = await console.post(`${PATH}/transfer-code`, {});
    expect(status).toBe(200);
    expect(text).toContain(`<code>${code}</code>`);
    expect(text).toContain('Transfer code viewed');
    expect(await views()).toEqual([...before, 'person:alpha@sandbox.example']);
    expect((await console.get(PATH)).text).not.toContain(code);
  });

  test('failure: a reader, a form of another site, an old login; none of them is recorded', async () => {
    const before = await views();
    const reader = await loggedIn(registry.url, 'reader');
    const page = await reader.get(PATH);
    expect([page.status, page.text.includes('Show the transfer code')]).toEqual([200, false]);
    expect((await reader.post(`${PATH}/transfer-code`, {})).status).toBe(403);
    expect((await console.post(`${PATH}/transfer-code`, {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(
      403,
    );
    const stale = await loggedIn(registry.url);
    await registry.sql.run(
      sql`update person_sessions set authenticated_at = authenticated_at - interval '1 hour'`,
    );
    const answer = await stale.post(`${PATH}/transfer-code`, {});
    expect([answer.status, answer.text.includes(code)]).toEqual([303, false]);
    expect(await views()).toEqual(before);
  });

  test('failure: a person with the accounting role only sees nothing of the domain', async () => {
    await registry.sql.run(
      sql`update memberships set roles = '{billing}' where person_id = (select id from people where email_key = 'alpha-reader@sandbox.example')`,
    );
    const accountant = await loggedIn(registry.url, 'reader');
    const { status, text } = await accountant.get(PATH);
    expect([status, text.includes(mari.code)]).toEqual([403, false]);
    expect((await accountant.post(`${PATH}/transfer-code`, {})).status).toBe(403);
  });
});
