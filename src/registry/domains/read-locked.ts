import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import type { Ident } from '../contacts/ident.ts';
import type { Domain, LinkedContact, SignedKey } from './domain.ts';
import { type DomainRow, domainValue, isDisputed, readDomain } from './load.ts';
import type { Nameserver } from './nameservers.ts';

/** From so many on, four round trips cost less than the JSON of every domain. */
const MANY = 12;

/** Domains that are locked already, in the order of their ids. */
export async function readLocked(db: Sql, ids: readonly number[], now: Date): Promise<Domain[]> {
  if (ids.length === 0) return [];
  return ids.length < MANY ? readAsJson(db, ids, now) : readByTable(db, ids, now);
}

const among = (ids: readonly number[]): Fragment => sql`any(${ids as number[]}::bigint[])`;

async function readAsJson(db: Sql, ids: readonly number[], now: Date): Promise<Domain[]> {
  const rows = await db.rows(
    sql<{
      domain: DomainRow;
    }>`select ${domainValue(now)} as domain from domains d where d.id = ${among(ids)} order by d.id`,
  );
  return rows.map(({ domain }) => readDomain(domain));
}

/** The locks keep domains and links as they are from the first statement to the last. */
async function readByTable(db: Sql, ids: readonly number[], now: Date): Promise<Domain[]> {
  const [domains, contacts, nameservers, dnsKeys] = await Promise.all([
    readRows(db, ids, now),
    readContacts(db, ids),
    readNameservers(db, ids),
    readKeys(db, ids),
  ]);
  return domains.map(
    ({ holderId, holderCode, holderName, holderEmail, ident, type, countryCode, ...row }) => ({
      ...row,
      registrant: {
        ...{ id: holderId, code: holderCode, name: holderName, email: holderEmail },
        ident: { ident, type, countryCode },
      },
      contacts: contacts.get(row.id) ?? [],
      nameservers: nameservers.get(row.id) ?? [],
      dnsKeys: dnsKeys.get(row.id) ?? [],
    }),
  );
}

type Row = Omit<Domain, 'registrant' | 'contacts' | 'nameservers' | 'dnsKeys'> & {
  readonly holderId: number;
  readonly holderCode: string;
  readonly holderName: string;
  readonly holderEmail: string;
  readonly ident: string;
  readonly type: Ident['type'];
  readonly countryCode: string;
};

const readRows = (db: Sql, ids: readonly number[], now: Date): Promise<Row[]> =>
  db.rows(sql<Row>`
    select d.id, d.version, d.name, d.zone, d.registrar_id as "registrarId", d.transfer_code as "transferCode", d.created_at as "createdAt",
      d.expire_time as "expireTime", d.outzone_at as "outzoneAt", to_char(d.delete_date, 'YYYY-MM-DD') as "deleteDate", d.purge_at as "purgeAt",
      d.reminded_at as "remindedAt", d.force_delete || jsonb_build_object('start', d.force_delete_start, 'date', d.force_delete_date) as "forceDelete",
      d.statuses, ${isDisputed(now)} as disputed,
      c.id as "holderId", c.code as "holderCode", c.name as "holderName", c.email as "holderEmail",
      c.ident, c.ident_type as type, c.ident_country_code as "countryCode"
    from domains d join contacts c on c.id = d.registrant_id where d.id = ${among(ids)} order by d.id`);

async function readContacts(db: Sql, ids: readonly number[]) {
  const rows = await db.rows(sql<LinkedContact & Of>`
    select l.domain_id as of, c.id, c.code, c.email, l.role from domain_contacts l join contacts c on c.id = l.contact_id
    where l.domain_id = ${among(ids)} order by l.domain_id, l.role, c.id`);
  return byDomain(rows);
}

async function readNameservers(db: Sql, ids: readonly number[]) {
  const rows = await db.rows(sql<Nameserver & Of>`
    select n.domain_id as of, n.hostname, n.ipv4, n.ipv6 from domain_nameservers n where n.domain_id = ${among(ids)} order by n.domain_id, n.id`);
  return byDomain(rows);
}

async function readKeys(db: Sql, ids: readonly number[]) {
  const rows = await db.rows(sql<SignedKey & Of>`
    select k.domain_id as of, k.flags, k.protocol, k.alg, k.public_key as "publicKey", k.key_tag as "keyTag", k.digest_type as "digestType", k.digest
    from domain_keys k where k.domain_id = ${among(ids)} order by k.domain_id, k.id`);
  return byDomain(rows);
}

/** The id of the domain that a link belongs to. */
type Of = { readonly of: number };

function byDomain<Row extends Of>(rows: readonly Row[]): Map<number, Omit<Row, 'of'>[]> {
  const found = new Map<number, Omit<Row, 'of'>[]>();
  for (const { of, ...link } of rows) {
    const links = found.get(of);
    if (links) links.push(link);
    else found.set(of, [link]);
  }
  return found;
}
