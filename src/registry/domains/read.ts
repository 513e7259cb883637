import type { Sql } from '../../platform/database/database.ts';
import type { Context } from '../operation.ts';
import { refuse } from '../refusals.ts';
import { domainObject } from './object.ts';

type ReadContext = Pick<Context, 'principal' | 'now'>;

/** The domain as JSON text, whoever asks; the transfer code is the sponsor's alone. */
export async function readDomainObject(sql: Sql, name: string, context: ReadContext): Promise<string> {
  const { principal, now } = context;
  const [row] = await sql<{ domain: string; transferCode: string | null }[]>`
    select ${domainObject(sql, principal, now, { withCode: false })}::text as domain,
      case when d.registrar_id = ${principal.registrarId} then d.transfer_code end as "transferCode"
    from domains d where d.name = ${name}`;
  if (!row) return refuse((await wasRemoved(sql, name, context)) ? 'objectGone' : 'objectMissing');
  return withTransferCode(row.domain, row.transferCode);
}

/** Adds the last member to an object that PostgreSQL wrote. */
const withTransferCode = (object: string, transferCode: string | null): string =>
  transferCode === null ? object : `${object.slice(0, -1)},"transfer_code":${JSON.stringify(transferCode)}}`;

async function wasRemoved(sql: Sql, name: string, { principal }: ReadContext): Promise<boolean> {
  const [row] = await sql<{ removed: boolean }[]>`
    select exists (select from removed_objects
      where object_kind = 'domain' and name_key = ${name} and registrar_id = ${principal.registrarId}) as removed`;
  return row?.removed ?? false;
}
