import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { searchKey } from './fields.ts';

const MOST_DOMAINS = 100;

export type ContactView = {
  readonly code: string;
  readonly registrar: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly ident: string;
  readonly statuses: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** The first hundred, each with what the contact is to it. */
  readonly domains: readonly string[];
};

/** One contact as the registry's own people see it: everything but its auth_info. */
export async function showContact(db: Sql, code: string): Promise<ContactView | undefined> {
  return db.maybe(sql<ContactView>`
    select c.code, r.code as registrar, c.name, c.email, c.phone, concat_ws(' ', c.ident, c.ident_type, c.ident_country_code) as ident,
      array(select jsonb_object_keys(c.statuses) order by 1) as statuses, c.created_at as "createdAt", c.updated_at as "updatedAt",
      array(
        select used.name || ' (' || used.role || ')' from (
          select d.name, 'registrant' as role from domains d where d.registrant_id = c.id
          union all select d.name, l.role from domain_contacts l join domains d on d.id = l.domain_id where l.contact_id = c.id) used
        order by used.name, used.role limit ${MOST_DOMAINS}) as domains
    from contacts c join registrars r on r.id = c.registrar_id where c.code_key = ${searchKey(code)}`);
}
