import { isDeepStrictEqual } from 'node:util';
import { storeAnswers } from '../../operations/stored-answers.ts';
import { operatorOperation } from '../../operations/operator-operation.ts';
import { recordHistory, requireRows } from '../../operations/record-history.ts';
import { sql } from '../../platform/sql/statement.ts';
import { part, WithStatement } from '../../platform/sql/with.ts';
import { refuse } from '../operator-refusals.ts';
import { message, writeMessages } from '../poll/send-messages.ts';
import { type StoredContact, shownInHistory } from './contact.ts';
import { type ContactFields, searchKey } from './contact-fields.ts';
import { POSTAL_ADDRESS } from './postal-address.ts';

/** What is left out stays. */
type Changes = Partial<Pick<ContactFields, 'name' | 'email' | 'phone' | 'disclosedAttributes'>>;
type Correction = {
  readonly code: string;
  readonly changes: Changes;
  /** The registrant requested it: the registrar is notified. */
  readonly isByRegistrant: boolean;
};
type Found = Omit<StoredContact, 'linked' | 'reference'> & { readonly registrarId: number };

export const correctContact = operatorOperation(
  { name: 'correct contact', right: 'objects', refusals: ['nothingToChange', 'contactMissing'] },
  {
    load: (db, { code }: Correction) =>
      db.maybe(sql<Found>`
        select c.id, c.version, c.code, c.name, c.email, c.phone, c.registrar_id as "registrarId", ${POSTAL_ADDRESS} as address, c.statuses,
          c.disclosed_attributes as "disclosedAttributes",
          json_build_object('ident', c.ident, 'type', c.ident_type, 'countryCode', c.ident_country_code) as ident
        from contacts c where c.code_key = ${searchKey(code)}`),

    decide(found, { code, changes, isByRegistrant }) {
      if (Object.keys(changes).length === 0)
        refuse('nothingToChange', { what: 'a new name, e-mail address, phone number, or what is disclosed' });
      const before = found ?? refuse('contactMissing', { contact: code });
      const after = { ...before, ...changes };
      const isNotified = isByRegistrant && !isDeepStrictEqual(before, after);
      return {
        answer: { code: before.code },
        before,
        after,
        isByRegistrant,
        messages: isNotified ? [message('contact_updated', before)] : [],
      };
    },

    async persist(db, { answer, before, after, isByRegistrant, messages }, context) {
      const { name, email, phone, disclosedAttributes } = after;
      const changed = sql`
        update contacts set name = ${name}, name_key = ${searchKey(name)}, email = ${email}, phone = ${phone},
          disclosed_attributes = ${disclosedAttributes}::text[], updated_at = ${context.now}
        where id = ${before.id} and version = ${before.version} returning id, code as name`;
      const entry = {
        objectKind: 'contact',
        operation: isByRegistrant ? 'update by registrant' : 'update',
        registrarId: before.registrarId,
        before: shownInHistory(before),
        after: shownInHistory(after),
      };
      await db.run(
        WithStatement.from(storeAnswers([{ ...context, answer }]))
          .and(part('changed', ['stored'], changed))
          .and(writeMessages([{ messages, author: context }]))
          .and(recordHistory(entry, context))
          .end(['recorded'], requireRows('recorded')),
      );
    },
  },
);
