import { isDeepStrictEqual } from 'node:util';
import type { Finding } from '../../src/ledger/check-ledger.ts';
import type { Sql } from '../../src/platform/sql/executor.ts';
import { shownInHistory as contactInHistory } from '../../src/registry/contacts/contact.ts';
import { POSTAL_ADDRESS } from '../../src/registry/contacts/postal-address.ts';
import { shownInHistory as domainInHistory } from '../../src/registry/domains/domain.ts';
import { readLocked } from '../../src/registry/domains/readings/read-locked.ts';
import { sql } from '../../test/support/sql.ts';

type Shown = Readonly<Record<string, unknown>>;
type Row = {
  readonly id: number;
  readonly kind: string;
  readonly object: number;
  readonly name: string;
  readonly operation: string;
  readonly before: Shown | null;
  readonly after: Shown | null;
};

/** History replayed from its first row ends in the current tables: each change begins where the last one ended. */
export async function auditObjects(db: Sql): Promise<Finding[]> {
  const findings: Finding[] = [];
  const last = new Map<string, { readonly name: string; readonly shown: unknown }>();
  const rows = await db.rows(sql<Row>`
    select id, object_kind as kind, object_id as object, object_name as name, operation, before, after
    from history where object_kind in ('domain', 'contact') order by id`);
  for (const { id, kind, object, name, operation, before, after } of rows) {
    const key = `${kind} ${object}`;
    const expected = last.get(key)?.shown ?? null;
    if (!isDeepStrictEqual(expected, comparable(before)))
      findings.push({
        finding: 'a change does not begin where the last one ended',
        subject: `${operation} ${name} (history ${id})`,
        expected: JSON.stringify(expected),
        found: JSON.stringify(comparable(before)),
      });
    last.set(key, { name, shown: comparable(after) });
  }
  const now = await presentObjects(db);
  for (const key of new Set([...last.keys(), ...now.keys()])) {
    const expected = last.get(key)?.shown ?? null;
    const found = now.get(key) ?? null;
    if (!isDeepStrictEqual(expected, found))
      findings.push({
        finding: 'an object is not what history says',
        subject: `${key} ${last.get(key)?.name ?? ''}`,
        expected: JSON.stringify(expected),
        found: JSON.stringify(found),
      });
  }
  return findings;
}

async function presentObjects(db: Sql): Promise<Map<string, unknown>> {
  const ids = await db.rows(sql<{ id: number }>`select id from domains`);
  const domains = await readLocked(
    db,
    ids.map(({ id }) => id),
    new Date(),
  );
  type Contact = Parameters<typeof contactInHistory>[0] & { readonly id: number };
  const contacts = await db.rows(sql<Contact>`
    select c.id, c.code, c.name, c.email, c.phone, json_build_object('ident', c.ident, 'type', c.ident_type, 'countryCode', c.ident_country_code) as ident,
      ${POSTAL_ADDRESS} as address, c.statuses
    from contacts c`);
  return new Map([
    ...domains.map((domain) => [`domain ${domain.id}`, comparable(domainInHistory(domain))] as const),
    ...contacts.map((contact) => [`contact ${contact.id}`, comparable(contactInHistory(contact))] as const),
  ]);
}

/** In JSON form. Lists are unordered, and the origin of a copied contact is in history only. */
function comparable(shown: object | null): unknown {
  if (shown === null) return null;
  const { copy_of: _, ...members } = JSON.parse(JSON.stringify(shown)) as Shown;
  const entries = Object.entries(members);
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map((item) => JSON.stringify(sorted(item))).toSorted() : value,
    ]),
  );
}

const sorted = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value;
