import { storeAnswers } from '../../operations/stored-answers.ts';
import { insertHistory, requireRows } from '../../operations/record-history.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { json, sql } from '../../platform/sql/statement.ts';
import { type Part, part, WithStatement } from '../../platform/sql/with.ts';
import { authorOf, WANTED_AUTHORS } from '../history/read-history.ts';
import { keptObject } from '../keep-keys.ts';
import { storeLegalDocuments } from '../legal-documents.ts';
import type { Context } from '../operation.ts';
import { type ContactResult, type ShownContact, type StoredContact, shownInHistory } from './contact.ts';
import { searchKey } from './contact-fields.ts';

/** A contact that a request writes. */
type WrittenContact = {
  readonly context: Context;
  readonly answer: ContactResult;
  /** Undefined for a new one. */
  readonly before?: StoredContact;
  readonly after: ShownContact;
  /** Undefined if it stays. It must not reach history. */
  readonly authInfo?: string | undefined;
};

/**
 * Writes the contacts of simultaneous requests in one statement, all or none: `changed` inserts or updates those of
 * `wanted` and returns their ids and codes. They are in the order of their keys, so that two batches cannot deadlock.
 */
export async function persistContacts(
  db: Sql,
  operation: 'create' | 'update',
  contacts: readonly WrittenContact[],
  changed: Part<'changed' | 'locked', 'wanted'>,
): Promise<void> {
  const rows = contacts.map(rowOf).toSorted((one, other) => (one.code_key < other.code_key ? -1 : 1));
  const wanted = part(
    'wanted',
    ['stored'],
    sql`
      select w.* from stored cross join jsonb_to_recordset(${json(rows)}) as w(
        id bigint, version int, code text, code_key text, name text, name_key text, email text, phone text,
        ident text, ident_type text, ident_country_code text, auth_info text, statuses jsonb, disclosed_attributes text[],
        street text[], city text, state text, postal_code text, country_code text, reference text, before jsonb, after jsonb,
        registrar_id bigint, actor text, request_id text, client_transaction_id text, idempotency_key text, at timestamptz)`,
    { isMaterialized: true },
  );
  const recorded = part(
    'recorded',
    ['wanted', 'changed'],
    sql`${insertHistory(
      {
        objectKind: 'contact',
        operation,
        registrarId: sql`w.registrar_id`,
        before: sql`w.before`,
        after: sql`w.after`,
      },
      WANTED_AUTHORS,
      sql`from wanted w join changed on changed.name = w.code`,
    )} returning id`,
  );
  const documents = contacts.map(({ after: { code: name }, context }) => ({ ...authorOf(context), name }));
  const statement = WithStatement.from(
    storeAnswers(
      contacts.map(({ answer, context }) => ({
        ...context,
        answer,
        made: operation === 'create' ? keptObject('contact', answer.code, context) : undefined,
      })),
    ),
  )
    .and(wanted)
    .and(changed)
    .and(storeLegalDocuments('contact', documents))
    .and(recorded);
  // Two changes of one contact, which two requests can be, are one row of `changed`.
  const isWhole = sql`(select count(*) from changed) = ${rows.length}`;
  await db.run(
    statement.end(['recorded', 'changed'], sql`${requireRows('recorded', rows.length)} where ${isWhole}`),
  );
}

function rowOf({ before, after, authInfo, context }: WrittenContact) {
  const { code, name, email, phone, ident, address, statuses, disclosedAttributes = [], reference } = after;
  const { registrarId, actor, requestId, clientTransactionId, idempotencyKey, now } = authorOf(context);
  return {
    ...(before && { id: before.id, version: before.version, before: shownInHistory(before) }),
    code,
    code_key: searchKey(code),
    name,
    name_key: name && searchKey(name),
    email,
    phone,
    ident: ident?.ident,
    ident_type: ident?.type,
    ident_country_code: ident?.countryCode,
    auth_info: authInfo,
    statuses,
    disclosed_attributes: disclosedAttributes,
    street: address?.street,
    city: address?.city,
    state: address?.state,
    postal_code: address?.postalCode,
    country_code: address?.countryCode,
    reference,
    after: shownInHistory(after),
    registrar_id: registrarId,
    actor,
    request_id: requestId,
    client_transaction_id: clientTransactionId,
    idempotency_key: idempotencyKey,
    at: now,
  };
}
