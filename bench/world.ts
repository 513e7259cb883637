import { type DatabaseTarget, openAsOwner } from '../src/platform/database/database.ts';
import type { World } from './operations.ts';

export const CONTACTS = 20_000;
const BATCH = 5_000;

/** Fills the registry straight through the database: how fast it fills is not what is measured. */
export async function loadWorld(database: DatabaseTarget, progress: (text: string) => void): Promise<World> {
  const sql = openAsOwner(database);
  try {
    for (let from = 1; from <= CONTACTS; from += BATCH) {
      const until = from + BATCH - 1;
      await sql`
        insert into contacts (registrar_id, code, code_key, name, name_key, email, phone,
          ident, ident_type, ident_country_code, auth_info, created_at, updated_at)
        select r.id, 'loaded-' || n, 'loaded-' || n, 'Loaded Person ' || n, 'loaded person ' || n,
          'loaded' || n || '@example.ee', '+372.' || n, '60001019906', 'priv', 'EE', md5(n::text), t, t
        from registrars r, generate_series(${from}::int, ${until}::int) as n,
          lateral (select timestamptz '2025-01-01' + n * interval '1 minute' as t) as made
        where r.code = 'ALPHA'`;
      progress(`loaded ${until} of ${CONTACTS} contacts`);
    }
    await sql`vacuum analyze contacts`;
    const rows = await sql<{ code: string }[]>`select code from contacts`;
    return {
      authorization: `Basic ${Buffer.from('alpha:alpha-sandbox-password').toString('base64')}`,
      contactCodes: rows.map(({ code }) => code),
    };
  } finally {
    await sql.end();
  }
}
