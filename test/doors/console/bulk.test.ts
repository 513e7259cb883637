import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha, beta } from '../../support/client.ts';
import { type ConsoleAnswer, type ConsoleClient, hiddenField, loggedIn } from '../../support/console.ts';
import { createContact } from '../../support/contacts.ts';
import { hosts, Registrant } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let console: ConsoleClient;
let mari: Registrant;
let jaan: Registrant;
beforeAll(async () => {
  registry = await startRegistry();
  [mari, jaan] = [await Registrant.of(alpha(registry.url)), await Registrant.of(beta(registry.url))];
  console = await loggedIn(registry.url);
});
afterAll(() => registry.stop());

type Fields = Record<string, string>;
const NEW_NS = 'ns9.example.net';

/** The hidden fields of the form for the next step of a bulk change. */
const carriedFields = (text: string): Fields =>
  Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(
      ([, name = '', value = '']) => [
        name,
        value.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
      ],
    ),
  );
const offered = (text: string): string[] =>
  [...text.matchAll(/name="chosen" value="([^"]*)"/g)].map(([, name = '']) => name);

/** Fills in a list, and continues with some of the offered domains. */
async function preview(path: string, fields: Fields): Promise<ConsoleAnswer> {
  return console.post(path, { ...fields, step: 'preview' });
}
async function review(path: string, shown: ConsoleAnswer, chosen = offered(shown.text)) {
  const fields = Object.entries({ ...carriedFields(shown.text), step: 'review' });
  return console.post(path, [...fields, ...chosen.map((name): [string, string] => ['chosen', name])]);
}
const confirmed = (path: string, reviewed: ConsoleAnswer, changes: Fields = {}) =>
  console.post(path, { ...carriedFields(reviewed.text), step: 'confirm', ...changes });

type Task = {
  readonly path: string;
  /** Two domains that can be changed. */
  readonly make: () => Promise<{ names: string[]; fields: Fields; one: string; another: string }>;
  /** Makes the change of a domain impossible. */
  readonly spoil: (name: string) => Promise<unknown>;
  readonly isDone: (name: string) => Promise<boolean>;
  readonly says: string;
};

const prohibit = (status: string) => (name: string) =>
  registry.sql.run(
    sql`update domains set statuses = jsonb_build_object(${status}::text, ''), version = version + 1 where name = ${name}`,
  );
const holds = async (test: ReturnType<typeof sql>) => (await registry.sql.maybe(test)) !== undefined;
const two = async (owner: Registrant, changes: Record<string, unknown> = {}) => [
  await owner.register(changes),
  await owner.register(changes),
];
const codeOf = async (name: string) =>
  (
    await registry.sql.one(
      sql<{ code: string }>`select transfer_code as code from domains where name = ${name}`,
    )
  ).code;

const TASKS: Readonly<Record<string, Task>> = {
  renewal: {
    path: '/console/bulk/renew',
    make: async () => {
      const names = await two(mari);
      return { names, fields: { period: '2y' }, one: names[0] ?? '', another: names[1] ?? '' };
    },
    spoil: prohibit('serverRenewProhibited'),
    isDone: (name) =>
      holds(sql`select from domains where name = ${name} and expire_time > now() + interval '2 years'`),
    says: 'The status forbids it: serverRenewProhibited',
  },
  'change of nameservers': {
    path: '/console/bulk/nameservers',
    make: async () => {
      const names = await two(mari, { nameservers_attributes: hosts('ns1.example.net', 'ns2.example.net') });
      const fields = { how: 'replace', current: 'ns1.example.net', nameservers: NEW_NS };
      return { names, fields, one: names[0] ?? '', another: names[1] ?? '' };
    },
    spoil: prohibit('serverUpdateProhibited'),
    isDone: (name) =>
      holds(
        sql`select from domain_nameservers n join domains d on d.id = n.domain_id where d.name = ${name} and n.hostname = ${NEW_NS}`,
      ),
    says: 'The status forbids it: serverUpdateProhibited',
  },
  'tech contact replacement': {
    path: '/console/bulk/tech-contact',
    make: async () => {
      const [current, next] = [await createContact(mari.client), await createContact(mari.client)];
      const names = await two(mari, {
        tech_contacts: [current],
      });
      return { names, fields: { current, next }, one: names[0] ?? '', another: names[1] ?? '' };
    },
    spoil: prohibit('serverTechChangeProhibited'),
    isDone: (name) =>
      holds(sql`select from history where object_name = ${name} and operation = 'replace tech contact'`),
    says: 'The status forbids it: serverTechChangeProhibited',
  },
  transfer: {
    path: '/console/bulk/transfer',
    make: async () => {
      const names = await two(jaan);
      const [one = '', another = ''] = await Promise.all(
        names.map(async (name) => `${name},${await codeOf(name)}`),
      );
      return { names, fields: {}, one, another };
    },
    spoil: (name) =>
      registry.sql.run(sql`update domains set transfer_code = 'another-code' where name = ${name}`),
    isDone: (name) =>
      holds(
        sql`select from domains d join registrars r on r.id = d.registrar_id where d.name = ${name} and r.code = 'ALPHA'`,
      ),
    says: 'The code is wrong.',
  },
};

describe.each(Object.entries(TASKS))('a bulk %s', (_what, task) => {
  const states = (names: readonly string[]) => Promise.all(names.map(task.isDone));

  test('success: preview, selection, one confirmation, result and its file', async () => {
    const { names, fields, one, another } = await task.make();
    const [first = '', second = ''] = names;
    const shown = await preview(task.path, {
      ...fields,
      names: `Domain,Code\r\n${one}\r\n${another}\r\nno_name`,
    });
    expect([shown.status, offered(shown.text)]).toEqual([200, names]);
    expect(shown.text).toContain('This cannot be the name of a domain.');
    const reviewed = await review(task.path, shown, [first]);
    expect(reviewed.status).toBe(200);
    expect(await states(names)).toEqual([false, false]);

    const answers = await Promise.all([1, 2].map(() => confirmed(task.path, reviewed)));
    for (const { status, text } of answers) {
      expect([status, text.includes('1 domain is done')]).toEqual([200, true]);
      expect(text).toContain('Not selected');
    }
    expect(await states(names)).toEqual([true, false]);
    const actors = await registry.sql.rows(
      sql`select actor from history where object_name = ${first} and actor = 'person:alpha@sandbox.example'`,
    );
    expect(actors).toHaveLength(1);
    const file = await console.post(task.path, { ...carriedFields(answers[0]?.text ?? ''), step: 'file' });
    expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="bulk-[a-z-]+\.csv"$/);
    expect(file.text).toBe(
      `domain,result,reason\r\n${first},done,\r\n${second},not chosen,\r\nno_name,refused,This cannot be the name of a domain.\r\n`,
    );
  });

  test('failure: one that cannot be changed is left out, with the reason', async () => {
    const { names, fields, one, another } = await task.make();
    await task.spoil(names[0] ?? '');
    const shown = await preview(task.path, { ...fields, names: `${one}\n${another}` });
    expect(offered(shown.text)).toEqual([names[1]]);
    expect(shown.text).toContain(task.says);
    // A forged request for it has no effect either.
    const forged = await review(task.path, shown, names);
    expect(forged.text).toContain('>1</dd>');
    expect(carriedFields(forged.text).chosen).toBe(names[1]);
  });

  test('failure: a stale preview changes nothing and is shown again', async () => {
    const { names, fields, one, another } = await task.make();
    const reviewed = await review(
      task.path,
      await preview(task.path, { ...fields, names: `${one}\n${another}` }),
    );
    await task.spoil(names[1] ?? '');
    const again = await confirmed(task.path, reviewed);
    expect([again.status, offered(again.text)]).toEqual([400, [names[0]]]);
    expect(again.text).toContain('Something has changed since you saw the preview.');
    expect(again.text).toContain(task.says);
    expect(await states(names)).toEqual([false, false]);
  });

  test('failure: a key of another content, or no key, changes nothing', async () => {
    const { names, fields, one, another } = await task.make();
    const list = { ...fields, names: `${one}\n${another}` };
    const reviewed = await review(task.path, await preview(task.path, list), names.slice(0, 1));
    expect((await confirmed(task.path, reviewed, { key: '' })).text).toContain(
      'Nothing has been changed yet',
    );
    expect(await states(names)).toEqual([false, false]);
    expect((await confirmed(task.path, reviewed)).status).toBe(200);
    const other = await confirmed(task.path, reviewed, { chosen: names[1] ?? '' });
    expect([other.status, other.text.includes('already submitted')]).toEqual([400, true]);
    expect(await states(names)).toEqual([true, false]);
    const file = { ...carriedFields(reviewed.text), chosen: names[1] ?? '', step: 'file' };
    expect((await console.post(task.path, file)).status).toBe(404);
  });

  test.each<[string, Fields, string]>([
    [
      '1,001 names',
      { names: Array.from({ length: 1001 }, (_, place) => `n${place}.ee,x`).join('\n') },
      'These are more than 1,000 domains.',
    ],
    ['10,001 lines', { names: 'a.ee,x\n'.repeat(10_001) }, 'These are more than 1,000 domains.'],
    ['no names', { names: ' \n' }, ''],
  ])('failure: %s', async (_list, list, text) => {
    const fields = {
      period: '1y',
      how: 'replace',
      current: 'ns.nobody.example',
      nameservers: NEW_NS,
      next: 'nobody',
    };
    const { status, text: shown } = await preview(task.path, { ...fields, ...list });
    expect([status, shown.includes(text)]).toEqual([400, true]);
  });

  test('success: back to the list with the values that were filled in', async () => {
    const { names, fields, one } = await task.make();
    const shown = await preview(task.path, { ...fields, names: `${one}\n'=1+1` });
    const { text } = await console.post(task.path, { ...carriedFields(shown.text), step: 'edit' });
    expect(text).toContain(`<textarea`);
    expect(text).toContain(names[0]);
    for (const value of Object.values(fields)) expect(text).toContain(value);
  });
});

describe('lists of domains', () => {
  const BETA = sql`kind = 'registrar' and registrar_id = (select id from registrars where code = 'BETA')`;
  const betaAccount = () =>
    registry.sql.one(
      sql<{ balance: string }>`select balance::text as balance from ledger_accounts where ${BETA}`,
    );
  const setBalance = (cents: string) =>
    registry.sql.run(sql`update ledger_accounts set balance = ${cents}::bigint where ${BETA}`);
  const RENEW = '/console/bulk/renew';
  const reasons = async (path: string, fields: Fields) => (await preview(path, fields)).text;

  test('success: 1,000 names, from an exported CSV file, with quotes, other separators, and formulas', async () => {
    const names = await two(mari);
    for (const list of [
      `domain,statuses,created\r\n${names[0]},,2026-01-01T00:00:00.000Z\r\n${names[1]},ok,x\r\n`,
      `\u{FEFF}Domeen;Olek\n"${names[0]}";"a ""b"""\n ${names[1]?.toUpperCase()}. ;`,
      `${names[0]} ${names[1]}\n${names[0]}`,
      `${names[0]}, ${names[1]}`,
      `${names[0]}\t=cmd()\n${names[1]}`,
    ])
      expect(offered((await preview(RENEW, { period: '1y', names: list })).text)).toEqual(names);
    const long = Array.from({ length: 999 }, (_, place) => `none-${place}.ee`).join('\n');
    const { status, text } = await preview(RENEW, { period: '1y', names: `${names[0]}\n${long}` });
    expect([status, offered(text)]).toEqual([200, [names[0]]]);
    expect(text).toContain('999 domains are left out');
  });

  test('failure: a quotation mark that is not closed, with its line', async () => {
    const names = await two(mari);
    const { status, text } = await preview(RENEW, {
      period: '1y',
      names: `domain,note\n${names[0]},"first\n${names[1]},second\n`,
    });
    expect([status, offered(text)]).toEqual([400, []]);
    expect(text).toContain('The quotation mark in line 2 is not closed.');
    expect(text).toContain(names[1]);
  });

  test('failure: formulas in a list are text in the page and in the file', async () => {
    const name = await mari.register();
    const shown = await preview(RENEW, {
      period: '1y',
      names: `${name}\n=HYPERLINK("http://evil")\n<script>`,
    });
    expect(shown.text).not.toContain('<script>');
    const done = await confirmed(RENEW, await review(RENEW, shown));
    const { text } = await console.post(RENEW, { ...carriedFields(done.text), step: 'file' });
    expect(text).toContain(`"'=HYPERLINK(""http://evil"")",refused`);
  });

  test('failure: names of another registrar, and unregistered names', async () => {
    const foreign = await jaan.register();
    const names = `${foreign}\nnobody-has-this.ee`;
    const fields = {
      how: 'replace',
      current: 'ns1.example.net',
      nameservers: NEW_NS,
      next: mari.code,
      period: '1y',
    };
    for (const [path, more] of [
      [RENEW, {}],
      ['/console/bulk/nameservers', {}],
      ['/console/bulk/tech-contact', { current: await createContact(mari.client) }],
    ] as const) {
      const text = await reasons(path, { ...fields, ...more, names });
      expect(text).toContain('The domain belongs to another registrar.');
      expect(text).toContain('There is no nobody-has-this.ee');
      expect(text).toContain('None of the domains can be changed.');
      expect(text).not.toContain('value="review"');
    }
  });

  test('failure: an address that the domain of the new nameserver cannot publish', async () => {
    const current = 'ns1.bulk-glue.example';
    const [name, other] = await two(mari, { nameservers_attributes: hosts(current, 'ns2.example.net') });
    const fields = {
      how: 'replace',
      current,
      nameservers: `ns1.${name} 127.0.0.1`,
      names: `${name}\n${other}`,
    };
    const { text } = await preview('/console/bulk/nameservers', fields);
    expect(offered(text)).toEqual([other]);
    expect(text).toContain('Expected: an address that resolvers can reach');
  });

  test('failure: a changed total, an insufficient balance', async () => {
    const names = await two(mari);
    const list = { period: '1y', names: names.join('\n') };
    const reviewed = await review(RENEW, await preview(RENEW, list));
    expect(reviewed.text).toContain('€18.00');
    expect(hiddenField(reviewed.text, 'price')).toBe('18.00');
    const other = await confirmed(RENEW, reviewed, { price: '9.00' });
    expect([other.status, other.text.includes('The price has changed: it is 18.00 now.')]).toEqual([
      400,
      true,
    ]);
    const poor = await loggedIn(registry.url, 'beta');
    const expensive = await Promise.all(Array.from({ length: 2 }, () => jaan.register()));
    const { balance } = await betaAccount();
    await setBalance('100');
    const { status, text } = await poor.post(RENEW, {
      period: '1y',
      names: expensive.join('\n'),
      chosen: expensive.join('\n'),
      leftOut: '',
      step: 'review',
    });
    await setBalance(balance);
    expect([status, text.includes('The balance does not cover the price.')]).toEqual([400, true]);
  });

  test('failure: errors besides the list are shown at their fields', async () => {
    const [name = ''] = await two(mari);
    const NAMESERVERS = '/console/bulk/nameservers';
    const set = { how: 'set', current: '', nameservers: '', names: name };
    const nobodys = { how: 'remove', current: 'ns.nobody.example', nameservers: '', names: '' };
    for (const [path, fields, field] of [
      [RENEW, { period: '99y', names: name }, 'period'],
      [NAMESERVERS, set, 'nameservers'],
      [NAMESERVERS, { ...set, how: 'add' }, 'nameservers'],
      [NAMESERVERS, { ...set, how: 'else', nameservers: NEW_NS }, 'how'],
      [NAMESERVERS, { ...set, nameservers: 'not..a host' }, 'nameservers'],
      [NAMESERVERS, { ...set, nameservers: `${NEW_NS} 1.2.3` }, 'nameservers'],
      [NAMESERVERS, { ...set, nameservers: `${NEW_NS}\n${NEW_NS}` }, 'nameservers'],
      [NAMESERVERS, { ...set, nameservers: NEW_NS }, 'nameservers'],
      [NAMESERVERS, { ...set, nameservers: 'ns1.example.net\n'.repeat(101) }, 'nameservers'],
      [NAMESERVERS, { ...set, how: 'remove' }, 'current'],
      [NAMESERVERS, { ...set, how: 'remove', current: 'x' }, 'current'],
      [NAMESERVERS, { ...set, how: 'remove', current: 'ns1.example.net\n'.repeat(101) }, 'current'],
      [NAMESERVERS, nobodys, 'names'],
      ['/console/bulk/tech-contact', { current: 'nobody', next: mari.code, names: name }, 'current'],
      ['/console/bulk/tech-contact', { current: mari.code, next: jaan.code, names: name }, 'next'],
      ['/console/bulk/tech-contact', { current: mari.code, next: '', names: name }, 'next'],
    ] as const) {
      const { status, text } = await preview(path, fields);
      expect([path, status, text.includes(`id="${field}-fault"`)]).toEqual([path, 400, true]);
    }
  });

  test('failure: nothing chosen', async () => {
    const shown = await preview(RENEW, { period: '1y', names: (await two(mari)).join('\n') });
    const none = await review(RENEW, shown, []);
    expect([none.status, none.text.includes('Choose at least one domain.')]).toEqual([400, true]);
    expect(none.text).not.toContain('" checked>');
  });

  test('failure: wrong transfer codes count once, however often the preview is shown', async () => {
    const [name = '', other = ''] = await two(jaan);
    const shown = await preview('/console/bulk/transfer', {
      names: `${name},wrong\n${other},${await codeOf(other)}`,
    });
    const reviewed = await review('/console/bulk/transfer', shown);
    expect((await confirmed('/console/bulk/transfer', reviewed, { price: '' })).status).toBe(200);
    await confirmed('/console/bulk/transfer', reviewed);
    const { count } = await registry.sql.one(
      sql<{ count: number }>`select count(*)::int as count from wrong_codes where name = ${name}`,
    );
    expect(count).toBe(1);
  });

  test('failure: forms without a preview give no more guesses than single transfers', async () => {
    const name = await jaan.register();
    const key = (place: number) => `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`;
    const guess = (place: number) =>
      console.post('/console/bulk/transfer', {
        names: `${name},guess-${place}`,
        chosen: name,
        step: 'confirm',
        key: key(place),
        price: '0.00',
      });
    // Each confirmation that fails renders the preview again, so each counts twice.
    for (let place = 0; place < 5; place += 1) await guess(place);
    const last = await guess(5);
    expect(last.text).toContain('Too many wrong codes were tried for this name.');
    const { count } = await registry.sql.one(
      sql<{ count: number }>`select count(*)::int as count from wrong_codes where name = ${name}`,
    );
    expect(count).toBe(10);
  });

  test('success: the domains of a filter, and all that have a nameserver or a contact', async () => {
    const host = 'ns-all.example.net';
    const names = await two(mari, { nameservers_attributes: hosts(host, 'ns2.example.net') });
    const form = await console.get(`/console/bulk/renew?list=1&nameserver=${host}&sort=-created_at`);
    expect(form.text).toContain([...names].reverse().join('\n'));
    const change = await console.get(`/console/bulk/nameservers?list=1&nameserver=${host}`);
    expect(change.text).toContain(`\n${host}</textarea>`);
    const all = { how: 'replace', current: host, nameservers: NEW_NS, names: '' };
    expect(offered((await preview('/console/bulk/nameservers', all)).text).sort()).toEqual([...names].sort());
    const tech = await createContact(mari.client);
    const [own] = await two(mari, {
      tech_contacts: [tech],
    });
    const shown = await preview('/console/bulk/tech-contact', { current: tech, next: mari.code, names: '' });
    expect(offered(shown.text)).toContain(own);
    expect(offered(shown.text)).toHaveLength(2);
    const reader = await loggedIn(registry.url, 'reader');
    expect((await reader.get('/console/domains')).text).not.toContain('type="checkbox"');
  });

  describe('selected in the list of domains', () => {
    const host = 'ns-selected.example.net';
    let names: string[];
    beforeAll(async () => {
      const owned = await two(mari, { nameservers_attributes: hosts(host, 'ns2.example.net') });
      names = owned.toSorted();
    });
    const selected = (path: string, fields: readonly [string, string][]) =>
      console.post(path, [['step', 'selected'], ['list', `nameserver=${host}&sort=name`], ...fields]);

    test('success: the list has a box for each domain, and buttons for what can be done', async () => {
      const { text } = await console.get(`/console/domains?nameserver=${host}`);
      expect(offered(text)).toEqual(names);
      expect(hiddenField(text, 'list')).toBe(`nameserver=${host}`);
      for (const path of ['renew', 'nameservers', 'tech-contact'])
        expect(text).toContain(`formaction="/console/bulk/${path}" name="step" value="selected"`);
    });

    test('success: those that are checked are previewed at once for a year', async () => {
      const { status, text } = await selected(RENEW, [['chosen', names[1] ?? '']]);
      expect([status, offered(text)]).toEqual([200, [names[1]]]);
      expect(text).toContain('9.00 EUR');
      expect(hiddenField(text, 'period')).toBe('1y');
    });

    test('success: all of the list, in its order', async () => {
      const { text } = await selected(RENEW, [
        ['chosen', names[1] ?? ''],
        ['all', 'yes'],
      ]);
      expect(offered(text)).toEqual(names);
    });

    test('success: a form with further fields begins with them', async () => {
      const { status, text } = await selected('/console/bulk/nameservers', [['chosen', names[0] ?? '']]);
      expect([status, text.includes(`\n${names[0]}\n</textarea>`)]).toEqual([200, true]);
      expect(text).toContain('<option value="set" selected>');
    });

    test('failure: none', async () => {
      const { status, text } = await selected(RENEW, []);
      expect([status, text.includes('Enter at least one domain.')]).toEqual([400, true]);
    });
  });

  describe('nameservers', () => {
    const path = '/console/bulk/nameservers';
    const OLD = hosts('ns1.old.example', 'ns2.old.example');
    const hostsOf = async (name: string) =>
      (
        await registry.sql.rows(
          sql<{
            hostname: string;
          }>`select n.hostname from domain_nameservers n join domains d on d.id = n.domain_id where d.name = ${name} order by 1`,
        )
      ).map(({ hostname }) => hostname);

    test.each<[string, Fields, string[]]>([
      ['set', { nameservers: 'ns1.new.example\nns2.new.example' }, ['ns1.new.example', 'ns2.new.example']],
      [
        'add',
        { nameservers: 'ns3.new.example\nns1.old.example' },
        ['ns1.old.example', 'ns2.old.example', 'ns3.new.example'],
      ],
      ['remove', { current: 'ns3.old.example, ns2.old.example' }, ['ns1.old.example']],
      [
        'replace',
        { current: 'ns1.old.example\nns2.old.example', nameservers: 'ns1.new.example\nns2.new.example' },
        ['ns1.new.example', 'ns2.new.example'],
      ],
    ])('success: %s', async (how, fields, wanted) => {
      const three = hosts('ns1.old.example', 'ns2.old.example');
      const names = await two(mari, { nameservers_attributes: three });
      const expected = how === 'remove' ? ['ns1.old.example', 'ns2.old.example'] : wanted;
      const list = { current: '', nameservers: '', ...fields, how, names: names.join('\n') };
      const shown = await preview(path, list);
      if (how === 'remove') {
        // A domain has no nameservers, or at least two.
        expect(offered(shown.text)).toEqual([]);
        expect(shown.text).toContain('A domain has no nameservers, or 2 to 11.');
      } else {
        const done = await confirmed(path, await review(path, shown));
        expect(done.text).toContain('2 domains are done');
      }
      expect(await Promise.all(names.map(hostsOf))).toEqual([expected, expected]);
    });

    test('success: what is as it shall be stays as it is', async () => {
      const name = await mari.register({ nameservers_attributes: OLD });
      const list = { how: 'set', nameservers: 'ns2.old.example\nns1.old.example', names: name };
      const shown = await preview(path, list);
      expect(shown.text).toContain('Nothing changes');
      await confirmed(path, await review(path, shown));
      const changes = await registry.sql.rows(
        sql`select from history where object_name = ${name} and operation = 'update'`,
      );
      expect(changes).toEqual([]);
    });
  });
});
