import { operatorOperation } from '../../operations/operator-operation.ts';
import { persistRecorded } from '../../operations/record-history.ts';
import { requireNone } from '../../operations/refusal.ts';
import { sql } from '../../platform/sql/statement.ts';
import { refuse } from '../operator-refusals.ts';
import { checkDetails, DETAILS_IN_HISTORY, type RegistrarDetails } from './registrar-details.ts';
import { requireRegistrar } from './require-registrar.ts';

/** What is left out stays. */
export type RegistrarUpdate = { readonly code: string; readonly details: Partial<RegistrarDetails> };
type Found = RegistrarDetails & { readonly id: number; readonly version: number; readonly before: object };

export const updateRegistrar = operatorOperation(
  {
    name: 'update registrar',
    right: 'registrars',
    refusals: [
      'nothingToChange',
      'registrarNameEmpty',
      'websiteInvalid',
      'phoneInvalid',
      'emailInvalid',
      'registrarMissing',
    ],
  },
  {
    load: (db, { code }: RegistrarUpdate) =>
      db.maybe(sql<Found>`
        select r.id, r.version, r.name, r.website, r.email, r.phone, r.abuse_email as "abuseEmail", r.abuse_phone as "abusePhone",
          ${DETAILS_IN_HISTORY} as before
        from registrars r where r.code = ${code}`),

    decide(found, { code, details }, { policy }) {
      if (Object.keys(details).length === 0)
        refuse('nothingToChange', {
          what: 'a new name, website, e-mail address, phone number or abuse contact',
        });
      requireNone(checkDetails(details, policy));
      const registrar = requireRegistrar(found, code);
      return { answer: { code, details }, registrar, after: { ...registrar, ...details } };
    },

    persist(db, { answer, registrar, after }, context) {
      const { name, website, email, phone, abuseEmail, abusePhone } = after;
      const changed = sql`
        update registrars r set name = ${name}, website = ${website}, email = ${email}, phone = ${phone},
          abuse_email = ${abuseEmail}, abuse_phone = ${abusePhone}
        where r.id = ${registrar.id} and r.version = ${registrar.version}
        returning r.id, r.code as name, ${DETAILS_IN_HISTORY} as details`;
      return persistRecorded(
        db,
        { changed },
        {
          objectKind: 'registrar',
          operation: 'update',
          registrarId: registrar.id,
          before: registrar.before,
          after: sql`changed.details`,
        },
        { answer, context },
      );
    },
  },
);
