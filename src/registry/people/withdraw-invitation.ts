import { operatorOperation } from '../../operations/operator-operation.ts';
import { persistRecorded } from '../../operations/record-history.ts';
import { sql } from '../../platform/sql/statement.ts';
import { refuse } from '../operator-refusals.ts';
import { isWithinRegistrar } from '../registrars/own-registrar.ts';
import type { MembershipChange } from './membership.ts';
import { emailKey } from './person.ts';

type Open = { readonly id: number };

/** Withdraws the open invitation of an address to a registrar. */
export const withdrawInvitation = operatorOperation(
  { name: 'withdraw invitation', right: 'registrars', refusals: ['invitationMissing'] },
  {
    load: (db, { email, registrar, wallTime }: MembershipChange, context) =>
      db.rows(sql<Open>`
        select i.id from invitations i join registrars r on r.id = i.registrar_id
        where r.code = ${registrar} and ${isWithinRegistrar(sql`r.id`, context)} and i.email = ${emailKey(email)}
          and i.accepted_at is null and i.withdrawn_at is null and i.expires_at > ${wallTime}`),

    decide(open, { email, registrar, wallTime }) {
      if (open.length === 0) refuse('invitationMissing', { email, registrar });
      return { answer: { email, registrar }, ids: open.map(({ id }) => id), wallTime };
    },

    persist(db, { answer, ids, wallTime }, context) {
      const changed = sql`
        update invitations set withdrawn_at = ${wallTime}
        where id = any(${ids}::bigint[]) and accepted_at is null and withdrawn_at is null
        returning id, email as name, registrar_id`;
      const entry = {
        objectKind: 'invitation',
        operation: 'withdraw',
        registrarId: sql`changed.registrar_id`,
        rows: ids.length,
      };
      return persistRecorded(db, { changed }, entry, { answer, context });
    },
  },
);
