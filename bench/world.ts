import { randomUUID } from 'node:crypto';
import { sessionCookie } from '../src/doors/console/cookie.ts';
import type { DatabaseTarget } from '../src/platform/database/database.ts';
import type { Pool } from '../src/platform/sql/executor.ts';
import { beginSession } from '../src/registry/people/person-sessions.ts';
import { type Population, passwordOf, populate } from '../test/performance/population.ts';
import { connectAsOwner } from '../test/support/connect-as-owner.ts';
import { sql } from '../test/support/sql.ts';
import type { Bar } from './progress.ts';

export type Owned = {
  readonly name: string;
  /** yyyy-mm-dd, as renewals want it. */
  readonly expiry: string;
  readonly code: string;
};
/** A registrar as its client sees it. */
export type Registrar = {
  readonly authorization: string;
  readonly contactCodes: readonly string[];
  readonly domains: readonly Owned[];
  readonly messages: readonly number[];
};
/** What was loaded before the measurement, for the requests to speak about. */
export type World = {
  /** Of a person of the registrar alpha, logged in to the console. */
  readonly cookie: string;
  readonly alpha: Registrar;
  readonly others: readonly Registrar[];
  /** Whose code somebody else has, and will use. */
  readonly leaving: readonly Owned[];
};

const OTHERS = Array.from({ length: 20 }, (_, index) => `BENCH${index + 1}`);
/** Each has a password to hash and to verify: a short trial has few of them, with hashes that cost next to nothing. */
const SMALL_REGISTRY_DOMAINS = 1_000;
const FEW_OTHERS = OTHERS.slice(0, 6);
const LEAVING = 'LEAVING';
const ASKING = ['ALPHA', ...OTHERS, LEAVING];
const MESSAGES_EACH = 250;
/** Most people have one or two. */
const CONTACTS_PER_DOMAIN = 0.6;

/** More transfers than can be made in three rounds of so many seconds, and three at half load. */
const leavingIn = (domains: number, seconds: number) => Math.min(domains / 2, 6_000 * Math.max(1, seconds));

/** A registry of a few large registrars. */
export const fewRegistrars = (domains: number, seconds: number): Population => ({
  registrars: domains > SMALL_REGISTRY_DOMAINS ? ASKING : ['ALPHA', ...FEW_OTHERS, LEAVING],
  hasQuickPasswords: domains <= SMALL_REGISTRY_DOMAINS,
  contactsEach: Math.ceil((domains * CONTACTS_PER_DOMAIN) / OTHERS.length),
  domains,
  messagesEach: MESSAGES_EACH,
  shares: { [LEAVING]: { contacts: 100, domains: leavingIn(domains, seconds) } },
});

const REGISTRARS = 200;

/**
 * A registry with the registrars, nameservers and history of a country. Those who ask have the same at every size, so
 * that their answers are alike: what grows is the registry around them.
 */
export const country = (domains: number): Population => ({
  registrars: [
    ...ASKING,
    ...Array.from({ length: REGISTRARS - ASKING.length }, (_, index) => `OTHER${index + 1}`),
  ],
  contactsEach: Math.ceil((domains * CONTACTS_PER_DOMAIN) / REGISTRARS),
  domains,
  messagesEach: MESSAGES_EACH,
  nameserversEach: 3,
  historyEach: 10,
  shares: {
    ALPHA: { contacts: 600, domains: 1_000 },
    [LEAVING]: { contacts: 100, domains: 3_000 },
    ...Object.fromEntries(OTHERS.map((code) => [code, { contacts: 90, domains: 150 }])),
  },
});

const MAX_RESERVED = 10_000;

/** Names that are kept for somebody; a short trial has few. */
async function reserveSome(db: Pool, domains: number): Promise<void> {
  await db.run(sql`
    insert into reserved_names (name, code, expires_at, created_at)
    select 'reserved-' || n || '.ee', md5('reserved' || n), now() + interval '1 year', now() from generate_series(1, ${Math.min(MAX_RESERVED, domains)}::int) as n
    on conflict do nothing`);
}

/** Fills the registry straight through the database: how fast it fills is not what is measured. */
export async function loadWorld(database: DatabaseTarget, population: Population, bar: Bar): Promise<World> {
  const db = await connectAsOwner(database);
  try {
    await populate(db, population, (loaded, all) => bar.show('loading domains', loaded, all));
    await reserveSome(db, population.domains);
    return {
      cookie: await logInSomebody(db),
      alpha: await registrarNamed(db, 'ALPHA'),
      others: await Promise.all(
        OTHERS.filter((code) => population.registrars.includes(code)).map((code) => registrarNamed(db, code)),
      ),
      leaving: (await registrarNamed(db, LEAVING)).domains,
    };
  } finally {
    await db.close();
  }
}

/** Straight through the database too: a production wants a second factor. */
export async function logInSomebody(db: Pool, registrar = 'ALPHA'): Promise<string> {
  const now = new Date();
  const { id: personId } = await db.one(sql<{ id: number }>`
    with person as (
      insert into people (email, email_key, name, language, created_at, updated_at)
      values ('bench@example.ee', 'bench@example.ee', 'Mari Maasikas', 'en', ${now}, ${now}) returning id)
    insert into memberships (person_id, registrar_id, roles, created_at)
    select p.id, r.id, array['admin'], ${now} from person p, registrars r where r.code = ${registrar} returning person_id as id`);
  const client = { address: '127.0.0.1', userAgent: 'benchmark' };
  const session = { personId, factor: 'passkey', requestId: randomUUID(), ...client } as const;
  const token = (await beginSession(db, session, now)) ?? '';
  return sessionCookie(token).split(';', 1)[0] ?? '';
}

/** Of the user that the loader makes for a registrar. */
export const authorizationOf = (code: string): string =>
  `Basic ${Buffer.from(`${code.toLowerCase()}:${passwordOf(code)}`).toString('base64')}`;

async function registrarNamed(db: Pool, code: string): Promise<Registrar> {
  const contacts = await db.rows(sql<{ code: string }>`
    select c.code from contacts c join registrars r on r.id = c.registrar_id where r.code = ${code}`);
  const messages = await db.rows(sql<{ id: number }>`
    select m.id from poll_messages m join registrars r on r.id = m.registrar_id where r.code = ${code} and m.read_at is null`);
  const domains = await db.rows(sql<Owned>`
    select d.name, to_char(d.expire_time at time zone 'Europe/Tallinn', 'YYYY-MM-DD') as expiry, d.transfer_code as code
    from domains d join registrars r on r.id = d.registrar_id where r.code = ${code}`);
  return {
    authorization: authorizationOf(code),
    contactCodes: contacts.map((row) => row.code),
    messages: messages.map(({ id }) => id),
    domains,
  };
}
