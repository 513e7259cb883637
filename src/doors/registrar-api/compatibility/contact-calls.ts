import { sortColumn } from '../../../platform/paging/order.ts';
import { isContactCodeFree } from '../../../registry/contacts/check-codes.ts';
import { isContactCode } from '../../../registry/contacts/contact-fields.ts';
import { identTypes } from '../../../registry/contacts/ident.ts';
import { CONTACT_COLUMNS, listContacts } from '../../../registry/contacts/list-contacts.ts';
import { prefixedCode } from '../../../registry/contacts/prefixed-codes.ts';
import { updateContact } from '../../../registry/contacts/update-contact.ts';
import { inListTurn } from '../../../registry/list-turns.ts';
import { runRegistryOperation } from '../../../registry/run-registry-operation.ts';
import { JsonText } from '../../http/http-answer.ts';
import { VERBATIM } from '../../http/normalise-value.ts';
import { Type } from '../../http/schema-builder.ts';
import { nextPage, perform, positionIn } from '../answers.ts';
import { endpoint, type RegistrarEndpoint } from '../endpoint.ts';
import { refuse } from '../registrar-api-refusals.ts';
import { renderContact } from '../render-results.ts';
import { flag, Strict, Text } from '../schemas.ts';
import { CONTACT_SORTS, namesOf } from '../sorts.ts';
import { documentedContact } from '../whole-answers.ts';
import { type CallDependencies, MAX_LISTED } from './calls.ts';
import { LISTED_CONTACT, readContactId, readExtendedContact } from './incumbent-contact.ts';
import { CONTACT_FILTERS, contactFiltersIn, filterSchema, listPaging } from './incumbent-list-filters.ts';

/** All that a contact of the incumbent can have. */
const STATUSES = [
  'clientDeleteProhibited',
  'serverDeleteProhibited',
  'clientTransferProhibited',
  'serverTransferProhibited',
  'clientUpdateProhibited',
  'serverUpdateProhibited',
  'ok',
  'pendingCreate',
  'pendingDelete',
  'pendingTransfer',
  'pendingUpdate',
  'linked',
];
const CHOICES = JSON.stringify({ statuses: STATUSES, ident_types: identTypes }).slice(1);

const byCode = '/contacts/:contact_id' as const;

export function contactCalls({ database, policy, described }: CallDependencies): RegistrarEndpoint[] {
  return [
    endpoint({
      ...described('listContacts'),
      path: '/contacts',
      query: Strict({
        ...listPaging,
        details: flag('full objects instead of codes'),
        q: Type.Optional(Text('only contacts whose code or name begins like this', { maxLength: 255 })),
        sort: Type.Optional(Type.Enum(namesOf(CONTACT_SORTS))),
        'q[code_eq]': Type.Optional(Text('only the contact with this code', { maxLength: 255, ...VERBATIM })),
        ...filterSchema(CONTACT_FILTERS),
      }),
      async handle({ query, context }) {
        const { limit = MAX_LISTED, offset = 0, details = false, q, sort = 'created_at', ...rest } = query;
        const { 'q[code_eq]': code } = rest;
        const order = CONTACT_SORTS[sort];
        const after = positionIn(query.after, sortColumn(order, CONTACT_COLUMNS).type, sort);
        const item = details ? LISTED_CONTACT : undefined;
        const filters = contactFiltersIn(rest, policy);
        const { contacts, count, next } = await inListTurn(database, context.principal, (sql) =>
          listContacts(
            sql,
            { limit: Math.max(1, limit), offset, item, q, sort: order, after, code, filters },
            policy,
            context.principal,
          ),
        );
        const { after: _after, ...shown } = rest;
        return {
          data: new JsonText(`{"contacts":${limit === 0 ? '[]' : contacts},"count":${count},${CHOICES}`),
          headers: limit === 0 ? {} : nextPage('/contacts', { ...shown, limit, details, q, sort }, next),
        };
      },
    }),

    endpoint({
      ...described('checkContact'),
      path: '/contacts/check/:contact_id',
      async handle({ params: { contact_id: code }, context }) {
        const { principal } = context;
        const stored = isContactCode(code, policy) ? prefixedCode(code, principal) : code;
        const available = await isContactCodeFree(database.reads, stored, policy, principal);
        return { data: { contact: { code, available } } };
      },
    }),

    endpoint({
      ...described('readContact'),
      path: byCode,
      query: Strict({ simple: flag('id, code and name only') }),
      async handle({ params: { contact_id }, query, context: { principal } }) {
        const code = isContactCode(contact_id, policy) ? contact_id : refuse('objectMissing');
        const read = query.simple ? readContactId : readExtendedContact;
        const contact = await read(database.reads, code, policy, principal);
        return { data: new JsonText(`{"contact":${contact}}`) };
      },
    }),
  ];
}

/** For an update of which nothing was left: the contact must exist, and stays as it is. */
export const emptiedContactUpdate = ({ database, policy, described }: CallDependencies): RegistrarEndpoint =>
  endpoint({
    ...described('updateContact'),
    path: byCode,
    body: Strict({ contact: Strict({}) }),
    handle: async ({ params: { contact_id: code }, context }) =>
      perform(
        context,
        renderContact,
        (keyed) =>
          runRegistryOperation(
            database,
            updateContact,
            { code: isContactCode(code, policy) ? code : refuse('objectMissing'), fields: {} },
            keyed,
          ),
        { again: documentedContact },
      ),
  });
