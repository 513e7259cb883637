import { Refused } from '../../../operations/refusal.ts';
import { sortColumn } from '../../../platform/paging/order.ts';
import type { Database } from '../../../platform/database/database.ts';
import { findContactId } from '../../../registry/contacts/contact.ts';
import { DOMAIN_COLUMNS, listDomains } from '../../../registry/domains/lists/list-domains.ts';
import { readRegistered } from '../../../registry/domains/readings/read-domain.ts';
import { storedStatuses } from '../../../registry/domains/rules/domain-statuses.ts';
import { updateDomain } from '../../../registry/domains/update-domain.ts';
import { inListTurn } from '../../../registry/list-turns.ts';
import type { Context } from '../../../registry/operation.ts';
import { runRegistryOperation } from '../../../registry/run-registry-operation.ts';
import { type Answer, JsonText } from '../../http/http-answer.ts';
import { VERBATIM } from '../../http/normalise-value.ts';
import { Type } from '../../http/schema-builder.ts';
import { nextPage, perform, positionIn, unchanged } from '../answers.ts';
import { OWN_DOCUMENTED_DOMAIN, readDocumentedDomain, SIMPLE_DOMAIN } from '../domain-json.ts';
import { nameIn } from '../domain-path.ts';
import { endpoint, type RegistrarEndpoint } from '../endpoint.ts';
import { refuse } from '../registrar-api-refusals.ts';
import { STATUS_NAMES } from '../render-refusals.ts';
import { renderDomain, renderStatus } from '../render-results.ts';
import { flag, Strict, Text } from '../schemas.ts';
import { DOMAIN_SORTS, namesOf } from '../sorts.ts';
import { documentedDomain } from '../whole-answers.ts';
import { type CallDependencies, MAX_LISTED } from './calls.ts';
import { DOMAIN_FILTERS, domainFiltersIn, filterSchema, listPaging } from './incumbent-list-filters.ts';

const STATUSES = JSON.stringify([...storedStatuses, 'inactive', 'ok', 'disputed']);
const byName = '/domains/:domain_name' as const;

export function domainCalls({ database, policy, find, described }: CallDependencies): RegistrarEndpoint[] {
  const create = find('createDomain');
  const deletion = find('deleteDomain');
  return [
    {
      ...create,
      async read(...request) {
        const call = await create.read(...request);
        return async (context) => addRegistered(await call(context), database, context);
      },
    },

    endpoint({
      ...described('listDomains'),
      path: '/domains',
      query: Strict({
        ...listPaging,
        details: flag('full objects instead of names'),
        simple: flag('with details: holders and statuses only'),
        q: Type.Optional(Text('only domains whose name begins like this', { maxLength: 255 })),
        contact: Type.Optional(Text('only domains that have this contact, in any role', VERBATIM)),
        sort: Type.Optional(Type.Enum(namesOf(DOMAIN_SORTS))),
        ...filterSchema(DOMAIN_FILTERS),
      }),
      async handle({ query, context }) {
        const { limit = MAX_LISTED, offset = 0, details = false, simple = false, ...rest } = query;
        const { q, contact, sort = 'created_at', after: position, ...filters } = rest;
        const order = DOMAIN_SORTS[sort];
        const after = positionIn(position, sortColumn(order, DOMAIN_COLUMNS).type, sort);
        const contactId =
          contact === undefined
            ? undefined
            : ((await findContactId(database.reads, contact, context.principal)) ??
              refuse('bodyObjectMissing', { object: contact, field: 'contact' }));
        const item = details ? (simple ? SIMPLE_DOMAIN : OWN_DOCUMENTED_DOMAIN) : undefined;
        const wanted = { limit: Math.max(1, limit), offset, item, q, contactId, sort: order, after };
        const found = await inListTurn(database, context.principal, (sql) =>
          listDomains(sql, { ...wanted, filters: domainFiltersIn(filters, policy) }, context),
        );
        const { domains, newDomain, count, next } = found;
        const shown = { ...filters, limit, details, simple, q, contact, sort };
        return {
          data: new JsonText(
            `{"new_domain":${newDomain},"domains":${limit === 0 ? '[]' : domains},"count":${count},"statuses":${STATUSES}}`,
          ),
          headers: limit === 0 ? {} : nextPage('/domains', shown, next),
        };
      },
    }),

    endpoint({
      ...described('readDomain'),
      path: byName,
      async handle({ params, context }) {
        const text = await readDocumentedDomain(database.reads, nameIn(params, policy), context);
        return { data: { domain: withHiddenNames(JSON.parse(text) as ShownDomain) } };
      },
    }),

    {
      ...deletion,
      async read(request, ...rest) {
        // The sponsor needs no code, and the incumbent does not look at one.
        delete request.headers['auth-code'];
        const call = await deletion.read(request, ...rest);
        const params = request.params as { readonly domain_name: string };
        return async (context) => {
          try {
            return await call(context);
          } catch (error) {
            return answerSecondDeletion(error, () => nameIn(params, policy));
          }
        };
      },
    },

    endpoint({
      ...described('setStatus'),
      names: STATUS_NAMES,
      path: '/domains/:domain_name/statuses/:status',
      handle: async ({ params, context }) =>
        perform(context, renderStatus(params.status), (keyed) =>
          runRegistryOperation(
            database,
            updateDomain,
            { name: nameIn(params, policy), add: { statuses: [{ status: params.status }] } },
            keyed,
          ),
        ),
    }),
  ];
}

/** For additions and removals of which nothing was left: the domain must be the caller's, and stays as it is. */
export const emptiedDomainChange = ({ database, policy, described }: CallDependencies): RegistrarEndpoint =>
  endpoint({
    ...described('updateDomain'),
    path: byName,
    body: Type.Object({}),
    handle: async ({ params, context }) =>
      perform(
        context,
        renderDomain,
        (keyed) => runRegistryOperation(database, updateDomain, { name: nameIn(params, policy) }, keyed),
        { again: documentedDomain },
      ),
  });

const UNDER_WAY = new Set(['pendingDelete', 'pendingDeleteConfirmation']);

/** A deletion of what is being deleted changes nothing and is a success. */
function answerSecondDeletion(error: unknown, nameOf: () => string): Answer {
  const refused = error instanceof Refused ? error.refusals[0] : undefined;
  const statuses = refused?.name === 'statusProhibits' ? String(refused.values.status).split(', ') : [];
  if (statuses.length === 0 || !statuses.every((status) => UNDER_WAY.has(status))) throw error;
  const isPending = statuses.includes('pendingDeleteConfirmation');
  return unchanged(renderDomain({ name: nameOf(), isPending }));
}

type ShownDomain = { readonly contacts: readonly { readonly name?: string }[] };

/** The incumbent has a name for every contact, also where it does not tell it. */
const withHiddenNames = (domain: ShownDomain): ShownDomain => ({
  ...domain,
  contacts: domain.contacts.map(({ name = 'N/A', ...contact }) => ({ ...contact, name })),
});

/** Code and id are read, never taken from the stored answer of a key; a domain that has left the registrar shows none. */
async function addRegistered(answer: Answer, { reads }: Database, context: Context): Promise<Answer> {
  if (context.dryRun) return answer;
  const { domain } = answer.data as { readonly domain: { readonly name: string } };
  const registered = await readRegistered(reads, domain.name, context);
  if (registered === undefined) return answer;
  const { transferCode: transfer_code, uuid: id } = registered;
  return { ...answer, data: { ...answer.data, domain: { ...domain, transfer_code, id } } };
}
