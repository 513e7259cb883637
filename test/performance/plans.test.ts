import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { checkLedger } from '../../src/ledger/check-ledger.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { type Database, type Owner, openDatabase } from '../../src/platform/database/database.ts';
import { ee } from '../../src/policy/ee.ts';
import { connectAsOwner } from '../support/connect-as-owner.ts';
import type { Recorded } from '../support/recorder.ts';
import { createTestDatabase } from '../support/registry.ts';
import { sql } from '../support/sql.ts';
import { consoleQueries, MANY_WITH_STATUS, SHARED_NAMESERVER } from './console-queries.ts';
import { observe, Recorder } from './plans.ts';
import { populate } from './population.ts';
import { type Caller, callerOf, DOMAINS_SHOWN, type QueryCase, queries, type Table } from './queries.ts';

/** No query may scan these completely, or read more of their rows than its result shows. */
const TABLES: readonly Table[] = [
  'contacts',
  'domains',
  'history',
  'invoices',
  'ledger_entries',
  'poll_messages',
  'domain_contacts',
  'domain_nameservers',
  'domain_keys',
];
const TOLERANCE = 4;
const POPULATION = {
  registrars: ['GAMMA', 'DELTA', 'KAPPA', 'OMEGA'],
  contactsEach: 1_000,
  domains: 6_000,
  messagesEach: 300,
  hasQuickPasswords: true,
};
const INVOICES_EACH = 1_000;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let db: Owner;
let product: Database;
let recorder: Recorder;
let caller: Caller;
beforeAll(async () => {
  database = await createTestDatabase();
  const address = { ...inject('server'), database: database.name };
  db = await connectAsOwner(address);
  await populate(db, POPULATION);
  await addInvoices(db, POPULATION.registrars);
  await addSharedValues(db);
  const one = { readConnections: 1, listConnections: 1, writeConnections: 1 };
  product = openDatabase(address, { ...readConfig('sandbox', {}), ...one }, ee.timeZone);
  recorder = new Recorder(address);
  caller = await callerOf(db, 'GAMMA');
});
afterAll(async () => {
  await product?.close();
  await recorder?.close();
  await db?.close();
  await database?.drop();
});

test('success: the generated data is consistent with that of the product', async () => {
  expect(await checkLedger(db)).toEqual([]);
  const [counts] = await db.rows(sql`
    select (select count(*)::int from domains) as domains, (select count(*)::int from domain_keys) as keys,
      (select count(*)::int from ledger_entries where operation = 'create') as charges,
      (select max(links)::int from (select count(*) as links from domain_contacts group by contact_id, role) as l) as most`);
  expect(counts).toMatchObject({ domains: 6_000, keys: 600, charges: 6_000 });
  expect(counts?.most).toBeGreaterThan(DOMAINS_SHOWN + TOLERANCE);
});

describe.each(['custom', 'generic'] as const)('the %s plan', (plan) => {
  test.each([...queries, ...consoleQueries])('success: $name reads no more than it shows', async (query) => {
    const statements = await recorder.statementsOf((connection) => query.run(connection, caller));
    expect(statements.length).toBeGreaterThan(0);
    const excesses: string[] = [];
    for (const statement of statements) excesses.push(...(await excessesOf(statement, query)));
    expect(excesses).toEqual([]);
  });

  async function excessesOf(statement: Recorded, query: QueryCase): Promise<string[]> {
    const { shows, counts, pool = 'reads' } = query;
    const { readings, fetched, scanned } = await observe(product[pool], statement, plan);
    const allowed = (table: Table) => (shows[table] ?? 0) + TOLERANCE;
    const found = TABLES.flatMap((table) => {
      const nodes = readings.filter((reading) => reading.table === table);
      const [heap, entries] = [sum(nodes, 'heapRows'), sum(nodes, 'indexEntries')];
      const nodeTexts = nodes.map(
        ({ node, heapRows, indexEntries }) => `${node} (${heapRows}/${indexEntries})`,
      );
      const most = Math.max(heap, fetched.get(table) ?? 0);
      return [
        ...(nodes.some(({ node }) => node.startsWith('Seq Scan')) || scanned.includes(table)
          ? [`reads all of ${table}`]
          : []),
        ...(most > allowed(table)
          ? [`${most} rows of ${table} for ${shows[table] ?? 0}: ${nodeTexts.join(', ')}`]
          : []),
        ...(!counts && entries > allowed(table)
          ? [`${entries} entries of ${table} for ${shows[table] ?? 0}: ${nodeTexts.join(', ')}`]
          : []),
      ];
    });
    return found.map((text) => `${text} in ${statement.text.replace(/\s+/g, ' ').slice(0, 160)}`);
  }
});

/** Top-ups of every registrar, with numbers outside the allocated range. */
async function addInvoices(db: Owner, registrars: readonly string[]): Promise<void> {
  const count = registrars.length * INVOICES_EACH;
  // Vacuum marks a page as all-visible only after every commit before it is flushed.
  await db.run(sql`set synchronous_commit = on`);
  await db.run(sql`
    with numbers as (
      insert into invoice_numbers (number, initiator, allocated_at)
      select 900000 + n, 'registry', ${new Date()} from generate_series(1, ${count}::int) as n returning number),
    owners as (select id, row_number() over (order by id) - 1 as place from registrars where code = any(${registrars as string[]}::text[]))
    insert into invoices (number, initiator, kind, status, currency, amount, net, vat, vat_percent, description, registrar_id, issued_at, due_date)
    select number, 'registry', 'top-up', 'unpaid', 'EUR', 12400, 10000, 2400, 24, 'Prepayment', owners.id, ${new Date()}, current_date
    from numbers join owners on number % ${registrars.length}::int = owners.place`);
  await vacuum(db, ['invoices']);
  await db.run(sql`reset synchronous_commit`);
}

/** Until every page is marked as visible to all: an automatic analysis that began before the commits prevents that. */
async function vacuum(db: Owner, tables: readonly string[]): Promise<void> {
  await vi.waitFor(async () => {
    await db.script(`vacuum analyze ${tables.join(', ')}`);
    const unmarked = await db.rows(sql`
      select relname from pg_class where oid = any(${tables as string[]}::regclass[]) and relallvisible < relpages`);
    expect(unmarked).toEqual([]);
  });
}

/** Values that many domains of several registrars share. */
async function addSharedValues(db: Owner): Promise<void> {
  await db.run(sql`set synchronous_commit = on`);
  await db.run(sql`
    insert into domain_nameservers (domain_id, hostname)
    select d.id, ${SHARED_NAMESERVER} from domains d join registrars r on r.id = d.registrar_id where r.code in ('KAPPA', 'OMEGA')`);
  await db.run(sql`
    update domains d set statuses = '{"clientRenewProhibited": ""}'
    from (select id, row_number() over (partition by registrar_id order by md5(name)) as place from domains) as placed
    where d.id = placed.id and place <= ${MANY_WITH_STATUS}`);
  await vacuum(db, ['domains', 'domain_nameservers', 'domain_statuses']);
  await db.run(sql`reset synchronous_commit`);
}

const sum = <K extends string>(items: readonly Readonly<Record<K, number>>[], member: K): number =>
  items.reduce((total, item) => total + item[member], 0);
