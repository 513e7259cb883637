import type { Database } from '../../platform/database/database.ts';
import { sql } from '../../platform/sql/statement.ts';
import { type Part, part } from '../../platform/sql/with.ts';
import { requireTransferCode, type WrongCodes, wrongCodesOf } from '../access/wrong-transfer-codes.ts';
import { refuse } from '../domains/rules/domain-refusals.ts';
import type { Context } from '../operation.ts';
import { refuseMissing } from '../removed.ts';

type SponsorChange = {
  readonly before: Sponsored;
  readonly after: Sponsored;
  readonly author: { readonly now: Date };
};
type Sponsored = { readonly id: number; readonly registrarId: number; readonly expireTime: Date };

/** Part of a persisting statement: the transfers among the changes. */
export function recordTransfers(
  changes: readonly SponsorChange[],
): Part<'transferred', 'changed'> | undefined {
  const transfers = changes.filter(({ before, after }) => before.registrarId !== after.registrarId);
  if (transfers.length === 0) return undefined;
  return part(
    'transferred',
    ['changed'],
    sql`
    insert into transfers (domain_id, losing_registrar_id, gaining_registrar_id, transferred_at, expire_time)
    select changed.id, t.losing, t.gaining, t.at, t.expire_time
    from unnest(${transfers.map(({ before }) => before.id)}::bigint[], ${transfers.map(({ before }) => before.registrarId)}::bigint[],
      ${transfers.map(({ after }) => after.registrarId)}::bigint[], ${transfers.map(({ after }) => after.expireTime.toISOString())}::timestamptz[],
      ${transfers.map(({ author: { now } }) => now.toISOString())}::timestamptz[])
      as t(domain_id, losing, gaining, expire_time, at)
    join changed on changed.id = t.domain_id order by t.domain_id`,
  );
}

/** The last transfer of a domain; the registrars by their codes. */
export type TransferRecord = {
  readonly name: string;
  readonly losing: string;
  readonly gaining: string;
  readonly transferredAt: Date;
  readonly expireTime: Date;
};
type Row = {
  readonly id: number;
  readonly registrarId: number;
  readonly transferCode: string;
  readonly wrongCodes: WrongCodes;
  readonly losingId: number | null;
  readonly transfer:
    | (Omit<TransferRecord, 'transferredAt' | 'expireTime'> & {
        readonly [name in 'transferredAt' | 'expireTime']: string;
      })
    | null;
};

/** For the sponsor, the registrar that lost the domain, and everybody who has the transfer code. */
export async function readLastTransfer(
  database: Database,
  { name, code }: { readonly name: string; readonly code: string | undefined },
  context: Context,
): Promise<TransferRecord> {
  const { principal, now } = context;
  const { registrarId } = principal;
  const row = await database.reads.maybe(sql<Row>`
    select d.id, d.registrar_id as "registrarId", d.transfer_code as "transferCode",
      ${wrongCodesOf(name, { registrarId, now })} as "wrongCodes", t.losing_registrar_id as "losingId",
      case when t.id is not null then json_build_object('name', d.name,
        'losing', (select r.code from registrars r where r.id = t.losing_registrar_id),
        'gaining', (select r.code from registrars r where r.id = t.gaining_registrar_id),
        'transferredAt', t.transferred_at, 'expireTime', t.expire_time) end as transfer
    from domains d left join lateral (
      select * from transfers t where t.domain_id = d.id order by t.id desc limit 1) as t on true
    where d.name = ${name}`);
  if (!row) return refuseMissing(database.reads, 'domain', name, principal);
  if (row.losingId !== registrarId) {
    await requireTransferCode(database.writes, { ...row, name }, code, context);
  }
  if (!row.transfer) return refuse('transferMissing');
  const { transferredAt, expireTime, ...transfer } = row.transfer;
  return { ...transfer, transferredAt: new Date(transferredAt), expireTime: new Date(expireTime) };
}
