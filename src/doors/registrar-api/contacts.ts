import type { TSchema } from 'typebox';
import { sortColumn } from '../../platform/paging/order.ts';
import type { Database } from '../../platform/database/database.ts';
import { dayIn } from '../../platform/values/dates.ts';
import { DISCLOSED_ATTRIBUTES, type Policy } from '../../policy/policy.ts';
import { isContactCodeFree } from '../../registry/contacts/check-codes.ts';
import {
  isContactCode,
  parseContactChange,
  parseNewContact,
} from '../../registry/contacts/contact-fields.ts';
import { createContact } from '../../registry/contacts/create-contact.ts';
import { deleteContact } from '../../registry/contacts/delete-contact.ts';
import { identTypes } from '../../registry/contacts/ident.ts';
import { CONTACT_COLUMNS, isShortList, listContacts } from '../../registry/contacts/list-contacts.ts';
import { updateContact } from '../../registry/contacts/update-contact.ts';
import { inListTurn } from '../../registry/list-turns.ts';
import { runRegistryOperation } from '../../registry/run-registry-operation.ts';
import { JsonText } from '../http/http-answer.ts';
import { emptyIs, emptyReplacesBy, VERBATIM } from '../http/normalise-value.ts';
import { Type } from '../http/schema-builder.ts';
import { nextPage, perform, positionIn } from './answers.ts';
import { CONTACT_JSON, readContactJson, readSimpleContact } from './contact-json.ts';
import { endpoint, type RegistrarEndpoint } from './endpoint.ts';
import { contactExample, newContactExample, wholeContactExample } from './examples.ts';
import { contactIn } from './read-objects.ts';
import { refuse } from './registrar-api-refusals.ts';
import { CONTACT_NAMES } from './render-refusals.ts';
import { renderNothing } from './render-results.ts';
import {
  Changed,
  changedReference,
  DEFAULT_LIMIT,
  flag,
  newReference,
  paging,
  Registrar,
  Strict,
  shownReference,
  Text,
} from './schemas.ts';
import { CONTACT_SORTS, namesOf } from './sorts.ts';
import { performOnContact } from './whole-answers.ts';

type Dependencies = { readonly database: Database; readonly policy: Policy };

const Ident = Strict(
  {
    ident: Text('personal code, registry code or date of birth'),
    ident_type: Text('what the code is', { enum: identTypes }),
    ident_country_code: Text('ISO 3166-1 alpha-2'),
  },
  { 'x-component': 'NewIdent' },
);
const fieldsWith = (options: object = {}) => ({
  name: Text('full name of the person or organisation', options),
  email: Text('e-mail address', options),
  phone: Text('country code and number, separated by a dot', options),
});
const fields = fieldsWith();
/** Of a stored contact: it cannot be without any of them. */
const changedFields = Type.Partial(Strict(fieldsWith(emptyIs('text refused')))).properties;
const disclosedAttributes = (options: object = {}) =>
  Type.Optional(
    Type.Array(Text('what of a person the public look-up may show', { enum: DISCLOSED_ATTRIBUTES }), {
      description: 'replaces the list; an empty one discloses nothing',
      ...options,
    }),
  );
const NewContact = Strict({
  contact: Strict(
    {
      id: Type.Optional(Text('custom code', VERBATIM)),
      ...fields,
      ident: Ident,
      disclosed_attributes: disclosedAttributes(),
      reference: newReference,
    },
    { 'x-component': 'NewContact' },
  ),
});
const contactChange = <I extends TSchema>(ident: I) =>
  Strict({
    contact: Strict(
      {
        ...changedFields,
        ident: Type.Optional(ident),
        disclosed_attributes: disclosedAttributes(emptyReplacesBy([])),
        reference: changedReference,
      },
      { minProperties: 1, 'x-component': 'ContactChange' },
    ),
  });
const ContactChange = contactChange(Ident);
/** With an identification that may be incomplete or invalid: whether it is another one is known only beside the stored one. */
const LenientContactChange = contactChange(
  Type.Partial(Strict({ ...Ident.properties, ident_type: Text('what the code is') })),
);

const SimpleContact = Type.Object(
  { code: Type.String(), name: Type.String() },
  { additionalProperties: false, 'x-component': 'SimpleContact' },
);
const LinkedDomain = Type.Object(
  {
    name: Type.String(),
    roles: Type.Array(Type.Enum(['Registrant', 'AdminDomainContact', 'TechDomainContact'])),
    expire_time: Type.String(),
  },
  { 'x-component': 'LinkedDomain' },
);
/** All that its sponsor sees, but for the auth_info. */
const WHOLE_CONTACT = {
  code: Type.String(),
  name: Type.String(),
  ident: Type.Object({
    code: Type.String(),
    type: Type.Enum(identTypes),
    country_code: Type.String(),
  }),
  email: Type.String(),
  phone: Type.String(),
  statuses: Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()])),
  disclosed_attributes: Type.Array(Type.Enum([...DISCLOSED_ATTRIBUTES])),
  reference: shownReference,
  registrar: Registrar,
  domains: Type.Array(LinkedDomain),
  domains_count: Type.Integer(),
};
const Contact = Type.Object(
  { ...WHOLE_CONTACT, auth_info: Type.String() },
  { additionalProperties: false, 'x-component': 'Contact' },
);
/** In the answers of calls that write it. */
const WholeContact = Type.Object(WHOLE_CONTACT, {
  additionalProperties: false,
  description: 'the contact as its sponsor reads it, without the auth_info',
  'x-component': 'WholeContact',
});

export function contactEndpoints(dependencies: Dependencies): RegistrarEndpoint[] {
  const { database, policy } = dependencies;
  const today = (now: Date) => dayIn(policy.timeZone, now);
  /** A code that no contact can have is treated as unknown. */
  const codeOf = ({ contact_id }: { readonly contact_id: string }) =>
    isContactCode(contact_id, policy) ? contact_id : refuse('objectMissing');

  return [
    endpoint({
      id: 'listContacts',
      method: 'GET',
      path: '/contacts',
      group: 'Contacts',
      summary: "The registrar's contacts",
      right: 'objects',
      query: Strict({
        ...paging,
        details: flag('full objects instead of codes'),
        q: Type.Optional(Text('only contacts whose code or name begins like this', { maxLength: 255 })),
        sort: Type.Optional(
          Type.Enum(namesOf(CONTACT_SORTS), {
            default: 'created_at',
            description: 'order; descending with a leading -',
          }),
        ),
      }),
      data: Type.Object(
        { contacts: Type.Array(Type.Union([Type.String(), Contact])), count: Type.Integer() },
        { additionalProperties: false },
      ),
      refusals: [],
      example: { query: { limit: 2 }, data: { contacts: ['ALPHA:5f3a0c1e', 'mari'], count: 17 } },
      async handle({ query, context }) {
        const { limit = DEFAULT_LIMIT, offset = 0, details = false, q, sort = 'created_at' } = query;
        const order = CONTACT_SORTS[sort];
        const after = positionIn(query.after, sortColumn(order, CONTACT_COLUMNS).type, sort);
        const item = details ? CONTACT_JSON : undefined;
        const wanted = { limit, offset, item, q, sort: order, after };
        const { contacts, count, next } = await inListTurn(
          database,
          context.principal,
          (sql) => listContacts(sql, wanted, policy, context.principal),
          { isShort: isShortList(wanted) },
        );
        return {
          data: new JsonText(`{"contacts":${contacts},"count":${count}}`),
          headers: nextPage('/contacts', { limit, details, q, sort }, next),
        };
      },
    }),

    endpoint({
      id: 'createContact',
      names: CONTACT_NAMES,
      method: 'POST',
      path: '/contacts',
      group: 'Contacts',
      summary: 'Create a contact',
      right: 'objects',
      body: NewContact,
      data: Changed({ contact: WholeContact }),
      refusals: ['contactCodeTaken'],
      example: { body: newContactExample, data: { contact: wholeContactExample } },
      parse: ({ contact }, { now }) => parseNewContact(contactIn(contact ?? {}), policy, today(now)),
      handle: async ({ input, context }) =>
        performOnContact(dependencies, context, (keyed) =>
          runRegistryOperation(database, createContact, input, keyed),
        ),
    }),

    endpoint({
      id: 'checkContact',
      method: 'GET',
      path: '/contacts/check/:contact_id',
      group: 'Contacts',
      summary: 'Whether a code can be used for a new contact',
      right: 'objects',
      data: Type.Object(
        {
          contact: Type.Object(
            { code: Type.String(), available: Type.Boolean() },
            { additionalProperties: false },
          ),
        },
        { additionalProperties: false },
      ),
      refusals: [],
      example: { params: { contact_id: 'mari' }, data: { contact: { code: 'mari', available: false } } },
      async handle({ params: { contact_id: code } }) {
        return {
          data: { contact: { code, available: await isContactCodeFree(database.reads, code, policy) } },
        };
      },
    }),

    endpoint({
      id: 'readContact',
      method: 'GET',
      path: '/contacts/:contact_id',
      group: 'Contacts',
      summary: 'One contact',
      right: 'objects',
      query: Strict({ simple: flag('code and name only') }),
      data: Type.Object({ contact: Type.Union([Contact, SimpleContact]) }, { additionalProperties: false }),
      refusals: ['objectMissing', 'objectGone'],
      example: { params: { contact_id: 'mari' }, data: { contact: contactExample } },
      async handle({ params, query, context }) {
        const { reads } = database;
        const code = codeOf(params);
        const read = query.simple ? readSimpleContact : readContactJson;
        const contact = await read(reads, code, policy, context.principal);
        return { data: new JsonText(`{"contact":${contact}}`) };
      },
    }),

    endpoint({
      id: 'updateContact',
      names: CONTACT_NAMES,
      method: 'PUT',
      path: '/contacts/:contact_id',
      group: 'Contacts',
      summary: 'Change name, e-mail address, phone number, reference or what is disclosed',
      right: 'objects',
      body: LenientContactChange,
      describedBody: ContactChange,
      data: Changed({ contact: WholeContact }),
      refusals: ['objectMissing', 'objectGone', 'statusProhibits', 'identUnchangeable'],
      example: {
        params: { contact_id: 'mari' },
        body: { contact: { phone: '+372.5550000' } },
        data: { contact: wholeContactExample },
      },
      parse: ({ contact }, { now }) => parseContactChange(contactIn(contact ?? {}), policy, today(now)),
      handle: async ({ params, input, context }) =>
        performOnContact(dependencies, context, (keyed) =>
          runRegistryOperation(database, updateContact, { code: codeOf(params), fields: input }, keyed),
        ),
    }),

    endpoint({
      id: 'deleteContact',
      names: CONTACT_NAMES,
      method: 'DELETE',
      path: '/contacts/:contact_id',
      group: 'Contacts',
      summary: 'Delete a contact that no domain uses',
      right: 'objects',
      data: Changed({}),
      refusals: ['objectMissing', 'objectGone', 'statusProhibits', 'contactLinked'],
      example: { params: { contact_id: 'mari' }, data: {} },
      handle: async ({ params, context }) =>
        perform(context, renderNothing, (keyed) =>
          runRegistryOperation(database, deleteContact, { code: codeOf(params) }, keyed),
        ),
    }),
  ];
}
