import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consoleChanges, consoleExports, consolePages } from '../../../src/doors/console/pages.ts';
import { PERSON_ROLES, type PersonRole } from '../../../src/registry/people/person.ts';
import { alpha } from '../../support/client.ts';
import { type ConsoleClient, loggedIn, PEOPLE } from '../../support/console.ts';
import { consoleObjects } from '../../support/console-objects.ts';
import { createContact } from '../../support/contacts.ts';
import { Registrant } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

/** Who may see or do what, written out so that no change of a right goes unnoticed. */
const READERS: readonly PersonRole[] = ['admin', 'domains', 'reader'];
const EDITORS: readonly PersonRole[] = ['admin', 'domains'];
const ACCOUNTANTS: readonly PersonRole[] = ['admin', 'billing'];
const ADMINS: readonly PersonRole[] = ['admin'];
const ALLOWED: Readonly<Record<string, readonly PersonRole[]>> = {
  'GET ': PERSON_ROLES,
  'GET /search': PERSON_ROLES,
  'GET /domains': READERS,
  'GET /domains.csv': READERS,
  'GET /domains/availability.json': EDITORS,
  'GET /contacts/find.json': EDITORS,
  'GET /domains/:name': READERS,
  'GET /contacts': READERS,
  'GET /contacts.csv': READERS,
  'GET /contacts/:code': READERS,
  'POST /domains/:name/transfer-code': EDITORS,
  'POST /domains/:name/hold': EDITORS,
  'POST /domains/:name/release': EDITORS,
  'POST /domains/:name/request/resend': EDITORS,
  'POST /domains/:name/request/withdraw': EDITORS,
  'GET /balance': ACCOUNTANTS,
  'GET /balance.csv': ACCOUNTANTS,
  'GET /balance/customers': ADMINS,
  'GET /balance/top-up': ACCOUNTANTS,
  'POST /balance/top-up': ACCOUNTANTS,
  'GET /balance/settings': ACCOUNTANTS,
  'POST /balance/settings': ACCOUNTANTS,
  'GET /invoices': ACCOUNTANTS,
  'GET /invoices.csv': ACCOUNTANTS,
  'GET /invoices/:number': ACCOUNTANTS,
  'GET /invoices/:number/pdf': ACCOUNTANTS,
  'GET /invoices/:number/ubl': ACCOUNTANTS,
  'GET /statements': ACCOUNTANTS,
  'GET /statements/:month': ACCOUNTANTS,
  'GET /statements/:month/pdf': ACCOUNTANTS,
  'GET /statements/:month/csv': ACCOUNTANTS,
  'GET /people': ADMINS,
  'GET /people/:person': ADMINS,
  'POST /people/invite': ADMINS,
  'POST /people/withdraw': ADMINS,
  'POST /people/:person/roles': ADMINS,
  'POST /people/:person/end-sessions': ADMINS,
  'POST /people/:person/disable': ADMINS,
  'POST /people/:person/enable': ADMINS,
  'GET /people/:person/remove': ADMINS,
  'POST /people/:person/remove': ADMINS,
  'GET /people/:person/reset-factors': ADMINS,
  'POST /people/:person/reset-factors': ADMINS,
  'GET /figures': READERS,
  'GET /activity': ADMINS,
  'GET /access': ADMINS,
  'GET /access/users/:user': ADMINS,
  'GET /access/certificates/:serial': ADMINS,
  'POST /access/users': ADMINS,
  'POST /access/addresses': ADMINS,
  'POST /access/addresses/remove': ADMINS,
  'GET /access/certificates/:serial/revoke': ADMINS,
  'POST /access/certificates/:serial/revoke': ADMINS,
  'POST /access/users/:user/roles': ADMINS,
  'POST /access/users/:user/disable': ADMINS,
  'POST /access/users/:user/enable': ADMINS,
  'POST /access/users/:user/drop-old-password': ADMINS,
  'POST /access/users/:user/password': ADMINS,
  'POST /access/users/:user/request': ADMINS,
  'POST /access/users/:user/withdraw-request': ADMINS,
  'GET /webhooks': ADMINS,
  'GET /webhooks/:webhook': ADMINS,
  'GET /webhooks/:webhook/deliveries/:event': ADMINS,
  ...Object.fromEntries(
    ['new', ':webhook/change', ':webhook/secret', ':webhook/delete'].flatMap((path) => [
      [`GET /webhooks/${path}`, ADMINS],
      [`POST /webhooks/${path}`, ADMINS],
    ]),
  ),
  'POST /webhooks/:webhook/disable': ADMINS,
  'POST /webhooks/:webhook/enable': ADMINS,
  'POST /webhooks/:webhook/test': ADMINS,
  'POST /webhooks/:webhook/replay': ADMINS,
  'POST /webhooks/:webhook/deliveries/:event/replay': ADMINS,
  ...Object.fromEntries(
    [
      '/domains/register',
      '/domains/transfer',
      ...['renew', 'registrant', 'contacts', 'nameservers', 'keys', 'transfer-code/new', 'delete'].map(
        (page) => `/domains/:name/${page}`,
      ),
      '/contacts/~create',
      '/contacts/:code/change',
      '/contacts/:code/delete',
    ].flatMap((path) => [
      [`GET ${path}`, EDITORS],
      [`POST ${path}`, EDITORS],
    ]),
  ),
  'GET /bulk': EDITORS,
  'GET /bulk/renew': EDITORS,
  'POST /bulk/renew': EDITORS,
  'GET /bulk/nameservers': EDITORS,
  'POST /bulk/nameservers': EDITORS,
  'GET /bulk/hold': EDITORS,
  'POST /bulk/hold': EDITORS,
  'GET /bulk/contacts': EDITORS,
  'POST /bulk/contacts': EDITORS,
  'GET /bulk/keys': EDITORS,
  'POST /bulk/keys': EDITORS,
  'GET /bulk/registrant': EDITORS,
  'POST /bulk/registrant': EDITORS,
  'GET /bulk/undo': EDITORS,
  'POST /bulk/undo': EDITORS,
  'GET /jobs': EDITORS,
  'GET /jobs/:job': EDITORS,
  'GET /jobs/:job/result.csv': EDITORS,
  'POST /jobs/:job/stop': EDITORS,
  'POST /jobs/:job/resume': EDITORS,
  'GET /bulk/tech-contact': EDITORS,
  'POST /bulk/tech-contact': EDITORS,
  'GET /bulk/transfer': EDITORS,
  'POST /bulk/transfer': EDITORS,
  'GET /messages': READERS,
  'GET /messages/:id': READERS,
  'POST /messages/acknowledge': EDITORS,
  'POST /columns/domains': READERS,
  'POST /columns/contacts': READERS,
  'POST /snooze': PERSON_ROLES,
  'POST /snooze/end': PERSON_ROLES,
  ...Object.fromEntries(
    ['domains', 'contacts', 'messages', 'balance', 'invoices'].flatMap((list) =>
      ['save', 'rename', 'remove', 'restore'].map((change) => [
        `POST /views/${list}/${change}`,
        ['balance', 'invoices'].includes(list) ? ACCOUNTANTS : READERS,
      ]),
    ),
  ),
};
/** Every person has an account and a header. */
const isOwn = (call: string) => /^(?:GET|POST) \/(?:account|registrar$|language$)/.test(call);

const calls = [
  ...[...consolePages, ...consoleExports].map(({ path }) => `GET ${path}`),
  ...consoleChanges.map(({ path }) => `POST ${path}`),
];

let registry: TestRegistry;
let objects: Readonly<Record<string, string>>;
let own: ConsoleClient;
let other: ConsoleClient;
beforeAll(async () => {
  registry = await startRegistry();
  const client = alpha(registry.url);
  objects = {
    name: await (await Registrant.of(client)).register(),
    code: await createContact(client),
    ...(await consoleObjects(registry)),
  };
  [own, other] = [await loggedIn(registry.url), await loggedIn(registry.url, 'beta')];
});
afterAll(() => registry.stop());

/** Sessions have the roles of the moment. */
const setRole = (role: PersonRole) =>
  registry.sql.run(sql`
    update memberships set roles = ${[role]} where person_id = (select id from people where email_key = ${PEOPLE.alpha[0]})`);

const addressOf = (path: string) =>
  `/console${path.replaceAll(/:(\w+)/g, (_, name: string) => objects[name] ?? 'none')}`;

async function statusOf(client: ConsoleClient, call: string): Promise<number> {
  const [method = '', path = ''] = call.split(' ');
  const address = addressOf(path);
  return (await (method === 'GET' ? client.get(address) : client.post(address, {}))).status;
}

describe('rights', () => {
  test('success: the table has every page, file and change', () => {
    expect(calls.filter((call) => !isOwn(call)).sort()).toEqual(Object.keys(ALLOWED).sort());
  });

  test.each(
    calls.filter((call) => !isOwn(call)).flatMap((call) => PERSON_ROLES.map((role) => [call, role] as const)),
  )('%s by %s', async (call, role) => {
    await setRole(role);
    const status = await statusOf(own, call);
    // A form without its fields is shown again, or changes what needs none.
    if (ALLOWED[call]?.includes(role))
      expect(call.startsWith('GET') ? [200] : [200, 303, 400, 409]).toContain(status);
    else expect(status).toBe(403);
  });

  test.each(calls.filter((call) => call.includes(':') && !isOwn(call)))(
    'failure: %s of another registrar is not found',
    async (call) => {
      expect(await statusOf(other, call)).toBe(404);
    },
  );
});

describe('money', () => {
  /** Amounts of charges, balances, prices and invoices, in both languages. */
  const AMOUNT = /\d[.,]\d\d\s*(?:EUR|€)|€\s*\d/;
  const pages = consolePages.filter(({ right }) => right === undefined || right === 'read');
  const textOf = async (path: string) => (await own.get(addressOf(path))).text;
  let message: number;
  beforeAll(async () => {
    const written = await registry.sql.one(sql<{ id: number }>`
      insert into poll_messages (registrar_id, type, text, created_at)
      select id, 'balance_debited', '12.34 EUR were taken from your account: correction. Its balance is 7.00 EUR', now()
      from registrars where code = 'ALPHA' returning id`);
    message = written.id;
  });

  test.each([...pages, ...consoleExports.filter(({ right }) => right === 'read')])(
    'success: a reader sees none at $path',
    async ({ path }) => {
      await setRole('reader');
      expect(await textOf(path)).not.toMatch(AMOUNT);
    },
  );

  test('success: an administrator sees it at the same places, so that the test can fail', async () => {
    await setRole('admin');
    for (const path of ['', '/domains/:name', '/messages', '/figures'])
      expect(await textOf(path), path).toMatch(path === '/figures' ? /\d\.\d\d/ : AMOUNT);
  });

  test.each(PERSON_ROLES)(
    'success: a message about money is shown to whoever sees the account: %s',
    async (role) => {
      await setRole(role);
      const allowed = { admin: 200, domains: 404, reader: 404, billing: 403 }[role];
      expect((await own.get(`/console/messages/${message}`)).status).toBe(allowed);
      expect(/balance_debited/.test(await textOf('/messages'))).toBe(role === 'admin');
    },
  );

  test('success: the newest message that a reader is told of is none about money', async () => {
    await setRole('reader');
    expect(await textOf('')).toContain('has left the zone');
    expect((await own.get('/console/messages?type=balance_debited')).text).not.toContain('12.34');
  });
});
