import { batchedLookup } from '../../platform/sql/batched-lookup.ts';
import { namedColumns } from '../../platform/sql/columns.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Principal } from '../actor.ts';
import { refuseMissing } from '../removed.ts';
import { isContactCode, searchKey } from './contact-fields.ts';
import { CONTACT, contactStatusNames, IS_LINKED } from './contact-members.ts';
import { refuse } from './contact-refusals.ts';
import type { Ident } from './ident.ts';
import { POSTAL_ADDRESS, type PostalAddress } from './postal-address.ts';

/** One contact as values, for interfaces that have a format of their own. */
export type ContactRecord = {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly ident: Ident;
  readonly address: PostalAddress | null;
  readonly authInfo: string;
  /** With ok and linked, which are computed. */
  readonly statuses: readonly string[];
  readonly disclosedAttributes: readonly string[];
  /** Code of the registrar, which is the one that created it: a transfer copies contacts. */
  readonly sponsor: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Code of the registrar that changed it last; null if nobody did, or the registry. */
  readonly updater: string | null;
};

/** Of the last change of a row `c` of contacts; a change by an operator belongs to no request. */
const UPDATER = sql`case when c.updated_at > c.created_at then (
  select (select u.code from registrars u where u.id = h.registrar_id and h.request_id is not null)
  from history h where h.object_kind = 'contact' and h.object_name = c.code and h.object_id = c.id order by h.id desc limit 1) end`;

const COLUMNS = namedColumns({
  ...CONTACT,
  address: POSTAL_ADDRESS,
  statuses: contactStatusNames(IS_LINKED),
  sponsor: sql`r.code`,
  updater: UPDATER,
} satisfies Record<keyof ContactRecord, Fragment>);

const find = batchedLookup<ContactRecord, 'key' | 'registrarId'>(
  { key: 'text', registrarId: 'bigint' },
  (params) => sql<ContactRecord>`
  select ${COLUMNS}
  from contacts c join registrars r on r.id = c.registrar_id
  where c.code_key = ${params.key} and c.registrar_id = ${params.registrarId}`,
);

/** Refuses one of another registrar as if it did not exist. */
export async function readContactRecord(
  db: Sql,
  code: string,
  policy: Policy,
  principal: Principal,
): Promise<ContactRecord> {
  if (!isContactCode(code, policy)) return refuse('objectMissing');
  const row = await find(db, { key: searchKey(code), registrarId: principal.registrarId });
  return row ?? refuseMissing(db, 'contact', searchKey(code), principal);
}
