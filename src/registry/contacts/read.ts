import { batchedLookup } from '../../platform/sql/batched-lookup.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Principal } from '../actor.ts';
import { refuseMissing } from '../removed.ts';
import { searchKey } from './fields.ts';
import { CONTACT_OBJECT, contactLinks } from './object.ts';

type Row = { contact: string };

const find = batchedLookup<Row, 'key' | 'registrarId' | 'domainsShown'>(
  { key: 'text', registrarId: 'bigint', domainsShown: 'int' },
  (asked) => sql<Row>`
  select ${CONTACT_OBJECT}::text as contact from contacts c ${contactLinks(asked.domainsShown)}
  where c.code_key = ${asked.key} and c.registrar_id = ${asked.registrarId}`,
);

const findSimple = batchedLookup<Row, 'key' | 'registrarId'>(
  { key: 'text', registrarId: 'bigint' },
  (asked) => sql<Row>`
  select json_build_object('code', c.code, 'name', c.name)::text as contact
  from contacts c where c.code_key = ${asked.key} and c.registrar_id = ${asked.registrarId}`,
);

/** The contact as JSON text; refuses what is not this registrar's. */
export async function readContact(
  db: Sql,
  code: string,
  { contacts: { domainsShown } }: Policy,
  principal: Principal,
): Promise<string> {
  const row = await find(db, { key: searchKey(code), registrarId: principal.registrarId, domainsShown });
  return row?.contact ?? refuseMissing(db, 'contact', searchKey(code), principal);
}

/** Code and name alone. */
export async function readSimpleContact(db: Sql, code: string, principal: Principal): Promise<string> {
  const row = await findSimple(db, { key: searchKey(code), registrarId: principal.registrarId });
  return row?.contact ?? refuseMissing(db, 'contact', searchKey(code), principal);
}
