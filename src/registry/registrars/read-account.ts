import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { toDecimal } from '../../platform/values/money.ts';
import type { RegistrarScope } from '../actor.ts';

type User = {
  readonly id: number;
  readonly username: string;
  readonly role: string;
  readonly active: boolean;
};
/** One range of addresses, of either family, and from which interface it may be used. */
type Address = {
  readonly id: number;
  readonly ipv4: string | null;
  readonly ipv6: string | null;
  readonly interfaces: readonly string[];
  readonly committed: boolean;
};
type Row = {
  readonly email: string | null;
  readonly amount: string | null;
  readonly threshold: string | null;
  readonly users: readonly User[];
  readonly addresses: readonly Address[];
};
export type RegistrarAccount = Pick<Row, 'email' | 'users' | 'addresses'> & {
  readonly topUp: { readonly amount: string; readonly threshold: string } | null;
};

/** What the registry knows about a registrar: where its mails go, its automatic top-up, its users and their addresses. */
export async function readRegistrarAccount(
  db: Sql,
  { registrarId }: RegistrarScope,
): Promise<RegistrarAccount> {
  const { amount, threshold, ...row } = await db.one(sql<Row>`
    select r.email, r.top_up_amount::text as amount, r.top_up_threshold::text as threshold,
      (select coalesce(json_agg(json_build_object('id', u.id, 'username', u.username, 'role', u.roles[1], 'active', u.disabled_at is null) order by u.id), '[]')
        from api_users u where u.registrar_id = r.id) as users,
      (select coalesce(json_agg(json_build_object('id', a.id, 'ipv4', case family(a.range) when 4 then a.range end,
          'ipv6', case family(a.range) when 6 then a.range end, 'interfaces', array[a.interface], 'committed', true) order by a.id), '[]')
        from (
          select row_number() over (order by interface, range) as id, interface, range from (
            select 'api' as interface, range from allowed_addresses where registrar_id = r.id
            union all select 'registrar', range from console_addresses where registrar_id = r.id) as each) as a) as addresses
    from registrars r where r.id = ${registrarId}`);
  const topUp =
    amount === null || threshold === null
      ? null
      : { amount: toDecimal(BigInt(amount)), threshold: toDecimal(BigInt(threshold)) };
  return { ...row, topUp };
}
