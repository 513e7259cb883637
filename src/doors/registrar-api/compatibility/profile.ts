import type { FastifyReply, FastifyRequest } from 'fastify';
import type { NamedRefusal } from '../../../operations/named-refusal.ts';
import type { Database } from '../../../platform/database/database.ts';
import { parseMoment, textOfDay } from '../../../platform/values/dates.ts';
import type { Policy } from '../../../policy/policy.ts';
import type { Principal } from '../../../registry/actor.ts';
import type { CallerProfile } from '../../http/api.ts';
import { FORM_TYPE, mediaType } from '../../http/negotiation.ts';
import type { SchemaNode } from '../../http/validation.ts';
import { PENDING_TEXT } from '../answers.ts';
import type { RegistrarApi } from '../endpoint.ts';
import { addressDiscardedEnvelope, envelope, pendingEnvelope, SUCCESS_TEXT } from '../envelope.ts';
import { refusal, refuse } from '../registrar-api-refusals.ts';
import { isMembers, mapAt, valueAt, withIntegers, without } from './body-paths.ts';
import { newContactId, withStoredCodes } from './contact-codes.ts';
import type { CompatibilityCalls } from './incumbent-endpoints.ts';
import { parseFormBody } from './parse-form-body.ts';
import { translateListQuery } from './translate-list-query.ts';
import { isAddressedMissing } from './missing-lookups.ts';
import { renderAsIncumbent } from './refusals.ts';
import {
  headerOf,
  objectOf,
  withoutBlanks,
  withoutDiscarded,
  withoutUnknown,
  withoutUnused,
  withScalars,
  withWrapper,
} from './incumbent-body.ts';

const ADDRESS_DISCARDED_TEXT = `${SUCCESS_TEXT}; Postal address data discarded`;

/** Tells the registrar of the profile on every answer. */
export function announceProfile({ compatibility }: Principal, reply: FastifyReply): void {
  if (compatibility) reply.header('compatibility-profile', 'incumbent');
}

/**
 * Reads requests as the incumbent's registrar API did, and answers them accordingly: each is translated, then answered
 * by the ordinary call or by the one that stands in its place. See docs/integrate/from-the-incumbent.md.
 */
export function compatibilityProfile(
  { byId, emptiedContactUpdate, emptiedDomainChange }: CompatibilityCalls,
  { database, policy }: { readonly database: Database; readonly policy: Policy },
): CallerProfile<RegistrarApi> {
  return {
    parseBody: (request, bytes) => (isForm(request) ? { body: parseFormBody(bytes) } : undefined),

    async read(endpoint, request, reply, by, refusals) {
      const { id } = endpoint;
      const instead = byId.get(id) ?? endpoint;
      const discarded = new Set<string>();
      request.query = translateQuery(id, request, instead.query.schema, { policy, refusals, discarded });
      const given = isForm(request)
        ? withIntegers(request.body, instead.body.schema)
        : withWrapper(id, objectOf(request.body));
      const empty = emptyObject(given);
      // The schema that stands in place allows an update of which nothing is left; one that was sent empty is refused.
      if (empty !== undefined && id === 'updateDomain')
        refusals.push(refusal('fieldMissing', { field: empty }));
      const used = withoutUnused(id, withoutDiscarded(given, discarded), discarded);
      const known = withScalars(
        id,
        withoutBlanks(withoutUnknown(used.body, instead.body.schema, discarded)),
        discarded,
      );
      const isEmptied = empty === undefined && emptyObject(known) !== undefined;
      refusals.push(...checkKeys(id, known));
      const named = { params: request.params as Params, query: request.query as Query, body: known };
      const translated = await withStoredCodes(
        database.reads,
        id,
        { ...named, body: withReadValues(id, known, by.caller, policy) },
        by.caller,
        policy,
      );
      Object.assign(request, translated);
      if (discarded.size > 0) reply.header('compatibility-discarded', headerOf(discarded));
      const answering = used.isEmptied
        ? emptiedDomainChange
        : isEmptied && id === 'updateContact'
          ? emptiedContactUpdate
          : instead;
      const call = await answering.read(request, by, refusals);
      // A body without its object is refused before the incumbent looks for the domain.
      const isLookedUp = refusals.length > 0 && !(id === 'updateDomain' && empty !== undefined);
      if (isLookedUp && (await isAddressedMissing(database.reads, id, translated.params, { ...by, policy })))
        refuse('objectMissing');
      if (!discarded.has('contact.addr')) return call;
      return async (context) => ({ ...(await call(context)), message: ADDRESS_DISCARDED_TEXT });
    },

    envelopeOf: ({ message }) => {
      if (message === ADDRESS_DISCARDED_TEXT) return addressDiscardedEnvelope;
      return message === PENDING_TEXT ? pendingEnvelope : envelope;
    },

    renderRefusals: (refusals, request) => renderAsIncumbent(refusals, request, policy),
  };
}

type Query = Readonly<Record<string, unknown>>;
type Params = Readonly<Record<string, string>>;
type Reading = {
  readonly policy: Policy;
  readonly refusals: NamedRefusal[];
  readonly discarded: Set<string>;
};

const isForm = ({ headers }: FastifyRequest): boolean => mediaType(headers['content-type']) === FORM_TYPE;

/** The parameters that the call knows; filters of lists are translated, or refused. */
function translateQuery(
  id: string,
  { query }: FastifyRequest,
  schema: SchemaNode,
  { policy, ...found }: Reading,
): Query {
  const kept = without(query, ['locale']) as Query;
  if (kept !== query) found.discarded.add('locale');
  const translated = translateListQuery(id, kept, policy, found);
  return withFlags(withoutUnknown(translated, schema, found.discarded) as Query, schema);
}

/** The incumbent's switches are on if they are `true`, and off whatever else they are. */
const withFlags = (query: Query, { properties }: SchemaNode): Query =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const isFlag = valueAt(properties, [name, 'type']) === 'boolean';
      return [name, isFlag ? String(value === 'true') : value];
    }),
  );

const NUMBERS = ['flags', 'protocol', 'alg'];
const KEYS: Readonly<Record<string, readonly string[]>> = {
  createDomain: ['domain', 'dnskeys_attributes'],
  addKeys: ['dns_keys'],
  removeKeys: ['dns_keys'],
};

/** The incumbent takes the numbers of keys as texts only, and new keys without spaces. */
function checkKeys(id: string, body: unknown): NamedRefusal[] {
  const path = KEYS[id];
  const list = path && valueAt(body, path);
  if (!path || !Array.isArray(list)) return [];
  return list.flatMap((key, index) => {
    if (!isMembers(key)) return [];
    const wrong = (name: string, expected: string) =>
      refusal('wrongSyntax', { field: [...path, index, name].join('.'), expected });
    const numbers = NUMBERS.filter((name) => typeof key[name] === 'number').map((name) =>
      wrong(name, 'a text'),
    );
    const isSpaced = id !== 'removeKeys' && /\s/.test(String(key.public_key));
    return isSpaced ? [...numbers, wrong('public_key', 'Base64 without spaces')] : numbers;
  });
}

/** A period may be a text, an expiry date a time; the id of a new contact is one of the registrar's own. */
function withReadValues(id: string, body: unknown, caller: Principal, policy: Policy): unknown {
  if (id === 'createDomain')
    return mapAt(body, ['domain', 'period'], (period) => withIntegers(period, { type: 'integer' }));
  if (id === 'renewDomain')
    return mapAt(body, ['renews', 'exp_date'], (date) => dayOfTime(date, policy.timeZone));
  if (id !== 'createContact') return body;
  return mapAt(body, ['contact'], (contact) =>
    isMembers(contact) ? { ...contact, id: newContactId(contact.id, caller, policy) } : contact,
  );
}

/** `expire_time`, as answers have it, is as good as its day. */
function dayOfTime(date: unknown, timeZone: string): unknown {
  const at = typeof date === 'string' ? parseMoment(date) : undefined;
  return at ? textOfDay(timeZone, at) : date;
}

function emptyObject(body: unknown): string | undefined {
  if (!isMembers(body)) return undefined;
  return ['contact', 'domain'].find((name) => {
    const object = body[name];
    return isMembers(object) && Object.keys(object).length === 0;
  });
}
