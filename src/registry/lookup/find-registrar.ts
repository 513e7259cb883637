import { batchedLookup } from '../../platform/sql/batched-lookup.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { compactObject, sql } from '../../platform/sql/statement.ts';

/** A registrar as the public sees it. */
export type PublicRegistrar = {
  readonly code: string;
  readonly name: string;
  readonly website: string;
  readonly phone: string | null;
  readonly abuseEmail: string | null;
  readonly abusePhone: string | null;
};

const COLUMNS = sql`r.code, r.name, r.website, r.phone, r.abuse_email as "abuseEmail", r.abuse_phone as "abusePhone"`;

/** A row `r` of registrars. */
export const REGISTRAR = compactObject(COLUMNS);

const find = batchedLookup<PublicRegistrar, 'code'>(
  { code: 'text' },
  ({ code }) => sql<PublicRegistrar>`select ${COLUMNS} from registrars r where r.code = ${code}`,
);

/** By its code, in any case. One that is suspended still has its domains. */
export const findRegistrar = (db: Sql, code: string): Promise<PublicRegistrar | undefined> =>
  find(db, { code: code.toUpperCase() });

/** Those that can register domains, by name. */
export const listAccreditedRegistrars = (db: Sql): Promise<PublicRegistrar[]> =>
  db.rows(sql<PublicRegistrar>`
    select ${COLUMNS} from registrars r where r.suspended_at is null order by lower(r.name), r.code`);
