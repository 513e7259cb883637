import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addEndpoints, allEvents, webhookEvents } from '../../support/all-events.ts';
import { alpha, beta } from '../../support/client.ts';
import { carriedFields, type ConsoleAnswer, type ConsoleClient, loggedIn } from '../../support/console.ts';
import { createContact } from '../../support/contacts.ts';
import { ApiDocument } from '../../support/document.ts';
import { hosts, KEY, OTHER_KEY, Registrant } from '../../support/domains.ts';
import { apiDocument } from '../../support/endpoints.ts';
import { samplesAt } from '../../support/metrics.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let console: ConsoleClient;
let mari: Registrant;
beforeAll(async () => {
  registry = await startRegistry();
  await addEndpoints(registry);
  mari = await Registrant.of(alpha(registry.url));
  console = await loggedIn(registry.url);
});
afterAll(() => registry.stop());

type Fields = Record<string, string>;
const preview = (path: string, fields: Fields): Promise<ConsoleAnswer> =>
  console.post(`/console/bulk/${path}`, { ...fields, step: 'preview' });

/** Confirms a preview, and waits until the job is done. */
async function done(
  path: string,
  shown: ConsoleAnswer,
): Promise<{ readonly id: string; readonly text: string }> {
  const begun = await console.post(`/console/bulk/${path}`, {
    ...carriedFields(shown.text),
    step: 'confirm',
  });
  const id = begun.to?.split('/').at(-1) ?? `no job: ${begun.text}`;
  await expect.poll(async () => (await console.get(`/console/jobs/${id}`)).text).toContain('<progress');
  await expect
    .poll(async () => (await console.get(`/console/jobs/${id}`)).text)
    .not.toContain('data-running');
  return { id, text: (await console.get(`/console/jobs/${id}`)).text };
}
const run = async (path: string, fields: Fields) => done(path, await preview(path, fields));
const back = (job: string) => console.post('/console/bulk/undo', { step: 'back', job });
const resultOf = async (job: string) => (await console.get(`/console/jobs/${job}/result.csv`)).text;

type Lists = { admins: string[]; techs: string[]; hosts: string[]; tags: number[] };
const listsOf = (name: string) =>
  registry.sql.one(sql<Lists>`
    select array(select c.code from domain_contacts l join contacts c on c.id = l.contact_id where l.domain_id = d.id and l.role = 'admin' order by 1) as admins,
      array(select c.code from domain_contacts l join contacts c on c.id = l.contact_id where l.domain_id = d.id and l.role = 'tech' order by 1) as techs,
      array(select n.hostname || array_to_string(n.ipv4, ' ', '') from domain_nameservers n where n.domain_id = d.id order by 1) as hosts,
      array(select k.flags from domain_keys k where k.domain_id = d.id order by 1) as tags
    from domains d where d.name = ${name}`);
const keyLine = ({ flags, protocol, alg, public_key: key }: typeof KEY) =>
  `${flags} ${protocol} ${alg} ${key}`;

describe('contacts of many domains', () => {
  test.each<['admin' | 'tech', string, Fields, string[]]>([
    ['admin', 'set', { contacts: 'three' }, ['three']],
    ['admin', 'add', { contacts: 'three one' }, ['one', 'three', 'two']],
    ['admin', 'remove', { current: 'two, three' }, ['one']],
    ['tech', 'replace', { current: 'one two', contacts: 'three' }, ['three']],
  ])('success: %s, %s', async (role, how, fields, wanted) => {
    const codes = new Map<string, string>();
    for (const word of ['one', 'two', 'three']) codes.set(word, await createContact(mari.client));
    const real = (text: string) => text.replaceAll(/one|two|three/g, (word) => codes.get(word) ?? word);
    const members = { [`${role}_contacts`]: [real('one'), real('two')] };
    const names = [await mari.register(members), await mari.register(members)];
    const list = Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, real(text)]));
    const { text } = await run('contacts', { role, how, ...list, names: names.join('\n') });
    expect(text).toContain('2 of 2');
    for (const name of names)
      expect((await listsOf(name))[role === 'admin' ? 'admins' : 'techs']).toEqual(
        wanted.map(real).toSorted(),
      );
  });

  test('success: what is as it shall be stays as it is, and an empty list means all that have the contact', async () => {
    const [code, other] = [await createContact(mari.client), await createContact(mari.client)];
    const name = await mari.register({ admin_contacts: [code] });
    const same = await run('contacts', {
      role: 'admin',
      how: 'set',
      contacts: code.toUpperCase(),
      names: name,
    });
    expect(same.text).toContain('Nothing to change');
    const all = await preview('contacts', {
      role: 'admin',
      how: 'replace',
      current: code,
      contacts: other,
      names: '',
    });
    expect(all.text).toContain(`${code} → ${other}`);
    expect(all.text).toContain(`name="skip" value="${name}"`);
  });

  test('failure: only persons are administrative contacts, and a contact to be replaced must be there', async () => {
    const org = { ident: { ident: '12345678', ident_type: 'org', ident_country_code: 'EE' } };
    const firm = await Registrant.of(alpha(registry.url), org);
    const name = await firm.register({ admin_contacts: [mari.code] });
    const named = await preview('contacts', { role: 'admin', how: 'add', contacts: firm.code, names: name });
    expect(named.text).toContain('must be a person');
    const missing = await preview('contacts', {
      role: 'tech',
      how: 'replace',
      current: mari.code,
      contacts: firm.code,
      names: name,
    });
    expect(missing.text).toContain(`The domain has no such contact: ${mari.code}.`);
  });
});

describe('keys of many domains', () => {
  test.each<[string, string, number[]]>([
    ['add', [keyLine(KEY), keyLine(OTHER_KEY)].join('\n'), [256, 257]],
    ['set', keyLine(OTHER_KEY), [256]],
    ['remove', '', []],
  ])('success: %s', async (how, keys, wanted) => {
    const names = [
      await mari.register({ dnskeys_attributes: [KEY] }),
      await mari.register({ dnskeys_attributes: [KEY] }),
    ];
    const { text } = await run('keys', { how, keys, names: names.join('\n') });
    expect(text).toContain('2 of 2');
    for (const name of names) expect((await listsOf(name)).tags).toEqual(wanted);
  });

  test('failure: a key that the domain has with other flags', async () => {
    const name = await mari.register({ dnskeys_attributes: [KEY] });
    const keys = keyLine({ ...KEY, flags: '256' });
    expect((await preview('keys', { how: 'add', keys, names: name })).text).toContain(
      'The domain has this key already.',
    );
  });
});

describe('registrants of many domains', () => {
  const newHolder = () =>
    createContact(mari.client, {
      ident: { ident: '37605030299', ident_type: 'priv', ident_country_code: 'EE' },
    });
  const registrantOf = async (name: string) =>
    (
      await registry.sql.one(sql<{ code: string }>`
        select c.code from domains d join contacts c on c.id = d.registrant_id where d.name = ${name}`)
    ).code;

  test('success: the present registrants are asked, and each row says what became of it', async () => {
    const registrant = await newHolder();
    const names = [await mari.register(), await mari.register()];
    const shown = await preview('registrant', { registrant, names: names.join('\n') });
    expect(shown.text).toContain('The registrant is asked by mail and has 48 hours to confirm');
    const { id, text } = await done('registrant', shown);
    expect(text).toContain('Waits for the registrant');
    expect(await resultOf(id)).toBe(
      `domain,result,reason\r\n${names[0]},waits for the registrant,\r\n${names[1]},waits for the registrant,\r\n`,
    );
    expect(await registrantOf(names[0] ?? '')).toBe(mari.code);
    const { text: mail } = await registry.sql.one(sql<{ text: string }>`
      select m.text from mails m join domains d on d.id = m.object_id and m.object_kind = 'domain'
      where d.name = ${names[0] ?? null} and m.text like '%/confirm/%'`);
    expect(mail).toMatch(/https?:\/\/[a-z0-9.:]+\/confirm\/[A-Za-z0-9_-]+/);
    await console.post(`/console/domains/${names[0]}/request/withdraw`, {});
    expect((await console.get(`/console/jobs/${id}`)).text).toContain('Withdrawn');
  });

  test('success: at once where they have agreed, or are the same; nothing where it is the registrant already', async () => {
    const [registrant, again] = [await newHolder(), await createContact(mari.client)];
    const [agreed, same] = [await mari.register(), await mari.register()];
    const verified = await run('registrant', { registrant, verified: 'yes', names: agreed });
    expect(verified.text).toContain('The present registrants have agreed, and we keep the proof of it');
    const atOnce = await run('registrant', { registrant: again, names: same });
    expect([await registrantOf(agreed), await registrantOf(same)]).toEqual([registrant, again]);
    for (const { text } of [verified, atOnce]) expect(text).not.toContain('value="back"');
    expect((await run('registrant', { registrant: again, names: same })).text).toContain('Nothing to change');
  });

  test('failure: one that waits already', async () => {
    const registrant = await newHolder();
    const name = await mari.register();
    await run('registrant', { registrant, names: name });
    expect((await preview('registrant', { registrant, names: name })).text).toContain('pendingUpdate');
  });
});

describe('periods of lines', () => {
  const expiryIn = async (name: string) =>
    (
      await registry.sql.one(sql<{ years: number }>`
        select round(extract(epoch from expire_time - created_at) / 31557600)::int as years from domains where name = ${name}`)
    ).years;

  test('success: each line with its own, at its price, the others for that of the job', async () => {
    const names = [await mari.register(), await mari.register(), await mari.register()];
    const shown = await preview('renew', {
      period: '1y',
      names: `${names[0]},3y\n${names[1]} 2y\n${names[2]}`,
    });
    expect(shown.text).toContain('Renew 3 domains · €54.00');
    const { id, text } = await done('renew', shown);
    expect(text).toContain('€54.00');
    expect(await Promise.all(names.map(expiryIn))).toEqual([4, 3, 2]);
    expect(await resultOf(id)).toContain(`${names[0]},changed,`);
  });

  test('failure: an unknown period, and two of one domain; those that failed keep theirs', async () => {
    const [long, twice, late] = [await mari.register(), await mari.register(), await mari.register()];
    const list = `domain,period\n${long},11y\n${twice},1y\n${twice},2y\n${late},2y`;
    const shown = await preview('renew', { period: '1y', names: list });
    expect(shown.text).toContain('Expected: 3m, 6m, 9m, or 1y to 10y.');
    expect(shown.text).toContain('The domain is named twice, with different periods.');
    await registry.sql.run(sql`
      update ledger_accounts set balance = balance where registrar_id = (select id from registrars where code = 'ALPHA')`);
    const before = await console.post('/console/bulk/renew', { ...carriedFields(shown.text), step: 'edit' });
    expect(before.text).toContain(`${late},2y`);
    const { id } = await done('renew', shown);
    const again = await console.post('/console/bulk/renew', { step: 'again', job: id });
    expect(again.status).toBe(200);
    expect(again.text).toContain(long);
  });
});

describe('undo of a job', () => {
  const OLD = [{ hostname: 'ns1.old.example' }, { hostname: 'ns2.old.example' }];
  const change = (names: readonly string[]) =>
    run('nameservers', {
      how: 'set',
      nameservers: 'ns1.new.example\nns2.new.example',
      names: names.join('\n'),
    });

  test('success: each domain gets its own list back, and the undo is undone', async () => {
    const first = await mari.register({ nameservers_attributes: OLD });
    const second = await mari.register({
      nameservers_attributes: hosts('a.example.net', 'b.example.net', 'c.example.net'),
    });
    const before = [await listsOf(first), await listsOf(second)];
    const { id } = await change([first, second]);
    const changed = [await listsOf(first), await listsOf(second)];
    const shown = await back(id);
    expect(shown.text).toContain('ns1.new.example, ns2.new.example → ns1.old.example, ns2.old.example');
    const undone = await done('undo', shown);
    expect(undone.text).toContain(`href="/console/jobs/${id}"`);
    expect([await listsOf(first), await listsOf(second)]).toEqual(before);
    const redone = await done('undo', await back(undone.id));
    expect([await listsOf(first), await listsOf(second)]).toEqual(changed);
    expect(redone.text).toContain('2 of 2');
  });

  test('success: what somebody has changed since is refused, what is back already stays', async () => {
    const names = [
      await mari.register({ nameservers_attributes: OLD }),
      await mari.register({ nameservers_attributes: OLD }),
      await mari.register({ nameservers_attributes: OLD }),
    ];
    const [touched = '', restored = '', other = ''] = names;
    const { id } = await change(names);
    const set = (name: string, nameservers: string) =>
      run('nameservers', { how: 'set', nameservers, names: name });
    await set(touched, 'ns7.else.example\nns8.else.example');
    await set(restored, 'ns1.old.example\nns2.old.example');
    // Another part of the domain is nobody's business here.
    await run('hold', { change: 'hold', names: other });
    const shown = await back(id);
    expect(shown.text).toContain('Somebody has changed this since the job.');
    const undone = await done('undo', shown);
    expect(await resultOf(undone.id)).toBe(
      `domain,result,reason\r\n${touched},refused,Somebody has changed this since the job.\r\n${restored},unchanged,\r\n${other},changed,\r\n`,
    );
    expect((await listsOf(touched)).hosts).toEqual(['ns7.else.example', 'ns8.else.example']);
    expect((await listsOf(other)).hosts).toEqual(['ns1.old.example', 'ns2.old.example']);
  });

  test('success: what was changed after the preview fails by itself', async () => {
    const name = await mari.register({ nameservers_attributes: OLD });
    const { id } = await change([name]);
    const shown = await back(id);
    await run('nameservers', { how: 'add', nameservers: 'ns9.else.example', names: name });
    expect((await done('undo', shown)).text).toContain('Somebody has changed this since the job.');
  });

  test('failure: a domain that the job did not change, and no such job', async () => {
    const [name, other] = [await mari.register({ nameservers_attributes: OLD }), await mari.register()];
    const { id } = await change([name]);
    const shown = await preview('undo', { job: id, names: `${name}\n${other}` });
    expect(shown.text).toContain('The job did not change this domain.');
    for (const job of ['x', '', randomUUID()]) {
      const { status, text } = await preview('undo', { job, names: name });
      expect([status, text.includes('It does not exist, or does not belong to your registrar.')]).toEqual([
        400,
        true,
      ]);
      expect((await back(job)).status).toBe(404);
    }
    const foreign = await loggedIn(registry.url, 'beta');
    expect((await foreign.post('/console/bulk/undo', { step: 'back', job: id })).status).toBe(404);
    expect((await foreign.post('/console/bulk/undo', { step: 'preview', job: id, names: name })).status).toBe(
      400,
    );
  });

  test('failure: jobs that charge or take over are not taken back', async () => {
    const renewed = await run('renew', { period: '1y', names: await mari.register() });
    expect(renewed.text).not.toContain('value="back"');
    expect((await back(renewed.id)).status).toBe(404);
  });
});

test('success: jobs and their rows are counted at /metrics, by what became of them', async () => {
  const counts = async () => {
    const samples = await samplesAt(registry.metricsUrl);
    const of = (name: string) => samples.get(`cadastre_bulk_${name}`) ?? 0;
    return [
      of('jobs_begun_total{kind="hold"}'),
      of('jobs_finished_total{kind="hold"}'),
      ...['changed', 'unchanged', 'refused'].map((result) =>
        of(`job_rows_total{kind="hold",result="${result}"}`),
      ),
    ];
  };
  const before = await counts();
  const held = await mari.register();
  await run('hold', { change: 'hold', names: held });
  await run('hold', { change: 'hold', names: `${held}\n${await mari.register()}\nno_name` });
  const after = await counts();
  expect(after.map((count, place) => count - (before[place] ?? 0))).toEqual([2, 2, 2, 1, 1]);
});

test('success: the registrar is told once that a job is done, by webhook and feed alike', async () => {
  const { id } = await run('hold', { change: 'hold', names: `${await mari.register()}\nno_name` });
  const isOfJob = ({ type, data }: { type: string; data: Record<string, unknown> }) =>
    type === 'job.finished' && data.job === id;
  const told = (await allEvents(registry, alpha(registry.url))).filter(isOfJob);
  expect(told.map(({ data }) => data)).toEqual([
    {
      sequence: expect.any(Number),
      job: id,
      kind: 'hold',
      total: 2,
      changed: 1,
      unchanged: 0,
      refused: 1,
      request_id: expect.any(String),
    },
  ]);
  const sent = (await webhookEvents(registry, 'ALPHA')).filter(isOfJob);
  expect(told.map(({ id: event, type, data }) => ({ id: event, type, data }))).toEqual(sent);
  for (const { position: _, id: __, ...event } of told)
    expect(new ApiDocument(apiDocument()).complaintsAboutEvent(event)).toEqual([]);
  expect((await allEvents(registry, beta(registry.url))).filter(isOfJob)).toEqual([]);
  expect((await console.get('/console/activity')).text).toContain('Bulk change done');
});
