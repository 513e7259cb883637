import { type DatabaseTarget, openAsOwner, type Pool } from '../src/platform/database/database.ts';
import { passwordOf, populate } from '../test/performance/population.ts';

export type Owned = {
  readonly name: string;
  /** yyyy-mm-dd, as renewals want it. */
  readonly expiry: string;
};
/** A registrar as his client knows him. */
export type Registrar = {
  readonly authorization: string;
  readonly contactCodes: readonly string[];
  readonly domains: readonly Owned[];
};
/** What was loaded before the measurement, for the requests to speak about. */
export type World = { readonly alpha: Registrar; readonly others: readonly Registrar[] };
export type Size = {
  readonly registrars: number;
  readonly contacts: number;
  readonly domains: number;
};

const OTHERS = 20;
/** About as many as a registrar has with that many domains: most people have one or two. */
const CONTACTS_EACH = 3_000;
const MESSAGES_EACH = 250;
export const sizeOf = (domains: number): Size => ({
  registrars: OTHERS + 1,
  contacts: (OTHERS + 1) * CONTACTS_EACH,
  domains,
});

const RESERVED = 10_000;

/** Names that are kept for somebody. */
async function reserveSome(sql: Pool): Promise<void> {
  await sql`
    insert into reserved_names (name, code, expires_at, created_at)
    select 'reserved-' || n || '.ee', md5('reserved' || n), now() + interval '1 year', now() from generate_series(1, ${RESERVED}::int) as n
    on conflict do nothing`;
}

/** Fills the registry straight through the database: how fast it fills is not what is measured. */
export async function loadWorld(
  database: DatabaseTarget,
  domains: number,
  progress: (text: string) => void,
): Promise<World> {
  const others = Array.from({ length: OTHERS }, (_, index) => `BENCH${index + 1}`);
  const sql = openAsOwner(database);
  try {
    const registrars = ['ALPHA', ...others];
    await populate(
      sql,
      { registrars, contactsEach: CONTACTS_EACH, domains, messagesEach: MESSAGES_EACH },
      progress,
    );
    await reserveSome(sql);
    const registrarNamed = async (code: string): Promise<Registrar> => {
      const contacts = await sql<{ code: string }[]>`
        select c.code from contacts c join registrars r on r.id = c.registrar_id where r.code = ${code}`;
      const owned = await sql<Owned[]>`
        select d.name, to_char(d.expire_time at time zone 'Europe/Tallinn', 'YYYY-MM-DD') as expiry
        from domains d join registrars r on r.id = d.registrar_id where r.code = ${code}`;
      const credentials = `${code.toLowerCase()}:${passwordOf(code)}`;
      return {
        authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
        contactCodes: contacts.map((row) => row.code),
        domains: owned,
      };
    };
    return {
      alpha: await registrarNamed('ALPHA'),
      others: await Promise.all(others.map(registrarNamed)),
    };
  } finally {
    await sql.end();
  }
}
