import { operatorOperation } from '../../operations/operator-operation.ts';
import { persistRecorded } from '../../operations/record-history.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { refuse } from '../operator-refusals.ts';

/** One session, or all of a registrar. */
type Wanted = { readonly id: string } | { readonly registrar: string };
type LiveSession = { readonly id: string; readonly user: string; readonly registrar: string };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Asks the servers that hold these EPP sessions to end them, which they do at their next renewal. */
export const endSessions = operatorOperation(
  { name: 'end EPP sessions', right: 'registrars', refusals: ['sessionMissing', 'noSessions'] },
  {
    load: loadSessions,

    decide(sessions, wanted) {
      if (sessions.length > 0) return { answer: { ended: sessions } };
      return 'id' in wanted ? refuse('sessionMissing', { id: wanted.id }) : refuse('noSessions', wanted);
    },

    persist(db, { answer }, context) {
      const ids = answer.ended.map(({ id }) => id);
      const changed = sql`
        update epp_sessions s set end_requested_at = clock_timestamp() from api_users u
        where u.id = s.user_id and s.id = any(${ids}::uuid[]) and s.lease_until > clock_timestamp()
        returning u.id, u.username as name, s.registrar_id, s.id as session, host(s.address) as address`;
      const entry = {
        objectKind: 'user',
        operation: 'end EPP session',
        registrarId: sql`changed.registrar_id`,
        after: sql`jsonb_build_object('session', changed.session, 'address', changed.address)`,
        rows: ids.length,
      };
      return persistRecorded(db, { changed }, entry, { answer, context });
    },
  },
);

async function loadSessions(db: Sql, wanted: Wanted): Promise<LiveSession[]> {
  if ('id' in wanted && !UUID.test(wanted.id)) return [];
  return db.rows(sql<LiveSession>`
    select s.id, u.username as user, r.code as registrar
    from epp_sessions s join registrars r on r.id = s.registrar_id join api_users u on u.id = s.user_id
    where s.lease_until > clock_timestamp()
      and ${'id' in wanted ? sql`s.id = ${wanted.id}::uuid` : sql`r.code = ${wanted.registrar}`}
    order by s.id`);
}
