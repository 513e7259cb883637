import { expect, test } from 'vitest';
import { dayOf } from '../../../src/registry/domains/rules/periods.ts';
import { readRegistered } from '../../../src/registry/domains/readings/read-domain.ts';
import { type Renewal, renewDomain } from '../../../src/registry/domains/renew-domain.ts';
import type { Context } from '../../../src/registry/operation.ts';
import { transferDomain } from '../../../src/registry/transfers/transfer-domain.ts';
import { freshCode } from '../../support/contacts.ts';
import { coreForThisFile } from '../../support/core.ts';
import { sql } from '../../support/sql.ts';

const core = coreForThisFile();
type Asked = { readonly input: Renewal; readonly context: Context };

async function renewalOf(name: string, context: Context): Promise<Asked> {
  const { at } = await core.database.reads.one(
    sql<{ at: Date }>`select expire_time as at from domains where name = ${name}`,
  );
  return { input: { name, months: 12, expDate: dayOf(at, context.policy) }, context };
}

/** Loads and decides for all, and returns what would be written as one batch. */
async function decided(requests: readonly Asked[]) {
  const { batch, decide } = renewDomain;
  if (!batch) throw new Error('renewals share no statements');
  const loaded = await batch.load(core.database.reads, requests);
  const decisions = requests.map(({ input, context }, place) => {
    const found = loaded[place];
    if (!found) throw new Error('a request without its domain');
    return { plan: decide(found, input, context), context };
  });
  return { persist: () => batch.persist(core.database.writes, decisions) };
}

const historyOf = (name: string) =>
  core.database.reads.rows(sql`
    select h.operation, h.actor, h.request_id as request, h.client_transaction_id as client, e.amount, e.description,
      (select code from registrars r where r.id = e.registrar_id) as payer
    from history h left join ledger_entries e on e.history_id = h.id where h.object_name = ${name} and h.operation <> 'create' order by h.id`);
const versionOf = async (name: string) =>
  (await core.database.reads.one(sql<{ version: number }>`select version from domains where name = ${name}`))
    .version;

test('success: renewals of two registrars in one statement: each has its own actor, request and charge', async () => {
  const [alpha, beta] = [
    await core.context('alpha', { requestId: 'first', clientTransactionId: 'A-1' }),
    await core.context('beta', { requestId: 'second' }),
  ];
  const [one, two] = [await core.domain(alpha), await core.domain(beta)];
  const both = await decided([await renewalOf(two, beta), await renewalOf(one, alpha)]);
  await both.persist();
  const renewal = { operation: 'renew', amount: 900 };
  expect(await historyOf(one)).toEqual([
    {
      ...renewal,
      actor: 'epp:alpha',
      request: 'first',
      client: 'A-1',
      payer: 'ALPHA',
      description: `Renew ${one}`,
    },
  ]);
  expect(await historyOf(two)).toEqual([
    {
      ...renewal,
      actor: 'epp:beta',
      request: 'second',
      client: null,
      payer: 'BETA',
      description: `Renew ${two}`,
    },
  ]);
});

test('failure: one domain twice: nothing of the batch is written', async () => {
  const context = await core.context('alpha');
  const [one, two] = [await core.domain(context), await core.domain(context)];
  const requests = [one, two, one].map((name) => renewalOf(name, context));
  const batch = await decided(await Promise.all(requests));
  await expect(batch.persist()).rejects.toMatchObject({ code: '40001' });
  expect([await historyOf(one), await historyOf(two)]).toEqual([[], []]);
});

test('failure: of two changes decided on the same version the later is a conflict, and charges nothing', async () => {
  const context = await core.context('alpha');
  const name = await core.domain(context);
  const request = await renewalOf(name, context);
  const [first, second] = [await decided([request]), await decided([request])];
  await first.persist();
  const version = await versionOf(name);
  await expect(second.persist()).rejects.toMatchObject({ code: '40001' });
  expect(await historyOf(name)).toEqual([expect.objectContaining({ operation: 'renew', amount: 900 })]);
  expect(await versionOf(name)).toBe(version);
});

test('failure: a locked domain fails the batch immediately; alone it waits', async () => {
  const context = await core.context('alpha');
  const [locked, free] = [await core.domain(context), await core.domain(context)];
  const batch = await decided([await renewalOf(locked, context), await renewalOf(free, context)]);
  const alone = await decided([await renewalOf(locked, context)]);
  const before = await versionOf(locked);
  const waiting = await core.database.writes.begin(async (db) => {
    await db.run(sql`select from domains where name = ${locked} for update`);
    await expect(batch.persist()).rejects.toMatchObject({ code: '40001' });
    return { renewed: alone.persist() };
  });
  await waiting.renewed;
  expect([await versionOf(locked), await historyOf(free)]).toEqual([before + 1, []]);
});

test('failure: a locked account fails the batch after its lock timeout; alone it waits longer', async () => {
  const context = await core.context('alpha');
  const names = [await core.domain(context), await core.domain(context)];
  const batch = await decided(await Promise.all(names.map((name) => renewalOf(name, context))));
  const other = await core.domain(context);
  const alone = await decided([await renewalOf(other, context)]);
  const before = await versionOf(other);
  const { renewed } = await core.database.writes.begin(async (db) => {
    await db.run(sql`
      select from ledger_accounts where registrar_id = ${context.principal.registrarId} for update`);
    const waiting = { renewed: alone.persist() };
    await expect(batch.persist()).rejects.toMatchObject({ code: '55P03' });
    return waiting;
  });
  await renewed;
  expect([await versionOf(other), ...(await Promise.all(names.map(historyOf)))]).toEqual([
    before + 1,
    [],
    [],
  ]);
});

test('success: concurrent transfers to two registrars: one copy for each, every transfer by its own request', async () => {
  const alpha = await core.context('alpha');
  const email = `${freshCode()}@example.ee`;
  const [registrant, same] = [await core.contact(alpha, { email }), await core.contact(alpha, { email })];
  const takers = ['beta', 'poor', 'beta', 'poor', 'beta', 'poor'];
  const names = await Promise.all(
    takers.map((_, place) => core.domain(alpha, { registrant: place < 3 ? registrant : same })),
  );
  const codes = await Promise.all(
    names.map(async (name) => (await readRegistered(core.database.reads, name, alpha))?.transferCode),
  );
  await Promise.all(
    names.map(async (name, place) => {
      const document = { type: 'pdf', content: Buffer.from(name) };
      const context = await core.context(takers[place] ?? '', {
        requestId: `take ${name}`,
        legalDocument: document,
      });
      await transferDomain(core.database, { name, transferCode: codes[place] ?? '' }, context);
    }),
  );
  const copies = await core.database.reads.rows(sql`
    select r.code from contacts c join registrars r on r.id = c.registrar_id where c.email = ${email} order by c.id`);
  expect(copies.map((row) => Object.values(row)[0]).toSorted()).toEqual(['ALPHA', 'ALPHA', 'BETA', 'POOR']);
  for (const [place, name] of names.entries()) {
    const taker = takers[place];
    expect(await historyOf(name)).toMatchObject([
      { operation: 'transfer', actor: `epp:${taker}`, request: `take ${name}`, amount: null },
    ]);
    const documents = await core.database.reads.rows(sql`
      select convert_from(content, 'UTF8') as content from legal_documents where object_name = ${name}`);
    expect(documents).toEqual([{ content: name }]);
  }
});
