import { batchedLookup } from '../../../platform/sql/batched-lookup.ts';
import { namedColumns, pickColumns } from '../../../platform/sql/columns.ts';
import type { Database } from '../../../platform/database/database.ts';
import { compactObject, type Fragment, sql } from '../../../platform/sql/statement.ts';
import { requireTransferCode, type WrongCodes, wrongCodesOf } from '../../access/wrong-transfer-codes.ts';
import type { Context } from '../../operation.ts';
import { refuseMissing } from '../../removed.ts';
import { stateAt } from '../rules/computed-statuses.ts';
import type { DnsKey } from '../rules/dnssec-keys.ts';
import type { ContactRole } from '../domain.ts';
import { CONTACT_LINKS, jsonOfLinks, KEY_LINKS, ofRegistrant, withColumns } from './domain-links.ts';
import { DOMAIN } from './domain-members.ts';
import type { Nameserver } from '../rules/parse-nameservers.ts';

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

const utc = (time: Fragment): Fragment =>
  sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const codeOf = (registrarId: Fragment): Fragment =>
  sql`(select r.code from registrars r where r.id = ${registrarId})`;
/**
 * The registrar of one row of the domain's history; earlier domains of the name have another id. The index of history
 * has the default collation, the name of a domain has not.
 */
const registrarIn = (which: Fragment): Fragment => sql`(
  select h.registrar_id from history h
  where h.object_kind = 'domain' and h.object_name = d.name collate "default" and h.object_id = d.id and ${which} limit 1)`;

const RECORD = {
  ...pickColumns(DOMAIN, 'id', 'name', 'transferCode', 'statuses'),
  registrant: ofRegistrant((contact) => contact.code),
  contacts: jsonOfLinks(withColumns(CONTACT_LINKS, 'code', 'role')),
  nameservers: sql`${DOMAIN.nameservers}::json`,
  dnsKeys: jsonOfLinks(withColumns(KEY_LINKS, 'flags', 'protocol', 'alg', 'publicKey')),
  sponsor: codeOf(DOMAIN.registrarId),
  creator: codeOf(registrarIn(sql`h.operation = 'create' order by h.id`)),
  updater: codeOf(registrarIn(sql`h.operation <> 'create' order by h.id desc`)),
  createdAt: utc(DOMAIN.createdAt),
  updatedAt: utc(DOMAIN.updatedAt),
  expireTime: utc(DOMAIN.expireTime),
  transferredAt: utc(DOMAIN.transferredAt),
} satisfies Record<keyof DomainRecord, Fragment>;

const find = batchedLookup<Row, 'name' | 'now'>(
  { name: 'text', now: 'timestamptz' },
  (asked) => sql<Row>`
  select d.registrar_id as "registrarId", ${compactObject(namedColumns(RECORD))} as record
  from domains d cross join lateral ${stateAt(asked.now)} where d.name = ${asked.name}`,
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
  await requireTransferCode(database.writes, { ...row, ...record, wrongCodes }, given, context);
  return record;
}
