import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../../platform/sql/database.ts';
import type { Policy } from '../../../policy/policy.ts';
import type { Principal } from '../../../registry/actor.ts';
import { isPending } from '../../../registry/domains/domain-operation.ts';
import type { CallerProfile } from '../../http/api.ts';
import { FORM_TYPE, mediaType } from '../../http/negotiation.ts';
import type { RegistrarApi, RegistrarEndpoint } from '../endpoint.ts';
import { envelope, pendingEnvelope } from '../envelope.ts';
import { refusal } from '../registrar-api-refusals.ts';
import { isMembers, mapAt, withIntegers, without } from './body-paths.ts';
import { newContactId, withStoredCodes } from './contact-codes.ts';
import { compatibilityEndpoints } from './endpoints.ts';
import { parseFormBody } from './form-body.ts';
import { translateListQuery } from './list-queries.ts';

/** What the incumbent takes and this API has no use for. */
const DISCARDED = [
  'locale',
  'legal_document',
  'contact.addr',
  'contact.legal_document',
  'domain.legal_document',
];

/** Tells the registrar of the profile on every answer. */
export function announceProfile({ compatibility }: Principal, reply: FastifyReply): void {
  if (compatibility) reply.header('compatibility-profile', 'incumbent');
}

/**
 * Reads requests as the incumbent's registrar API did, and answers them accordingly: each is translated, then answered
 * by the ordinary call or by the one that stands in its place. See docs/guides/from-the-incumbent.md.
 */
export function compatibilityProfile(
  ordinary: readonly RegistrarEndpoint[],
  dependencies: { readonly database: Database; readonly policy: Policy },
): CallerProfile<RegistrarApi> {
  const { database, policy } = dependencies;
  const { byId, emptiedContactUpdate } = compatibilityEndpoints(ordinary, dependencies);

  return {
    parseBody: (request, bytes, maxValues) =>
      isForm(request) ? { body: parseFormBody(bytes, maxValues) } : undefined,

    async read(endpoint, request, reply, by, refusals) {
      const instead = byId.get(endpoint.id) ?? endpoint;
      const empty = emptyObject(request.body);
      // The schema that stands in place allows an update of which nothing is left; one that was sent empty is refused.
      if (empty !== undefined && endpoint.id === 'updateDomain')
        refusals.push(refusal('fieldMissing', { field: empty }));
      discard(request, reply);
      const isEmptied = empty === undefined && emptyObject(request.body) !== undefined;
      if (isForm(request)) request.body = withIntegers(request.body, instead.body.schema);
      request.query = translateListQuery(endpoint.id, request.query as object as Query, policy, refusals);
      if (endpoint.id === 'createContact')
        request.body = mapAt(request.body, ['contact'], (contact) =>
          isMembers(contact) ? { ...contact, id: newContactId(contact.id, by.caller, policy) } : contact,
        );
      const { params, query, body } = await withStoredCodes(
        database.reads,
        endpoint.id,
        { params: request.params as Params, query: request.query as Query, body: request.body },
        by.caller,
        policy,
      );
      Object.assign(request, { params, query, body });
      const answering = isEmptied && endpoint.id === 'updateContact' ? emptiedContactUpdate : instead;
      return answering.read(request, by, refusals);
    },

    envelopeOf: ({ data }) => (isPending(data) ? pendingEnvelope : envelope),
  };
}

type Query = Readonly<Record<string, unknown>>;
type Params = Readonly<Record<string, string>>;

const isForm = ({ headers }: FastifyRequest): boolean => mediaType(headers['content-type']) === FORM_TYPE;

/** Removes the members that have no counterpart here, and names them in a header. */
function discard(request: FastifyRequest, reply: FastifyReply): void {
  const names = new Set<string>();
  const query = without(request.query, ['locale']);
  if (query !== request.query) names.add('locale');
  request.query = query;
  for (const name of DISCARDED) {
    const body = without(request.body, name.split('.'));
    if (body !== request.body) names.add(name);
    request.body = body;
  }
  if (names.size > 0) reply.header('compatibility-discarded', [...names].join(', '));
}

function emptyObject(body: unknown): string | undefined {
  if (!isMembers(body)) return undefined;
  return ['contact', 'domain'].find((name) => {
    const object = body[name];
    return isMembers(object) && Object.keys(object).length === 0;
  });
}
