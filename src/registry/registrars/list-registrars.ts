import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';

export type RegistrarRow = {
  readonly code: string;
  readonly name: string;
  readonly website: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly abuseEmail: string | null;
  readonly abusePhone: string | null;
  readonly status: 'active' | 'suspended';
  readonly users: number;
  readonly contacts: number;
  readonly domains: number;
  readonly balance: string;
  /** What the registrar owes; spending is blocked while it is above zero. */
  readonly debt: string;
  readonly currency: string;
  /** Threshold of the low-balance notification. */
  readonly lowBalance: string | null;
  /** Amount and threshold of the automatic top-up invoice. */
  readonly topUp: string | null;
  readonly topUpAt: string | null;
  /** Whether its requests are read by the compatibility profile. */
  readonly compatibility: boolean;
};

export async function listRegistrars(db: Sql, code?: string): Promise<RegistrarRow[]> {
  return db.rows(sql<RegistrarRow>`
    select r.code, r.name, r.website, r.email, r.phone,
      r.abuse_email as "abuseEmail", r.abuse_phone as "abusePhone", case when r.suspended_at is null then 'active' else 'suspended' end as status,
      (select count(*) from api_users u where u.registrar_id = r.id) as users,
      (select count(*) from contacts c where c.registrar_id = r.id) as contacts,
      (select count(*) from domains d where d.registrar_id = r.id) as domains,
      to_char(a.balance / 100.0, 'FM999999999999990.00') as balance, to_char(owed.balance / 100.0, 'FM999999999999990.00') as debt, a.currency,
      to_char(r.low_balance / 100.0, 'FM999999999999990.00') as "lowBalance",
      to_char(r.top_up_amount / 100.0, 'FM999999999999990.00') as "topUp", to_char(r.top_up_threshold / 100.0, 'FM999999999999990.00') as "topUpAt",
      r.compatibility
    from registrars r join ledger_accounts a on a.registrar_id = r.id and a.kind = 'registrar'
      join ledger_accounts owed on owed.registrar_id = r.id and owed.kind = 'debt'
    where ${code ?? null}::text is null or r.code = ${code ?? null}
    order by r.code`);
}
