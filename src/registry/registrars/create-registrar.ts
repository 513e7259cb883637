import { sharedAccounts } from '../../ledger/credit-registrar.ts';
import { operatorOperation } from '../../operations/operator-operation.ts';
import { persistRecorded } from '../../operations/record-history.ts';
import { requireNone } from '../../operations/refusal.ts';
import { sql } from '../../platform/sql/statement.ts';
import { refusal } from '../operator-refusals.ts';
import { checkDetails, DETAILS_IN_HISTORY, type RegistrarDetails } from './registrar-details.ts';

export type NewRegistrar = Partial<RegistrarDetails> & { readonly code: string; readonly name: string };
type Created = { readonly code: string; readonly details: RegistrarDetails };

/** EPP shows registrars as clIDType, whose length this is. The database has longer and shorter ones from before. */
const CODE = /^[A-Z0-9_-]{3,16}$/;

/** A new registrar with its two accounts, balance and debt. */
export const createRegistrar = operatorOperation(
  {
    name: 'create registrar',
    right: 'registrars',
    refusals: [
      'registrarCodeInvalid',
      'registrarNameEmpty',
      'websiteInvalid',
      'phoneInvalid',
      'emailInvalid',
      'registrarTaken',
    ],
  },
  {
    load: async (db, { code }: NewRegistrar) => ({
      isTaken: (await db.rows(sql`select from registrars where code = ${code}`)).length > 0,
    }),

    decide({ isTaken }, { code, ...given }, { policy }) {
      requireNone([
        ...(CODE.test(code) ? [] : [refusal('registrarCodeInvalid')]),
        ...checkDetails(given, policy),
        ...(isTaken ? [refusal('registrarTaken', { registrar: code })] : []),
      ]);
      const details = { website: '', email: null, phone: null, abuseEmail: null, abusePhone: null, ...given };
      return { answer: { code, details } satisfies Created };
    },

    persist(db, { answer }, context) {
      const { code, details } = answer;
      const { name, website, email, phone, abuseEmail, abusePhone } = details;
      const { currency } = context.policy;
      const changed = sql`
        insert into registrars as r (code, name, website, email, phone, abuse_email, abuse_phone, created_at)
        values (${code}, ${name}, ${website}, ${email}, ${phone}, ${abuseEmail}, ${abusePhone}, ${context.now})
        on conflict (code) do nothing
        returning r.id, r.code as name, ${DETAILS_IN_HISTORY} || jsonb_build_object('code', r.code) as details`;
      const accounts = sql`
        insert into ledger_accounts (kind, registrar_id, currency, balance)
        select kind, id, ${currency}, 0 from changed cross join (values ('registrar'), ('debt')) as k(kind)`;
      const shared = sql`
        insert into ledger_accounts (kind, currency)
        select kind, ${currency} from unnest(${[...sharedAccounts]}::text[]) as s(kind)
        on conflict (kind, currency) where registrar_id is null do nothing`;
      return persistRecorded(
        db,
        { changed, accounts, shared },
        {
          objectKind: 'registrar',
          operation: 'create',
          registrarId: sql`changed.id`,
          after: sql`changed.details`,
        },
        { answer, context },
      );
    },
  },
);
