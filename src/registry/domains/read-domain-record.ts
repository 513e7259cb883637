import { batchedLookup } from '../../platform/sql/batched-lookup.ts';
import type { Database } from '../../platform/sql/database.ts';
import { compactList, compactObject, type Fragment, sql } from '../../platform/sql/statement.ts';
import { requireTransferCode, type WrongCodes, wrongCodesOf } from '../access/wrong-codes.ts';
import type { Context } from '../operation.ts';
import { refuseMissing } from '../removed.ts';
import type { DnsKey } from './dnssec-keys.ts';
import type { ContactRole } from './domain.ts';
import type { Nameserver } from './nameservers.ts';
import { disputed, NAMESERVERS, STATUSES } from './read-domain.ts';

/** A domain with everything that RFC 5731 shows of one. Registrars are named by their codes, times are in UTC. */
export type DomainRecord = {
  readonly id: number;
  readonly name: string;
  readonly registrant: string;
  readonly contacts: readonly { readonly code: string; readonly role: ContactRole }[];
  readonly nameservers: readonly Nameserver[];
  readonly dnsKeys: readonly DnsKey[];
  /** Stored and computed ones, with their notes. */
  readonly statuses: Readonly<Record<string, string>>;
  readonly sponsor: string;
  readonly creator: string | null;
  /** Null if it was never changed, or if the registry or the registrant changed it last. */
  readonly updater: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly expireTime: string;
  readonly transferredAt: string | null;
  /** Only for the sponsor and those who gave it. */
  readonly transferCode: string | null;
};

type Row = {
  readonly record: DomainRecord & { readonly transferCode: string };
  readonly registrarId: number;
};

const utc = (column: Fragment): Fragment =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const codeOf = (registrarId: Fragment): Fragment =>
  sql`(select r.code from registrars r where r.id = ${registrarId})`;
/**
 * The registrar of one row of the domain's history; earlier domains of the name have another id. The index of history
 * has the default collation, the name of a domain has not.
 */
const registrarIn = (which: Fragment): Fragment => sql`(
  select h.registrar_id from history h
  where h.object_kind = 'domain' and h.object_name = d.name collate "default" and h.object_id = d.id and ${which} limit 1)`;

const find = batchedLookup<Row, 'name' | 'now'>(
  { name: 'text', now: 'timestamptz' },
  ({ name, now }) => sql<Row>`
  select d.registrar_id as "registrarId", ${compactObject(sql`d.id, d.name, d.transfer_code as "transferCode",
    (select c.code from contacts c where c.id = d.registrant_id) as registrant,
    (select coalesce(${compactList(compactObject(sql`c.code, l.role`), sql`l.role, c.id`)}, '[]')
      from domain_contacts l join contacts c on c.id = l.contact_id where l.domain_id = d.id) as contacts,
    coalesce(state.nameservers, '[]') as nameservers,
    (select coalesce(${compactList(compactObject(sql`k.flags, k.protocol, k.alg, k.public_key as "publicKey"`), sql`k.id`)}, '[]')
      from domain_keys k where k.domain_id = d.id) as "dnsKeys",
    ${STATUSES} as statuses,
    ${codeOf(sql`d.registrar_id`)} as sponsor,
    ${codeOf(registrarIn(sql`h.operation = 'create' order by h.id`))} as creator,
    ${codeOf(registrarIn(sql`h.operation <> 'create' order by h.id desc`))} as updater,
    ${utc(sql`d.created_at`)} as "createdAt", ${utc(sql`d.updated_at`)} as "updatedAt", ${utc(sql`d.expire_time`)} as "expireTime",
    (select ${utc(sql`t.transferred_at`)} from transfers t where t.domain_id = d.id order by t.id desc limit 1) as "transferredAt"`)} as record
  from domains d cross join lateral (select ${disputed(now)} as disputed, ${NAMESERVERS} as nameservers offset 0) as state
  where d.name = ${name}`,
);

type ReadContext = Pick<Context, 'principal' | 'now' | 'policy'> & {
  /** A caller who gives the right code sees it in the record; a wrong one is refused, and counts as a guess. */
  readonly transferCode?: string | undefined;
};

/** The domain for any registrar. */
export async function readDomainRecord(
  database: Database,
  name: string,
  { transferCode: given, ...context }: ReadContext,
): Promise<DomainRecord> {
  const { principal, now } = context;
  const { registrarId } = principal;
  const row = await find(database.reads, { name, now: now.toISOString() });
  if (!row) return refuseMissing(database.reads, 'domain', name, principal);
  const { record } = row;
  if (row.registrarId === registrarId) return record;
  if (given === undefined) return { ...record, transferCode: null };
  const { wrongCodes } = await database.reads.one(sql<{ wrongCodes: WrongCodes }>`
    select ${wrongCodesOf(name, { registrarId, now })} as "wrongCodes"`);
  const code = { code: given, what: 'transfer_code', field: 'transfer_code' };
  await requireTransferCode(database.writes, { ...row, ...record, wrongCodes }, code, context);
  return record;
}
