import { randomBytes } from 'node:crypto';
import { existsByKey } from '../../platform/sql/batched-lookup.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { part } from '../../platform/sql/with.ts';
import type { Decided, Operation, Plan, Request } from '../operation.ts';
import type { WholeContact } from './contact.ts';
import { type ContactCode, type NewContact, searchKey } from './contact-fields.ts';
import { refuse } from './contact-refusals.ts';
import { persistContacts } from './persist-contacts.ts';
import { counterpartCode } from './prefixed-codes.ts';

type Loaded = {
  readonly code: ContactCode;
  readonly authInfo: string;
  readonly taken: boolean;
};
type CreatePlan = Plan<WholeContact> & {
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
  async load(db, input, context) {
    const [loaded] = await loadAll(db, [{ input, context }]);
    if (!loaded) throw new Error('nothing was loaded for a request');
    return loaded;
  },

  decide({ code, authInfo, taken }, contact) {
    if (taken) refuse('contactCodeTaken', { at: ['code'] });
    const { disclosedAttributes = [], reference = null } = contact;
    const written = { ...contact, disclosedAttributes, reference, statuses: {} };
    const answer = { code, contact: written, links: { domains: [], total: 0 } };
    return { answer, contact, code, authInfo };
  },

  persist: (db, plan, context) => persistAll(db, [{ plan, context }]),
  batch: { load: loadAll, persist: persistAll },
};

/** Under the compatibility profile a registrar would have two contacts of one name. */
const COUNTERPART = sql`
  select true from contacts c join registrars r on r.id = c.registrar_id and r.compatibility
  where c.code_key = asked.counterpart and c.registrar_id = asked.registrar_id`;

/** One row per request, in their order. */
async function loadAll(db: Sql, requests: readonly Request<NewContact>[]): Promise<Loaded[]> {
  const codes = requests.map(
    ({ input, context: { principal } }) => input.code ?? generateContactCode(principal.registrarCode),
  );
  const counterparts = requests.map(({ context: { principal } }, index) =>
    counterpartCode(codes[index] ?? '', principal),
  );
  const rows = await db.rows(sql<{ taken: boolean }>`
    select ${existsByKey(sql`select true from contacts where code_key = asked.key`)} or ${existsByKey(COUNTERPART)} as taken
    from unnest(${codes.map(searchKey)}::text[], ${counterparts.map(searchKey)}::text[],
      ${requests.map(({ context }) => context.principal.registrarId)}::bigint[])
      with ordinality as asked(key, counterpart, registrar_id, position)
    order by asked.position`);
  return rows.map((row, index) => ({
    ...row,
    code: codes[index] as ContactCode,
    authInfo: requests[index]?.input.authInfo ?? generateAuthInfo(),
  }));
}

async function persistAll(db: Sql, decided: readonly Decided<CreatePlan>[]): Promise<void> {
  const contacts = decided.map(({ plan: { answer, contact, code, authInfo }, context }) => ({
    answer,
    context,
    authInfo,
    after: { ...contact, code },
  }));
  await persistContacts(db, 'create', contacts, INSERTED);
}

const INSERTED = part(
  'changed',
  ['wanted'],
  sql`
    insert into contacts (registrar_id, code, code_key, name, name_key, email, phone,
      ident, ident_type, ident_country_code, auth_info,
      street, city, state, postal_code, country_code, disclosed_attributes, reference, created_at, updated_at)
    select registrar_id, code, code_key, name, name_key, email, phone,
      ident, ident_type, ident_country_code, auth_info,
      street, city, state, postal_code, country_code, disclosed_attributes, reference, at, at
    from wanted
    returning id, code as name`,
);
