import { randomBytes } from 'node:crypto';
import { storeAnswer } from '../../operations/idempotency.ts';
import { sql } from '../../platform/sql/statement.ts';
import { part, WithStatement } from '../../platform/sql/with.ts';
import { authorOf, recordHistory, requireRows } from '../history/history.ts';
import { storeLegalDocuments } from '../legal-documents.ts';
import type { Operation, Plan } from '../operation.ts';
import { refuse } from '../refusals.ts';
import { shownInHistory } from './contact.ts';
import { type ContactCode, type NewContact, searchKey } from './contact-fields.ts';

type Loaded = { readonly code: ContactCode; readonly authInfo: string; readonly taken: boolean };
type CreatePlan = Plan & {
  readonly contact: NewContact;
  readonly code: ContactCode;
  readonly authInfo: string;
};

const MAX_GENERATED_PREFIX = 7;

/** At most 16 characters, which is the limit of a contact identifier in EPP. */
export const generateContactCode = (registrarCode: string): ContactCode =>
  `${registrarCode.slice(0, MAX_GENERATED_PREFIX)}:${randomBytes(4).toString('hex')}` as ContactCode;
export const generateAuthInfo = (): string => randomBytes(11).toString('hex');

export const createContact: Operation<NewContact, Loaded, CreatePlan> = {
  async load(db, { id, authInfo = generateAuthInfo() }, { principal }) {
    const code = id ?? generateContactCode(principal.registrarCode);
    const row = await db.one(sql<{ taken: boolean }>`
      select exists (select from contacts where code_key = ${searchKey(code)}) as taken`);
    return { code, authInfo, taken: row.taken };
  },

  decide({ code, authInfo, taken }, contact) {
    if (taken) refuse('contactCodeTaken', { field: 'contact.id' });
    return { answer: { contact: { code } }, contact, code, authInfo };
  },

  async persist(db, { answer, contact, code, authInfo }, context) {
    const { principal, now } = context;
    const { name, email, phone, ident, address } = contact;
    const changed = part(
      'changed',
      ['stored'],
      sql`
        insert into contacts (registrar_id, code, code_key, name, name_key, email, phone,
          ident, ident_type, ident_country_code, auth_info,
          street, city, state, postal_code, country_code, created_at, updated_at)
        select ${principal.registrarId}, ${code}, ${searchKey(code)}, ${name}, ${searchKey(name)}, ${email}, ${phone},
          ${ident.ident}, ${ident.type}, ${ident.countryCode}, ${authInfo},
          ${address?.street ?? null}::text[], ${address?.city ?? null}, ${address?.state ?? null}, ${address?.postalCode ?? null},
          ${address?.countryCode ?? null}, ${now}, ${now}
        from stored
        returning id, code as name`,
    );
    const change = { objectKind: 'contact', operation: 'create', before: null } as const;
    const after = shownInHistory({ code, ...contact });
    const statement = WithStatement.from(storeAnswer(answer, context))
      .and(changed)
      .and(storeLegalDocuments('contact', [authorOf(context)]))
      .and(recordHistory({ ...change, after }, context));
    await db.run(statement.end(['recorded'], requireRows('recorded')));
  },
};
