import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { RegistrarScope } from '../actor.ts';

/** A registrar's account and what happens when it runs low; amounts are cents as text. */
export type OwnAccount = {
  readonly balance: string;
  /** Nothing can be bought while it is above zero. */
  readonly debt: string;
  readonly currency: string;
  /** The balance below which the registrar is warned; null if it is not. */
  readonly lowBalance: string | null;
  /** The automatic invoice, and the balance at which it is issued; both or none. */
  readonly topUpAmount: string | null;
  readonly topUpThreshold: string | null;
};

export const readOwnAccount = (db: Sql, { registrarId }: RegistrarScope): Promise<OwnAccount> =>
  db.one(sql<OwnAccount>`
    select a.balance::text as balance, d.balance::text as debt, a.currency, r.low_balance::text as "lowBalance",
      r.top_up_amount::text as "topUpAmount", r.top_up_threshold::text as "topUpThreshold"
    from registrars r join ledger_accounts a on a.registrar_id = r.id and a.kind = 'registrar'
    join ledger_accounts d on d.registrar_id = r.id and d.kind = 'debt' where r.id = ${registrarId}`);
