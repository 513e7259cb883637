import { operatorOperation } from '../../operations/operator-operation.ts';
import { persistRecorded } from '../../operations/record-history.ts';
import { sql } from '../../platform/sql/statement.ts';
import { isWithinRegistrar } from '../registrars/own-registrar.ts';
import { refuse } from './certificate-refusals.ts';

type Revocation = { readonly serial: string };
type GoodCertificate = { readonly id: number; readonly username: string };

/** Revokes a certificate, effective within seconds on every server, and marks its revocation list for signing. */
export const revokeCertificate = operatorOperation(
  { name: 'revoke certificate', right: 'registrars', refusals: ['certificateNotGood'] },
  {
    load: (db, { serial }: Revocation, context) =>
      db.rows(sql<GoodCertificate>`
        select c.id, u.username from certificates c join api_users u on u.id = c.user_id
        where c.serial = ${serial} and c.revoked_at is null and ${isWithinRegistrar(sql`u.registrar_id`, context)}
        order by c.id`),

    decide(found, { serial }) {
      const { username } = found[0] ?? refuse('certificateNotGood', { serial });
      // Two authorities may have given the same serial number.
      return { answer: { serial, username }, ids: found.map(({ id }) => id) };
    },

    persist(db, { answer, ids }, context) {
      const { now, reason } = context;
      const changed = sql`
        update certificates c set revoked_at = ${now}, revocation_reason = ${reason?.text ?? 'not told'}
        from api_users u where c.id = any(${ids}) and c.revoked_at is null and u.id = c.user_id
        returning u.id, u.username as name, u.registrar_id, c.authority_id`;
      const outdated = sql`
        update authorities set revocation_list_stale = true where id in (select authority_id from changed)`;
      // Servers notice a change of the user whose certificate they have checked.
      const noticed = sql`update api_users set version = version where id in (select id from changed)`;
      const entry = {
        objectKind: 'user',
        operation: 'revoke certificate',
        registrarId: sql`changed.registrar_id`,
        after: { serial: answer.serial },
        rows: ids.length,
      };
      return persistRecorded(db, { changed, outdated, noticed }, entry, { answer, context });
    },
  },
);
