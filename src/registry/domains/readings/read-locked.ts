import { namedColumns } from '../../../platform/sql/columns.ts';
import type { Sql } from '../../../platform/sql/executor.ts';
import { constant, type Fragment, type Statement, sql } from '../../../platform/sql/statement.ts';
import type { Ident } from '../../contacts/ident.ts';
import { isDisputed } from '../../names/dispute-in-force.ts';
import type { Domain, LinkedContact, SignedKey } from '../domain.ts';
import type { DomainLinks } from './domain-links.ts';
import { DECIDED, DECIDED_LINKS, type DomainRow, domainValue, readDomain } from './load-domain.ts';
import type { Nameserver } from '../rules/parse-nameservers.ts';

/** From so many on, four round trips cost less than the JSON of every domain. */
const MANY = 12;

/** Domains that are locked already, in the order of their ids. */
export async function readLocked(db: Sql, ids: readonly number[], now: Date): Promise<Domain[]> {
  if (ids.length === 0) return [];
  return ids.length < MANY ? readAsJson(db, ids, now) : readByTable(db, ids, now);
}

const among = (ids: readonly number[]): Fragment => sql`any(${ids}::bigint[])`;

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
    readLinks(db, CONTACTS, DECIDED_LINKS.contacts, ids),
    readLinks(db, NAMESERVERS, DECIDED_LINKS.nameservers, ids),
    readLinks(db, KEYS, DECIDED_LINKS.dnsKeys, ids),
  ]);
  return domains.map(
    ({ holderId, holderCode, holderName, holderEmail, ident, type, countryCode, ...row }) => ({
      ...row,
      registrant: {
        id: holderId,
        code: holderCode,
        name: holderName,
        email: holderEmail,
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

const COLUMNS = constant(namedColumns(DECIDED));

const readRows = (db: Sql, ids: readonly number[], now: Date): Promise<Row[]> =>
  db.rows(sql<Row>`
    select ${COLUMNS}, ${isDisputed(now)} as disputed,
      c.id as "holderId", c.code as "holderCode", c.name as "holderName", c.email as "holderEmail",
      c.ident, c.ident_type as type, c.ident_country_code as "countryCode"
    from domains d join contacts c on c.id = d.registrant_id where d.id = ${among(ids)} order by d.id`);

/** The id of the domain that a link belongs to. */
type Of = { readonly of: number };

const CONTACTS = sql<LinkedContact & Of>`l.domain_id as of, ${namedColumns(DECIDED_LINKS.contacts.columns)}`;
const NAMESERVERS = sql<
  Nameserver & Of
>`n.domain_id as of, ${namedColumns(DECIDED_LINKS.nameservers.columns)}`;
const KEYS = sql<SignedKey & Of>`k.domain_id as of, ${namedColumns(DECIDED_LINKS.dnsKeys.columns)}`;

async function readLinks<Link extends Of>(
  db: Sql,
  shown: Statement<Link>,
  { from, domainId, order }: DomainLinks,
  ids: readonly number[],
) {
  const rows = await db.rows(sql<Link>`
    select ${shown} from ${from} where ${domainId} = ${among(ids)} order by ${domainId}, ${order}`);
  return byDomain(rows);
}

function byDomain<Row extends Of>(rows: readonly Row[]): Map<number, Omit<Row, 'of'>[]> {
  const found = new Map<number, Omit<Row, 'of'>[]>();
  for (const { of, ...link } of rows) {
    const links = found.get(of);
    if (links) links.push(link);
    else found.set(of, [link]);
  }
  return found;
}
