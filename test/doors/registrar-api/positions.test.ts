import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONTACT_SORTS, DOMAIN_SORTS, namesOf } from '../../../src/doors/registrar-api/sorts.ts';
import { sql } from '../../../src/platform/sql/statement.ts';
import { populate } from '../../performance/population.ts';
import { alpha, type Client, type Reply } from '../../support/client.ts';
import { createContact } from '../../support/contacts.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';

const MESSAGES = '/registrar/notifications/all_notifications';

let registry: TestRegistry;
let client: Client;
beforeAll(async () => {
  registry = await startRegistry();
  client = alpha(registry.url);
  await populate(registry.sql, { registrars: ['ALPHA'], contactsEach: 30, domains: 40, messagesEach: 10 });
  for (const amount of ['1.00', '2.00', '3.00', '4.00', '5.00'])
    await client.post('/invoices/add_credit', { invoice: { amount } });
});
afterAll(() => registry.stop());

const nextOf = (reply: Reply): string | undefined =>
  /^<\/registry\/v1(.*)>; rel="next"$/.exec(reply.headers.get('link') ?? '')?.[1];

/** All pages from one on, by their links. */
async function follow(target: string | undefined): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (let next = target; next; next = nextOf(replies.at(-1) as Reply)) replies.push(await client.get(next));
  return replies;
}

const LISTS: [what: string, path: string, items: (reply: Reply) => unknown[]][] = [
  ...namesOf(DOMAIN_SORTS).map((sort): (typeof LISTS)[number] => [
    `domains by ${sort}`,
    `/domains?sort=${sort}`,
    ({ body }) => body.data.domains,
  ]),
  ...namesOf(CONTACT_SORTS).map((sort): (typeof LISTS)[number] => [
    `contacts by ${sort}`,
    `/contacts?sort=${sort}`,
    ({ body }) => body.data.contacts,
  ]),
  ['filtered contacts with details', '/contacts?q=alpha&details=true', ({ body }) => body.data.contacts],
  ['domains with details', '/domains?details=true', ({ body }) => body.data.domains],
  ['poll messages', `${MESSAGES}?`, ({ body }) => body.data],
  ['invoices', '/invoices?', ({ body }) => body.data.invoices],
];

describe('pages', () => {
  test.each(LISTS)('success: of %s: the links visit every item once', async (_what, path, items) => {
    const [all] = await follow(`${path}&limit=1000`);
    const expected = items(all as Reply);
    expect(expected.length).toBeGreaterThan(4);
    for (const limit of [3, expected.length - 1, expected.length]) {
      const pages = await follow(`${path}&limit=${limit}`);
      expect(pages.flatMap(items)).toEqual(expected);
      expect(pages).toHaveLength(Math.ceil(expected.length / limit));
    }
  });

  test('success: items deleted or acknowledged meanwhile do not shift the pages', async () => {
    const first = await client.get(`${MESSAGES}?limit=3`);
    const rest = (await follow(nextOf(first))).flatMap(({ body }) =>
      body.data.map(({ id }: { id: number }) => id),
    );
    for (const { id } of first.body.data)
      await client.put(`/registrar/notifications/${id}`, { notification: { read: true } });
    await registry.sql.run(sql`
      insert into poll_messages (registrar_id, type, text, created_at)
      select id, 'wrong_codes', 'A new one', ${new Date()} from registrars where code = 'ALPHA'`);
    const later = (await follow(nextOf(first))).flatMap(({ body }) =>
      body.data.map(({ id }: { id: number }) => id),
    );
    expect(later).toEqual(rest);

    const domains = await client.get('/domains?limit=5&sort=name');
    const following = (await follow(nextOf(domains))).flatMap(({ body }) => body.data.domains);
    await registry.sql.run(
      sql`delete from domains where name = any(${domains.body.data.domains.slice(2)}::text[])`,
    );
    expect((await follow(nextOf(domains))).flatMap(({ body }) => body.data.domains)).toEqual(following);
  });

  const items = (target: string | undefined, itemsOf: (reply: Reply) => unknown[]) =>
    follow(target).then((pages) => pages.flatMap(itemsOf));

  test('success: of contacts and invoices, with items created and deleted meanwhile', async () => {
    const codes = (reply: Reply) => reply.body.data.contacts;
    for (let made = 0; made < 3; made++) await createContact(client);
    const first = await client.get('/contacts?limit=3&sort=-created_at');
    const rest = await items(nextOf(first), codes);
    await createContact(client);
    for (const code of codes(first)) await client.delete(`/contacts/${code}`);
    expect(await items(nextOf(first), codes)).toEqual(rest);

    const numbers = ({ body }: Reply) =>
      body.data.invoices.map((each: { invoice_number: number }) => each.invoice_number);
    const newest = await client.get('/invoices?limit=2');
    const older = await items(nextOf(newest), numbers);
    await client.post('/invoices/add_credit', { invoice: { amount: '6.00' } });
    expect(await items(nextOf(newest), numbers)).toEqual(older);
  });

  test('success: an offset counts from the cursor', async () => {
    const first = await client.get('/contacts?limit=5&sort=code');
    const next = nextOf(first);
    const [whole, skipped] = [await client.get(`${next}`), await client.get(`${next}&offset=2`)];
    expect(skipped.body.data.contacts.slice(0, 3)).toEqual(whole.body.data.contacts.slice(2));
  });
});

describe('an invalid cursor', () => {
  const position = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
  test.each([
    ['no JSON', 'x'],
    ['not an array', Buffer.from('{}').toString('base64url')],
    ['of another order', position('name', 'a.ee', 1)],
    ['of no order', position('', '1', 1)],
    ['an invalid time', position('created_at', 'yesterday', 1)],
    ['a time out of range', position('created_at', '99999999999999999', 1)],
    ['an invalid id', position('created_at', '1', 'one')],
    ['an id out of range', position('created_at', '1', 1e300)],
    ['one part too many', position('created_at', '1', 1, 1)],
    ['a key that is not a string', position('created_at', 1, 1)],
  ])('failure: %s', async (_what, after) => {
    const { status, body } = await client.get(`/domains?after=${after}`);
    expect([status, body.code, body.errors?.[0]?.field]).toEqual([400, 2005, 'after']);
  });

  test('failure: a string that the database cannot store', async () => {
    const { status, body } = await client.get(`/domains?sort=name&after=${position('name', 'a\0', 1)}`);
    expect([status, body.code]).toEqual([400, 2005]);
  });
});
