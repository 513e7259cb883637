import { creditRegistrar } from '../../src/ledger/credit-registrar.ts';
import { carryOut } from '../../src/operations/operator-operation.ts';
import type { Pool, Sql } from '../../src/platform/sql/executor.ts';
import { identifier } from '../../src/platform/sql/statement.ts';
import { ee } from '../../src/policy/ee.ts';
import { delegationSigner } from '../../src/registry/domains/rules/dnssec-keys.ts';
import { createRegistrar } from '../../src/registry/registrars/create-registrar.ts';
import { createUser } from '../../src/registry/users/create-user.ts';
import { operator } from '../support/operator.ts';
import { quicklyHashed } from '../support/quick-passwords.ts';
import { sql } from '../support/sql.ts';

/** The size of the data set; missing registrars are created, each with a user of the same name. */
export type Population = {
  readonly registrars: readonly string[];
  readonly contactsEach: number;
  /** In total, distributed evenly over registrars without a share of their own. */
  readonly domains: number;
  readonly messagesEach: number;
  /** Whether passwords are hashed with the cheapest parameters. */
  readonly hasQuickPasswords?: boolean;
  /** The fixed share of some registrars, independent of the total. */
  readonly shares?: Readonly<Record<string, Share>>;
  readonly nameserversEach?: number;
  /** Rows of history for each domain, its creation among them. */
  readonly historyEach?: number;
};
export type Share = { readonly contacts: number; readonly domains: number };

export const passwordOf = (registrar: string): string => `${registrar.toLowerCase()}-sandbox-password`;
const INITIAL_CREDIT = 100_000_000_00n;
const PRICE = 900;
const KEY = { flags: 257, protocol: 3, alg: 13, publicKey: Buffer.alloc(64, 7).toString('base64') };
const BATCH = 20_000;
/** Above this number domains are loaded without the largest index. */
const MANY = 100_000;
const FILLED = [
  'contacts',
  'domains',
  'domain_contacts',
  'domain_nameservers',
  'domain_keys',
  'history',
  'ledger_accounts',
  'ledger_entries',
  'poll_messages',
  'registrars',
  'api_users',
];

/**
 * Fills a registry straight through the database, with rows as the product would have written them: every object
 * with its history, every domain with its charge, every balance the sum of its entries. Needs the owner's rights.
 */
export async function populate(
  db: Pool,
  population: Population,
  progress: (loaded: number, domains: number) => void = () => {},
): Promise<void> {
  const { registrars, domains } = population;
  const shares = sharesOf(population);
  const at = new Date(Date.now() - 300 * 86_400_000);
  // Vacuum marks a page as all-visible only after every commit before it is flushed.
  await db.run(sql`set synchronous_commit = on`);
  for (const registrar of registrars)
    await openRegistrar(db, registrar, at, population.hasQuickPasswords ?? false);
  await db.begin(async (transaction) => {
    await withoutTriggers(transaction);
    await addContacts(transaction, shares, at);
  });
  await assignDomains(db, shares);
  const history = await withoutIndex(db, domains > MANY ? 'history_object_name' : undefined);
  for (let from = 1; from <= domains; from += BATCH) {
    const until = Math.min(from + BATCH - 1, domains);
    await db.begin(async (transaction) => {
      await withoutTriggers(transaction);
      await addDomains(transaction, population, from, until, at);
      await addKeys(transaction);
    });
    progress(until, domains);
  }
  await history.restore();
  await db.run(sql`drop table assigned`);
  await addMessages(db, population, at);
  await db.script(`vacuum analyze ${FILLED.join(', ')}`);
  await db.run(sql`reset synchronous_commit`);
  await db.run(sql`checkpoint`);
}

async function openRegistrar(db: Pool, code: string, at: Date, isQuick: boolean): Promise<void> {
  const change = { actor: 'loader', at };
  const known = await db.rows(sql`select from registrars where code = ${code}`);
  if (known.length === 0) {
    const registrar = { code, name: `Registrar ${code}` };
    await carryOut(db, createRegistrar, registrar, operator({ actor: 'loader', now: at }));
    const [username, password] = [code.toLowerCase(), passwordOf(code)];
    const user = { username, registrar: code, roles: ['super'] as const, password };
    const by = operator({ actor: 'loader', now: at });
    await carryOut(db, createUser, isQuick ? await quicklyHashed(user) : user, by);
  }
  const credit = { from: 'payments', operation: 'payment', description: 'Payment', ...change } as const;
  await creditRegistrar(db, { registrar: code, amount: INITIAL_CREDIT, ...credit });
}

/** Registrars with a share of their own keep it, the others divide the rest. */
function sharesOf({ registrars, contactsEach, domains, shares = {} }: Population) {
  const own = registrars.flatMap((code) => (shares[code] ? [{ code, ...shares[code] }] : []));
  const others = registrars.filter((code) => !shares[code]);
  const rest = domains - own.reduce((sum, share) => sum + share.domains, 0);
  if (rest < 0 || (rest > 0 && others.length === 0)) throw new Error('the shares do not come to the whole');
  const assigned = others.map((code, place) => ({
    code,
    contacts: contactsEach,
    domains: Math.floor((rest + others.length - 1 - place) / others.length),
  }));
  return [...own, ...assigned];
}
type Shares = ReturnType<typeof sharesOf>;

const sharesAs = (shares: Shares) =>
  sql`
  unnest(${shares.map(({ code }) => code)}::text[], ${shares.map(({ contacts }) => contacts)}::int[], ${shares.map(({ domains }) => domains)}::int[])
    as share(code, contacts, domains)`;

/** The registrar of each domain, interleaved as after years of registrations. */
async function assignDomains(db: Sql, shares: Shares): Promise<void> {
  await db.run(sql`
    create temporary table assigned as
    select row_number() over (order by (own - 0.5) / share.domains, share.code)::int as n, r.id as registrar_id, r.code, own, share.contacts
    from ${sharesAs(shares)} join registrars r on r.code = share.code cross join generate_series(1, share.domains) as own`);
  await db.run(sql`alter table assigned add primary key (n)`);
  await db.run(sql`analyze assigned`);
}

/** Building an index over millions of rows once is many times faster than inserting row by row. */
async function withoutIndex(db: Sql, name: string | undefined) {
  const [index] = await db.rows(
    sql<{ indexdef: string }>`select indexdef from pg_indexes where indexname = ${name ?? ''}`,
  );
  if (index) await db.run(sql`drop index ${identifier(name ?? '')}`);
  return { restore: async () => void (index && (await db.script(index.indexdef))) };
}

/** Foreign keys and unique constraints hold by construction; checking them row by row takes longer than the rest. */
const withoutTriggers = (db: Sql) => db.rows(sql`set local session_replication_role = replica`);

/** Marked as recently used, or a running server would archive them before their domains exist. */
async function addContacts(db: Sql, shares: Shares, at: Date): Promise<void> {
  await db.run(sql`
    with added as (
      insert into contacts (registrar_id, code, code_key, name, name_key, email, phone,
        ident, ident_type, ident_country_code, auth_info, created_at, updated_at, last_linked_at)
      select r.id, made.code, lower(made.code collate "C"), made.name, lower(made.name), 'loaded' || n || '@example.ee', '+372.' || n,
        '60001019906', 'priv', 'EE', md5(made.code), made.at, made.at, now()
      from ${sharesAs(shares)} join registrars r on r.code = share.code cross join generate_series(1, share.contacts) as n
      cross join lateral (select r.code || ':loaded-' || n as code, initcap(substr(md5(n || r.code), 1, 6)) || ' Person ' || n as name,
        ${at}::timestamptz + n * interval '1 second' as at) as made
      order by (n - 0.5) / share.contacts, r.id
      returning id, code, name, email, phone, registrar_id, created_at)
    insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor, request_id, after)
    select created_at, 'contact', id, code, 'create', registrar_id, 'loader', 'loader', jsonb_build_object(
      'code', code, 'name', name, 'email', email, 'phone', phone,
      'ident', '{"code": "60001019906", "type": "priv", "country_code": "EE"}'::jsonb)
    from added order by id`);
}

/** Each with a registrant, an admin, a tech and nameservers; a few techs and one registrant have many, as with a hoster. */
async function addDomains(db: Sql, population: Population, from: number, until: number, at: Date) {
  const { domains, nameserversEach = 2, historyEach = 1 } = population;
  const stepSeconds = Math.floor((290 * 86_400) / domains);
  await db.run(sql`
    create temporary table fresh on commit drop as
    select nextval(pg_get_serial_sequence('domains', 'id')) as id, nextval(pg_get_serial_sequence('history', 'id')) as history_id, n,
      substr(md5(n::text), 1, 8) || '-' || n || '.ee' as name, assigned.registrar_id, made.at,
      date_trunc('day', made.at at time zone ${ee.timeZone} + interval '1 year 1 day') at time zone ${ee.timeZone} as expire_time,
      holder.id as registrant_id, holder.code as registrant, admin.id as admin_id, admin.code as admin, tech.id as tech_id, tech.code as tech
    from assigned
    join contacts holder on holder.code_key = lower(assigned.code) || ':loaded-' || case when own % 25 = 0 then 2 else 1 + own % contacts end
    join contacts admin on admin.code_key = lower(assigned.code) || ':loaded-' || 1 + (own + 7) % contacts
    join contacts tech on tech.code_key = lower(assigned.code) || ':loaded-' || 1 + own % greatest(contacts / 20, 1)
    cross join lateral (select ${at}::timestamptz + interval '1 day' + n * ${stepSeconds}::int * interval '1 second' as at) as made
    where n between ${from} and ${until}
    order by n`);
  await db.run(sql`
    insert into domains (id, name, zone, registrar_id, registrant_id, transfer_code, created_at, updated_at, expire_time)
    overriding system value select id, name, 'ee', registrar_id, registrant_id, md5('transfer ' || n), at, at, expire_time from fresh order by id`);
  await db.run(sql`
    insert into domain_contacts (domain_id, contact_id, role)
    select id, admin_id, 'admin' from fresh union all select id, tech_id, 'tech' from fresh`);
  await db.run(sql`
    insert into domain_nameservers (domain_id, hostname)
    select id, 'ns' || place || '.hoster' || registrar_id || '.example' from fresh, generate_series(1, ${nameserversEach}::int) as place order by id, place`);
  await db.run(sql`
    insert into history (id, at, object_kind, object_id, object_name, operation, registrar_id, actor, request_id, after)
    overriding system value select history_id, at, 'domain', id, name, 'create', registrar_id, 'loader', 'loader', jsonb_build_object(
      'name', name, 'registrant', registrant, 'expire_time', to_char(expire_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'outzone_at', null, 'delete_date', null, 'statuses', '{}'::jsonb, 'admin_contacts', array[admin], 'tech_contacts', array[tech],
      'nameservers', (select jsonb_agg(jsonb_build_object('hostname', 'ns' || place || '.hoster' || registrar_id || '.example', 'ipv4', '[]'::jsonb, 'ipv6', '[]'::jsonb))
        from generate_series(1, ${nameserversEach}::int) as place),
      'dnssec_keys', case when n % 10 = 0 then jsonb_build_array(jsonb_build_object('flags', ${KEY.flags}::int, 'protocol', ${KEY.protocol}::int,
        'alg', ${KEY.alg}::int, 'public_key', ${KEY.publicKey}::text)) else '[]'::jsonb end)
    from fresh order by history_id`);
  await db.run(sql`
    insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor, request_id, before, after)
    select h.at + place * interval '1 hour', h.object_kind, h.object_id, h.object_name, 'update', h.registrar_id, h.actor, h.request_id, h.after, h.after
    from generate_series(2, ${historyEach}::int) as place cross join fresh join history h on h.id = fresh.history_id`);
  await db.run(sql`
    with charges as (
      select f.*, a.id as account_id, a.balance - ${PRICE} * row_number() over (partition by f.registrar_id order by f.n) as balance_after
      from fresh f join ledger_accounts a on a.registrar_id = f.registrar_id and a.kind = 'registrar'),
    booked as (
      insert into ledger_entries (at, debit_account, credit_account, amount, operation, description, registrar_id, balance_after, history_id, actor, request_id)
      select c.at, c.account_id, revenue.id, ${PRICE}, 'create', 'Create ' || c.name, c.registrar_id, c.balance_after, c.history_id, 'loader', 'loader'
      from charges c, ledger_accounts revenue where revenue.kind = 'revenue' and revenue.currency = ${ee.currency} order by c.n)
    update ledger_accounts a set balance = left_over.balance, balance_changed_at = left_over.at
    from (select account_id, min(balance_after) as balance, max(at) as at from charges group by account_id) as left_over where a.id = left_over.account_id`);
}

/** Every tenth domain is signed. */
async function addKeys(db: Sql): Promise<void> {
  const signed = await db.rows(
    sql<{ id: number; name: string }>`select id, name from fresh where n % 10 = 0 order by id`,
  );
  const signers = signed.map(({ name }) => delegationSigner(KEY, name));
  await db.run(sql`
    insert into domain_keys (domain_id, flags, protocol, alg, public_key, key_tag, digest_type, digest)
    select id, ${KEY.flags}, ${KEY.protocol}, ${KEY.alg}, ${KEY.publicKey}, key_tag, digest_type, digest
    from unnest(${signed.map(({ id }) => id)}::bigint[], ${signers.map(({ keyTag }) => keyTag)}::int[],
      ${signers.map(({ digestType }) => digestType)}::int[], ${signers.map(({ digest }) => digest)}::text[]) as s(id, key_tag, digest_type, digest)`);
}

/** Every second one is read already. */
const addMessages = (db: Sql, { registrars, messagesEach }: Population, at: Date) =>
  db.rows(sql`
  insert into poll_messages (registrar_id, type, text, created_at, read_at)
  select r.id, 'wrong_codes', '10 wrong codes came for domain ' || n || '.ee within an hour',
    ${at}::timestamptz + n * interval '1 minute', case when n % 2 = 0 then ${at}::timestamptz + n * interval '1 hour' end
  from generate_series(1, ${messagesEach}::int * 2) as n, registrars r where r.code = any(${registrars as string[]}::text[])
  order by n, r.id`);
