import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha, beta } from '../../support/client.ts';
import {
  carriedFields,
  type ConsoleAnswer,
  type ConsoleClient,
  hiddenField,
  loggedIn,
} from '../../support/console.ts';
import { createContact } from '../../support/contacts.ts';
import { hosts, KEY, OTHER_KEY, Registrant } from '../../support/domains.ts';
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

/** The domains that a preview offers to leave out: those that would be changed. */
const offered = (text: string): string[] =>
  [...text.matchAll(/name="skip" value="([^"]*)"/g)].map(([, name = '']) => name);

/** Fills in a list. */
async function preview(path: string, fields: Fields): Promise<ConsoleAnswer> {
  return console.post(path, { ...fields, step: 'preview' });
}
/** Begins the job of a preview, without some of its domains. */
async function confirmed(
  path: string,
  shown: ConsoleAnswer,
  { skip = [], ...changes }: { readonly skip?: readonly string[] } & Readonly<Record<string, unknown>> = {},
): Promise<ConsoleAnswer> {
  const fields = Object.entries({ ...carriedFields(shown.text), step: 'confirm', ...changes } as Fields);
  return console.post(path, [...fields, ...skip.map((name): [string, string] => ['skip', name])]);
}
/** The page of the job that was begun. */
async function jobOf(answer: ConsoleAnswer): Promise<ConsoleAnswer> {
  expect([answer.status, answer.to]).toEqual([
    303,
    expect.stringMatching(/^\/console\/jobs\/[0-9a-f-]{36}$/),
  ]);
  // A worker may have claimed it first.
  await expect.poll(async () => (await console.get(answer.to ?? '')).text).not.toContain('data-running');
  return console.get(answer.to ?? '');
}
/** What jobs change of a domain. */
const stateOf = (name: string) =>
  registry.sql.one(sql`
    select d.statuses, array(select c.code from domain_contacts l join contacts c on c.id = l.contact_id where l.domain_id = d.id and l.role = 'tech' order by 1) as tech,
      array(select c.code from domain_contacts l join contacts c on c.id = l.contact_id where l.domain_id = d.id and l.role = 'admin' order by 1) as admins,
      array(select n.hostname from domain_nameservers n where n.domain_id = d.id order by 1) as hosts,
      array(select k.public_key from domain_keys k where k.domain_id = d.id order by 1) as keys
    from domains d where d.name = ${name}`);
const fileOf = async ({ to }: ConsoleAnswer) => console.get(`${to}/result.csv`);

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
    says: 'The status forbids it: Renewal locked by the registry',
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
    says: 'The status forbids it: Changes locked by the registry',
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
    says: 'The status forbids it: Technical contacts locked by the registry',
  },
  'change of contacts': {
    path: '/console/bulk/contacts',
    make: async () => {
      const [current, next] = [await createContact(mari.client), await createContact(mari.client)];
      const names = await two(mari, { admin_contacts: [current] });
      const fields = { role: 'admin', how: 'replace', current, contacts: next };
      return { names, fields, one: names[0] ?? '', another: names[1] ?? '' };
    },
    spoil: prohibit('serverAdminChangeProhibited'),
    isDone: (name) => holds(sql`select from history where object_name = ${name} and operation = 'update'`),
    says: 'The status forbids it: Administrative contacts locked by the registry',
  },
  'change of keys': {
    path: '/console/bulk/keys',
    make: async () => {
      const names = await two(mari, { dnskeys_attributes: [KEY] });
      const { flags, protocol, alg, public_key: key } = OTHER_KEY;
      const fields = { how: 'set', keys: `${flags} ${protocol} ${alg} ${key}` };
      return { names, fields, one: names[0] ?? '', another: names[1] ?? '' };
    },
    spoil: prohibit('serverExtensionUpdateProhibited'),
    isDone: (name) =>
      holds(
        sql`select from domain_keys k join domains d on d.id = k.domain_id where d.name = ${name} and k.alg = 15`,
      ),
    says: 'The status forbids it: DNSSEC keys locked by the registry',
  },
  'change of registrants': {
    path: '/console/bulk/registrant',
    make: async () => {
      const names = await two(mari);
      const registrant = await createContact(mari.client);
      const fields = { registrant, verified: 'yes' };
      return { names, fields, one: names[0] ?? '', another: names[1] ?? '' };
    },
    spoil: prohibit('serverUpdateProhibited'),
    isDone: (name) =>
      holds(sql`select from history where object_name = ${name} and operation = 'change registrant'`),
    says: 'The status forbids it: Changes locked by the registry',
  },
  hold: {
    path: '/console/bulk/hold',
    make: async () => {
      const names = await two(mari);
      return { names, fields: { change: 'hold' }, one: names[0] ?? '', another: names[1] ?? '' };
    },
    spoil: prohibit('serverUpdateProhibited'),
    isDone: (name) => holds(sql`select from domains where name = ${name} and statuses ? 'clientHold'`),
    says: 'The status forbids it: Changes locked by the registry',
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

  test('success: preview, confirmation, a job with its result and its file', async () => {
    const { names, fields, one, another } = await task.make();
    const [first = '', second = ''] = names;
    const shown = await preview(task.path, {
      ...fields,
      names: `Domain,Code\r\n${one}\r\n${another}\r\nno_name`,
    });
    expect([shown.status, offered(shown.text)]).toEqual([200, names]);
    expect(shown.text).toContain('Line 4: “no_name” is not a domain name.');
    expect(await states(names)).toEqual([false, false]);

    const answers = await Promise.all([1, 2].map(() => confirmed(task.path, shown, { skip: [second] })));
    expect(answers[1]?.to).toBe(answers[0]?.to);
    const [begun] = answers;
    if (!begun) return;
    const { text } = await jobOf(begun);
    expect(text).toContain('Done, with failures');
    expect(text).toContain('2 of 2');
    expect(text).toContain('This is not a domain name.');
    expect(await states(names)).toEqual([true, false]);
    const actors = await registry.sql.rows(
      sql`select actor from history where object_name = ${first} and actor = 'person:alpha@sandbox.example'`,
    );
    expect(actors).toHaveLength(1);
    const file = await fileOf(begun);
    expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="[a-z]+-[0-9-]+\.csv"$/);
    expect(file.text).toBe(
      `domain,result,reason\r\n${first},changed,\r\nno_name,refused,This is not a domain name. Is the domain in another column?\r\n`,
    );
  });

  test('success: what can be taken back is, for all that were changed', async () => {
    const { names, fields, one, another } = await task.make();
    const before = await Promise.all(names.map((name) => stateOf(name)));
    const begun = await confirmed(
      task.path,
      await preview(task.path, { ...fields, names: `${one}\n${another}` }),
    );
    const { text } = await jobOf(begun);
    const isUndone = /\/(?:nameservers|contacts|keys)$/.test(task.path);
    const path = isUndone ? '/console/bulk/undo' : task.path;
    const shown = await console.post(path, { step: 'back', job: begun.to?.split('/').at(-1) ?? '' });
    const isReversible = isUndone || /\/(?:hold|tech-contact)$/.test(task.path);
    expect([text.includes('Undo 2'), shown.status]).toEqual(isReversible ? [true, 200] : [false, 404]);
    if (!isReversible) return;
    expect(text).toContain(`action="${path}"`);
    expect(offered(shown.text)).toEqual(names);
    expect(await states(names)).toEqual([true, true]);
    await jobOf(await confirmed(path, shown));
    expect(await Promise.all(names.map((name) => stateOf(name)))).toEqual(before);
  });

  test('failure: one that cannot be changed is left out, with the reason, and tried again', async () => {
    const { names, fields, one, another } = await task.make();
    await task.spoil(names[0] ?? '');
    const shown = await preview(task.path, { ...fields, names: `${one}\n${another}` });
    expect(offered(shown.text)).toEqual([names[1]]);
    expect(shown.text).toContain(task.says);
    const begun = await confirmed(task.path, shown);
    const { text } = await jobOf(begun);
    expect(text).toContain('1 failed');
    expect(text).toContain(task.says);
    expect(await states(names)).toEqual([false, true]);
    const again = await console.post(task.path, { step: 'again', job: begun.to?.split('/').at(-1) ?? '' });
    expect(again.text).toContain(task.says);
    expect(again.text).not.toContain('value="confirm"');
  });

  test('failure: what becomes impossible after the preview fails by itself', async () => {
    const { names, fields, one, another } = await task.make();
    const shown = await preview(task.path, { ...fields, names: `${one}\n${another}` });
    await task.spoil(names[1] ?? '');
    const begun = await confirmed(task.path, shown);
    if (task.path.endsWith('/renew')) {
      // The total would be another one.
      expect([begun.status, offered(begun.text)]).toEqual([400, [names[0]]]);
      expect(begun.text).toContain('Prices have changed since you saw the preview.');
      expect(await states(names)).toEqual([false, false]);
      return;
    }
    expect((await jobOf(begun)).text).toContain(task.says);
    expect(await states(names)).toEqual([true, false]);
  });

  test('failure: a key of another content, or no key, changes nothing', async () => {
    const { names, fields, one, another } = await task.make();
    const list = { ...fields, names: `${one}\n${another}` };
    const shown = await preview(task.path, list);
    expect((await confirmed(task.path, shown, { key: '' })).text).toContain('Nothing has been changed yet');
    expect(await states(names)).toEqual([false, false]);
    expect((await confirmed(task.path, shown, { skip: names.slice(1) })).status).toBe(303);
    const other = await confirmed(task.path, shown);
    expect([other.status, other.text.includes('already submitted')]).toEqual([400, true]);
    expect(await states(names)).toEqual([true, false]);
  });

  test('failure: all are left out', async () => {
    const { names, fields, one } = await task.make();
    const shown = await preview(task.path, { ...fields, names: one });
    const none = await confirmed(task.path, shown, { skip: names.slice(0, 1) });
    expect([none.status, none.text.includes('None of the domains would be changed.')]).toEqual([400, true]);
    expect(none.text).toContain(`name="skip" value="${names[0]}" checked`);
  });

  test.each<[string, Fields, string]>([
    [
      '10,001 names',
      { names: Array.from({ length: 10_001 }, (_, place) => `n${place}.ee,x`).join('\n') },
      'These are more than 10,000 domains.',
    ],
    ['20,001 lines', { names: 'a.ee,x\n'.repeat(20_001) }, 'These are more than 10,000 domains.'],
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

test.each(['nosuch', '__proto__', 'constructor', 'toString'])(
  'failure: a form whose step is %s',
  async (step) => {
    for (const path of ['/console/bulk/renew', '/console/bulk/hold'])
      expect((await console.post(path, { names: 'mets.ee', step })).status).toBe(400);
  },
);

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
    expect(text).toContain('999 domains cannot be changed');
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
    const { text } = await fileOf(await confirmed(RENEW, shown));
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
      expect(text).not.toContain('value="confirm"');
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
    const shown = await preview(RENEW, list);
    expect(shown.text).toContain('Renew 2 domains · €18.00');
    expect(hiddenField(shown.text, 'price')).toBe('18.00');
    const other = await confirmed(RENEW, shown, { price: '9.00' });
    expect([other.status, other.text.includes('Prices have changed since you saw the preview.')]).toEqual([
      400,
      true,
    ]);
    const poor = await loggedIn(registry.url, 'beta');
    const expensive = await Promise.all(Array.from({ length: 2 }, () => jaan.register()));
    const { balance } = await betaAccount();
    await setBalance('100');
    const list2 = { period: '1y', names: expensive.join('\n') };
    const warned = await poor.post(RENEW, { ...list2, step: 'preview' });
    const { status, text } = await poor.post(RENEW, { ...carriedFields(warned.text), step: 'confirm' });
    await setBalance(balance);
    for (const said of [warned.text, text]) expect(said).toContain('The balance does not cover the price.');
    expect(status).toBe(400);
  });

  test('failure: errors besides the list are shown at their fields', async () => {
    const [name = ''] = await two(mari);
    const NAMESERVERS = '/console/bulk/nameservers';
    const [CONTACTS, KEYS] = ['/console/bulk/contacts', '/console/bulk/keys'];
    const set = { how: 'set', current: '', nameservers: '', names: name };
    const nobodys = { how: 'remove', current: 'ns.nobody.example', nameservers: '', names: '' };
    for (const [path, fields, field] of [
      [RENEW, { period: '99y', names: name }, 'period'],
      ['/console/bulk/hold', { change: 'else', names: name }, 'change'],
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
      [CONTACTS, { role: 'else', how: 'add', contacts: mari.code, names: name }, 'role'],
      [CONTACTS, { role: 'admin', how: 'else', contacts: mari.code, names: name }, 'how'],
      [CONTACTS, { role: 'admin', how: 'add', contacts: '', names: name }, 'contacts'],
      [CONTACTS, { role: 'admin', how: 'add', contacts: jaan.code, names: name }, 'contacts'],
      [
        CONTACTS,
        { role: 'admin', how: 'set', contacts: `${mari.code} ${mari.code}`, names: name },
        'contacts',
      ],
      [CONTACTS, { role: 'admin', how: 'remove', current: '', names: name }, 'current'],
      [CONTACTS, { role: 'tech', how: 'remove', current: 'nobody', names: '' }, 'names'],
      [KEYS, { how: 'else', keys: '', names: name }, 'how'],
      [KEYS, { how: 'set', keys: '', names: name }, 'keys'],
      [KEYS, { how: 'set', keys: '257 3 13 AAAA', names: name }, 'keys'],
      [KEYS, { how: 'remove', keys: '', names: '' }, 'names'],
      ['/console/bulk/registrant', { registrant: '', names: name }, 'registrant'],
      ['/console/bulk/registrant', { registrant: jaan.code, names: name }, 'registrant'],
      ['/console/bulk/tech-contact', { current: 'nobody', next: mari.code, names: name }, 'current'],
      ['/console/bulk/tech-contact', { current: mari.code, next: jaan.code, names: name }, 'next'],
      ['/console/bulk/tech-contact', { current: mari.code, next: '', names: name }, 'next'],
    ] as const) {
      const { status, text } = await preview(path, fields);
      expect([path, status, text.includes(`id="${field}-fault"`)]).toEqual([path, 400, true]);
    }
  });

  test('failure: wrong transfer codes count once, however often the preview is shown', async () => {
    const [name = '', other = ''] = await two(jaan);
    const shown = await preview('/console/bulk/transfer', {
      names: `${name},wrong\n${other},${await codeOf(other)}`,
    });
    expect((await confirmed('/console/bulk/transfer', shown)).status).toBe(303);
    await confirmed('/console/bulk/transfer', shown);
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
        step: 'confirm',
        key: key(place),
        price: '0.00',
      });
    for (let place = 0; place < 10; place += 1)
      expect((await jobOf(await guess(place))).text).toContain('The code is wrong.');
    expect((await jobOf(await guess(10))).text).toContain('Too many wrong codes were tried for this name.');
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
    expect((await reader.get('/console/domains')).text).not.toContain('name="chosen"');
  });

  describe('selected in the list of domains', () => {
    const host = 'ns-selected.example.net';
    let names: string[];
    beforeAll(async () => {
      const owned = await two(mari, { nameservers_attributes: hosts(host, 'ns2.example.net') });
      names = owned.toSorted();
    });
    const selectable = (text: string) =>
      [...text.matchAll(/name="chosen" value="([^"]*)"/g)].map(([, name]) => name);
    const selected = (path: string, fields: readonly [string, string][]) =>
      console.post(path, [['step', 'selected'], ['list', `nameserver=${host}&sort=name`], ...fields]);

    test('success: the list has a box for each domain, and buttons for what can be done', async () => {
      const { text } = await console.get(`/console/domains?nameserver=${host}`);
      expect(selectable(text)).toEqual(names);
      expect(hiddenField(text, 'list')).toBe(`nameserver=${host}`);
      for (const path of ['renew', 'nameservers', 'contacts', 'keys', 'registrant', 'hold'])
        expect(text).toContain(`formaction="/console/bulk/${path}" name="step" value="selected"`);
    });

    test('success: those that are checked are previewed at once for a year', async () => {
      const { status, text } = await selected(RENEW, [['chosen', names[1] ?? '']]);
      expect([status, offered(text)]).toEqual([200, [names[1]]]);
      expect(text).toContain('€9.00');
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
        expect(shown.text).toContain('Enter 2 to 11 nameservers, or none.');
      } else {
        const done = await jobOf(await confirmed(path, shown));
        expect(done.text).toContain('2 of 2');
      }
      expect(await Promise.all(names.map(hostsOf))).toEqual([expected, expected]);
    });

    test('success: what is as it shall be stays as it is', async () => {
      const name = await mari.register({ nameservers_attributes: OLD });
      const list = { how: 'set', nameservers: 'ns2.old.example\nns1.old.example', names: name };
      const shown = await preview(path, list);
      expect(shown.text).toContain('Nothing changes');
      expect((await jobOf(await confirmed(path, shown))).text).toContain('Nothing to change');
      const changes = await registry.sql.rows(
        sql`select from history where object_name = ${name} and operation = 'update'`,
      );
      expect(changes).toEqual([]);
    });
  });
});
