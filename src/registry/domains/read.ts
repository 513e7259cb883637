import { batchedLookup } from '../../platform/sql/batched-lookup.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Context } from '../operation.ts';
import { refuseMissing } from '../removed.ts';
import { domainObject } from './object.ts';

type ReadContext = Pick<Context, 'principal' | 'now'>;

type Row = { domain: string; transferCode: string | null };

const find = batchedLookup<Row, 'name' | 'now' | 'registrarId'>(
  { name: 'text', now: 'timestamptz', registrarId: 'bigint' },
  (asked) => sql<Row>`
  select ${domainObject(asked)}::text as domain, case when d.registrar_id = ${asked.registrarId} then d.transfer_code end as "transferCode"
  from domains d where d.name = ${asked.name}`,
);

/** The domain as JSON text, whoever asks; the transfer code is the sponsor's alone. */
export async function readDomainObject(db: Sql, name: string, context: ReadContext): Promise<string> {
  const { registrarId } = context.principal;
  const row = await find(db, { name, now: context.now.toISOString(), registrarId });
  if (!row) return refuseMissing(db, 'domain', name, context.principal);
  const { domain, transferCode } = row;
  return transferCode === null ? domain : withMember(domain, 'transfer_code', transferCode);
}

/** Adds the last member to an object that PostgreSQL wrote. */
const withMember = (object: string, name: string, value: string): string =>
  `${object.slice(0, -1)},"${name}":${JSON.stringify(value)}}`;
