import { sql } from '../../platform/sql/statement.ts';
import { fine, type InsideCheck, problem, warning } from './check.ts';

/** What stands in history and ledger must be out of reach for the role that serves, and better for its login as well. */
export const rightsCheck: InsideCheck = {
  name: 'rights',
  async examine({ sql: db, config }) {
    const row = await db.one(sql<{ open: string[]; login: string; mighty: boolean }>`
      select session_user as login,
        array(select t || ' ' || lower(p) from unnest(array['history', 'ledger_entries']) t, unnest(array['UPDATE', 'DELETE', 'TRUNCATE']) p
          where has_table_privilege('cadastre_app', t, p) order by 1) as open,
        (select rolsuper from pg_roles where rolname = session_user)
          or pg_has_role(session_user, (select relowner from pg_class where oid = 'history'::regclass), 'MEMBER') as mighty`);
    if (row.open.length > 0)
      return [
        problem(
          `cadastre_app may change what stands (${row.open.join(', ')}).`,
          'Revoke that: revoke update, delete, truncate on history, ledger_entries from cadastre_app.',
        ),
      ];
    if (row.mighty && config.mode === 'production')
      return [
        warning(
          `The login ${row.login} owns the schema: by leaving its role it could alter history.`,
          'Serve with a login that is a member of cadastre_app and nothing more; see docs/operations.md.',
        ),
      ];
    return [fine('history and ledger can be added to, and not changed')];
  },
};
