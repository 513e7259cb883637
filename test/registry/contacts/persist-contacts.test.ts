import { expect, test } from 'vitest';
import type { Email } from '../../../src/registry/contacts/contact-fields.ts';
import { updateContact } from '../../../src/registry/contacts/update-contact.ts';
import type { Context } from '../../../src/registry/operation.ts';
import { freshCode } from '../../support/contacts.ts';
import { coreForThisFile } from '../../support/core.ts';
import { sql } from '../../support/sql.ts';

const core = coreForThisFile();
type Asked = { readonly code: string; readonly email?: string; readonly context: Context };

/** Loads and decides for all, and returns what would be written as one batch. */
async function decided(asked: readonly Asked[]) {
  const { batch, decide } = updateContact;
  if (!batch) throw new Error('changes of contacts share no statements');
  const requests = asked.map(({ code, email = 'new@example.ee', context }) => ({
    input: { code, fields: { email: email as Email } },
    context,
  }));
  const loaded = await batch.load(core.database.reads, requests);
  const decisions = requests.map(({ input, context }, place) => {
    const found = loaded[place];
    if (!found) throw new Error('a request without its contact');
    return { plan: decide(found, input, context), context };
  });
  return { persist: () => batch.persist(core.database.writes, decisions) };
}

const historyOf = (code: string) =>
  core.database.reads.rows(sql`
    select operation, actor, request_id as request, client_transaction_id as client, before ->> 'email' as before, after ->> 'email' as after
    from history where object_kind = 'contact' and object_name = ${code} order by id`);
const documentsOf = (code: string) =>
  core.database.reads.rows(sql`
    select request_id as request, convert_from(content, 'UTF8') as content from legal_documents where object_name = ${code} order by id`);
const emailOf = async (code: string) =>
  (await core.database.reads.one(sql<{ email: string }>`select email from contacts where code = ${code}`))
    .email;
const documentOf = (content: string) => ({ type: 'pdf', content: Buffer.from(content) });
const CREATED = { operation: 'create', before: null, after: 'mari@example.ee' };

test('success: concurrent creations of two registrars: each has its own actor, request and document', async () => {
  const [alpha, beta] = [
    await core.context('alpha', {
      requestId: 'one',
      clientTransactionId: 'A-1',
      legalDocument: documentOf('1'),
    }),
    await core.context('beta', { requestId: 'two' }),
  ];
  const [one, two] = await Promise.all([core.contact(alpha), core.contact(beta)]);
  const byAlpha = { actor: 'epp:alpha', request: 'one', client: 'A-1' };
  expect(await historyOf(one)).toEqual([{ ...CREATED, ...byAlpha }]);
  expect(await historyOf(two)).toEqual([{ ...CREATED, actor: 'epp:beta', request: 'two', client: null }]);
  expect([await documentsOf(one), await documentsOf(two)]).toEqual([[{ request: 'one', content: '1' }], []]);
});

test('success: changes of two registrars in one statement, each of its own contact', async () => {
  const [alpha, beta] = [await core.context('alpha'), await core.context('beta')];
  const [one, two] = [await core.contact(alpha), await core.contact(beta)];
  const first = { ...alpha, requestId: 'first', legalDocument: documentOf('first') };
  const batch = await decided([
    { code: two, email: 'two@example.ee', context: { ...beta, requestId: 'second' } },
    { code: one, email: 'one@example.ee', context: first },
  ]);
  await batch.persist();
  const change = { operation: 'update', before: 'mari@example.ee' };
  expect((await historyOf(one)).slice(1)).toMatchObject([
    { ...change, request: 'first', after: 'one@example.ee' },
  ]);
  expect((await historyOf(two)).slice(1)).toMatchObject([
    { ...change, request: 'second', after: 'two@example.ee' },
  ]);
  expect([await emailOf(one), await emailOf(two)]).toEqual(['one@example.ee', 'two@example.ee']);
  expect([await documentsOf(one), await documentsOf(two)]).toEqual([
    [{ request: 'first', content: 'first' }],
    [],
  ]);
});

test('failure: one contact twice: nothing of the batch is written', async () => {
  const context = await core.context('alpha');
  const [one, two] = [await core.contact(context), await core.contact(context)];
  const batch = await decided([one, two, one].map((code) => ({ code, context })));
  await expect(batch.persist()).rejects.toMatchObject({ code: '40001' });
  expect([await historyOf(one), await historyOf(two)]).toMatchObject([[CREATED], [CREATED]]);
});

test('failure: a contact that was changed concurrently: nothing of the batch is written', async () => {
  const context = await core.context('alpha');
  const [one, two] = [await core.contact(context), await core.contact(context)];
  const [batch, alone] = [
    await decided([one, two].map((code) => ({ code, context }))),
    await decided([{ code: one, context }]),
  ];
  await core.database.writes.run(sql`update contacts set email = 'other@example.ee' where code = ${one}`);
  for (const { persist } of [batch, alone]) await expect(persist()).rejects.toMatchObject({ code: '40001' });
  expect([await emailOf(one), await emailOf(two)]).toEqual(['other@example.ee', 'mari@example.ee']);
});

test('failure: a locked contact fails the batch immediately; alone it waits', async () => {
  const context = await core.context('alpha');
  const [locked, free] = [await core.contact(context), await core.contact(context)];
  const batch = await decided([locked, free].map((code) => ({ code, context })));
  const alone = await decided([{ code: locked, context }]);
  const waiting = await core.database.writes.begin(async (db) => {
    await db.run(sql`select from contacts where code = ${locked} for update`);
    await expect(batch.persist()).rejects.toMatchObject({ code: '40001' });
    return { changed: alone.persist() };
  });
  await waiting.changed;
  expect([await emailOf(locked), await emailOf(free)]).toEqual(['new@example.ee', 'mari@example.ee']);
});

test('failure: of two concurrent creations of one code one is refused, and others are not', async () => {
  const [alpha, beta] = [await core.context('alpha'), await core.context('beta')];
  const code = freshCode();
  const [one, two, other] = await Promise.allSettled([
    core.contact(alpha, { code }),
    core.contact(beta, { code }),
    core.contact(beta),
  ]);
  expect([one?.status, two?.status].toSorted()).toEqual(['fulfilled', 'rejected']);
  expect([other?.status, (await historyOf(code)).length]).toEqual(['fulfilled', 1]);
});
