import { sortColumn } from '../../platform/paging/order.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Policy } from '../../policy/policy.ts';
import { findContactId } from '../../registry/contacts/contact.ts';
import { createDomain } from '../../registry/domains/create-domain.ts';
import { deleteDomain } from '../../registry/domains/delete-domain.ts';
import { DOMAIN_COLUMNS, isShortList, listDomains } from '../../registry/domains/lists/list-domains.ts';
import { parseNewDomain } from '../../registry/domains/rules/parse-new-domain.ts';
import { updateDomain } from '../../registry/domains/update-domain.ts';
import { inListTurn } from '../../registry/list-turns.ts';
import { checkName } from '../../registry/names/availability.ts';
import { runRegistryOperation } from '../../registry/run-registry-operation.ts';
import { JsonText } from '../http/http-answer.ts';
import { VERBATIM } from '../http/normalise-value.ts';
import { Type } from '../http/schema-builder.ts';
import { nextPage, perform, positionIn } from './answers.ts';
import { OWN_DOMAIN, readDomainJson } from './domain-json.ts';
import { nameIn } from './domain-path.ts';
import {
  Charged,
  Domain,
  domainChange,
  MaybePending,
  MaybePendingDomain,
  NameCheck,
  newDomain,
  readDomainChange,
  WholeDomain,
} from './domain-schemas.ts';
import { endpoint, type RegistrarEndpoint } from './endpoint.ts';
import { agreeing } from './expected-price.ts';
import { domainExample, newDomainExample, wholeDomainExample } from './examples.ts';
import { newDomainIn } from './read-objects.ts';
import { refuse } from './registrar-api-refusals.ts';
import { AUTH_CODE_NAMES, DOMAIN_CHANGE_NAMES, NEW_DOMAIN_NAMES } from './render-refusals.ts';
import { renderDomain } from './render-results.ts';
import { Changed, DEFAULT_LIMIT, flag, paging, Strict, Text } from './schemas.ts';
import { timeIn } from './time-fields.ts';
import { DOMAIN_SORTS, namesOf } from './sorts.ts';
import { performOnDomain } from './whole-answers.ts';

type Dependencies = { readonly database: Database; readonly policy: Policy };

const Domains = Type.Array(Type.Union([Type.String(), Domain]));

export function domainEndpoints(dependencies: Dependencies): RegistrarEndpoint[] {
  const { database, policy } = dependencies;
  const group = { group: 'Domains', right: 'objects' } as const;
  const byName = { params: { domain_name: 'example.ee' } };
  return [
    endpoint({
      ...group,
      id: 'listDomains',
      method: 'GET',
      path: '/domains',
      summary: "The registrar's domains",
      query: Strict({
        ...paging,
        details: flag('full objects instead of names'),
        q: Type.Optional(Text('only domains whose name begins like this', { maxLength: 255 })),
        contact: Type.Optional(Text('only domains that have this contact of yours, in any role', VERBATIM)),
        updated_since: Type.Optional(
          Text('only domains that were changed at this time or later, in ISO 8601'),
        ),
        expires_before: Type.Optional(Text('only domains that expire before this time, in ISO 8601')),
        sort: Type.Optional(
          Type.Enum(namesOf(DOMAIN_SORTS), {
            default: 'created_at',
            description: 'order; descending with a leading -',
          }),
        ),
      }),
      data: Type.Object(
        { new_domain: Domains, domains: Domains, count: Type.Integer() },
        { additionalProperties: false },
      ),
      refusals: ['bodyObjectMissing'],
      example: {
        query: { limit: 2 },
        data: { new_domain: ['example.ee'], domains: ['example.ee', 'näide.ee'], count: 17 },
      },
      async handle({ query, context }) {
        const { limit = DEFAULT_LIMIT, offset = 0, details = false, q, contact, sort = 'created_at' } = query;
        const order = DOMAIN_SORTS[sort];
        const after = positionIn(query.after, sortColumn(order, DOMAIN_COLUMNS).type, sort);
        const contactId =
          contact === undefined
            ? undefined
            : ((await findContactId(database.reads, contact, context.principal)) ??
              refuse('bodyObjectMissing', { object: contact, field: 'contact' }));
        const item = details ? OWN_DOMAIN : undefined;
        const { updated_since, expires_before } = query;
        const updatedSince = timeIn('updated_since', updated_since);
        const expiresBefore = timeIn('expires_before', expires_before);
        const filters = { q, contactId, updatedSince, expiresBefore };
        const wanted = { limit, offset, item, ...filters, sort: order, after };
        const { domains, newDomain, count, next } = await inListTurn(
          database,
          context.principal,
          (sql) => listDomains(sql, wanted, context),
          { isShort: isShortList(wanted) },
        );
        return {
          data: new JsonText(`{"new_domain":${newDomain},"domains":${domains},"count":${count}}`),
          headers: nextPage(
            '/domains',
            { limit, details, q, contact, updated_since, expires_before, sort },
            next,
          ),
        };
      },
    }),

    endpoint({
      ...group,
      id: 'createDomain',
      names: NEW_DOMAIN_NAMES,
      method: 'POST',
      path: '/domains',
      summary: 'Register a domain',
      body: newDomain(policy),
      data: Changed({ domain: WholeDomain, charged: Charged }),
      refusals: [
        'nameInvalid',
        'nameTaken',
        'nameYours',
        'nameBlocked',
        'reservationCodeMissing',
        'wrongCode',
        'tooManyWrongCodes',
        'bodyObjectMissing',
        'noPrice',
        'otherPrice',
        'noFunds',
        'contactTwice',
        'adminNotPerson',
        'adminTooYoung',
        'adminRequired',
        'tooMany',
        'nameserverCount',
        'nameserverTaken',
        'glueMissing',
        'dnsKeyTaken',
        'outOfRange',
      ],
      example: { body: newDomainExample, data: { domain: wholeDomainExample, charged: '9.00' } },
      parse: ({ domain }) =>
        agreeing(parseNewDomain(newDomainIn(domain ?? {}), policy), domain?.expected_price),
      handle: async ({ input: { order, agreedPrice }, context }) =>
        performOnDomain(dependencies, { ...context, agreedPrice }, (keyed) =>
          runRegistryOperation(database, createDomain, order, keyed),
        ),
    }),

    endpoint({
      ...group,
      id: 'checkDomain',
      method: 'GET',
      path: '/domains/check/:domain_name',
      summary: 'Whether a name can be registered, and if not, why',
      data: Type.Object(
        {
          domain: Type.Object(NameCheck, { additionalProperties: false }),
        },
        { additionalProperties: false },
      ),
      refusals: [],
      example: { ...byName, data: { domain: { name: 'example.ee', available: false, reason: 'in use' } } },
      handle: async ({ params: { domain_name: text }, context }) => ({
        data: { domain: await checkName(database.reads, text, context) },
      }),
    }),

    endpoint({
      ...group,
      id: 'readDomain',
      method: 'GET',
      path: '/domains/:domain_name',
      summary: 'One domain of any registrar',
      data: Type.Object({ domain: Domain }, { additionalProperties: false }),
      refusals: ['objectMissing', 'objectGone'],
      example: { ...byName, data: { domain: domainExample } },
      handle: async ({ params, context }) => ({
        data: new JsonText(
          `{"domain":${await readDomainJson(database.reads, nameIn(params, policy), context)}}`,
        ),
      }),
    }),

    endpoint({
      ...group,
      id: 'updateDomain',
      names: DOMAIN_CHANGE_NAMES,
      method: 'PUT',
      path: '/domains/:domain_name',
      summary: 'Change the registrant, the transfer code or the reference',
      body: Strict({
        domain: Strict(domainChange(policy), { minProperties: 1, 'x-component': 'DomainChange' }),
      }),
      data: Changed({ domain: MaybePendingDomain, charged: Charged }),
      refusals: [
        'objectMissing',
        'objectGone',
        'notSponsor',
        'statusProhibits',
        'bodyObjectMissing',
        'adminRequired',
      ],
      example: {
        ...byName,
        body: { domain: { registrant: { code: 'jaan', verified: true } } },
        data: { domain: wholeDomainExample, charged: '0.00' },
      },
      parse: ({ domain = {} }) => readDomainChange(domain, policy),
      handle: async ({ params, input, context }) =>
        performOnDomain(dependencies, context, (keyed) =>
          runRegistryOperation(database, updateDomain, { name: nameIn(params, policy), ...input }, keyed),
        ),
    }),

    endpoint({
      ...group,
      id: 'deleteDomain',
      names: AUTH_CODE_NAMES,
      method: 'DELETE',
      path: '/domains/:domain_name',
      summary: `Delete a domain; it can be brought back by renewal for ${policy.domains.redemptionDays} days`,
      headers: { 'Auth-Code': "the domain's transfer code" },
      body: Strict({
        domain: Strict({
          delete: Strict({ verified: Type.Boolean({ description: 'false asks the registrant first' }) }),
        }),
      }),
      data: Changed({ domain: MaybePending }),
      refusals: ['objectMissing', 'objectGone', 'notSponsor', 'statusProhibits', 'wrongCode'],
      example: {
        ...byName,
        body: { domain: { delete: { verified: true } } },
        data: { domain: { name: 'example.ee' } },
      },
      parse: ({ domain }) => ({ value: { verified: domain?.delete?.verified ?? false } }),
      handle: async ({ params, input: { verified }, context, headers }) =>
        perform(context, renderDomain, (keyed) =>
          runRegistryOperation(
            database,
            deleteDomain,
            { name: nameIn(params, policy), verified, transferCode: headers['auth-code'] },
            keyed,
          ),
        ),
    }),
  ];
}
