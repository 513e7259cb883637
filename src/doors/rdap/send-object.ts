import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Viewer } from '../../registry/lookup/viewer.ts';
import { matchesEntityTag } from '../http/negotiation.ts';
import { RDAP_TYPE, type RdapEvent } from './rdap-objects.ts';

export type RdapAnswer = {
  /** A list in JSON. */
  readonly notices: string;
  /** The members of the object in JSON, without its braces; empty for what is no object of the registry, such as help. */
  readonly object: string;
  /** A list in JSON. */
  readonly redacted?: string | undefined;
  /** Undefined for what is no object of the registry. */
  readonly events?: readonly RdapEvent[];
};

const conformance = (values: readonly string[]): string =>
  `{"rdapConformance":${JSON.stringify(values)},"lang":"en","notices":`;
const PLAIN = conformance(['rdap_level_0']);
const WITH_REDACTIONS = conformance(['rdap_level_0', 'redacted']);
/** Short: a new domain is to be found at once by those who have just seen that it is not there. */
const MAX_AGE_SECONDS = 30;

/**
 * Sends an object with the time at which it was read. The entity tag is that of all but this time; what only one viewer
 * may see has none and must not be stored.
 */
export function sendObject(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: RdapAnswer,
  { viewer, now }: { readonly viewer: Viewer; readonly now: Date },
): FastifyReply {
  const { object, notices, events, redacted } = answer;
  const head = (redacted === undefined ? PLAIN : WITH_REDACTIONS) + notices;
  const members = `${head}${object && ','}${object}${redacted === undefined ? '' : `,"redacted":${redacted}`}`;
  // The events come last, so that the time can be added to the text that the entity tag is made of.
  const stable = events ? `${members},"events":[${events.map(eventText).join()}` : members;
  const body = () => (events ? `${stable}${events.length > 0 ? ',' : ''}${readEvent(now)}]}` : `${stable}}`);
  reply.header('content-type', RDAP_TYPE);
  if (viewer.kind !== 'public') {
    return reply.header('cache-control', 'private, no-store').send(body());
  }
  return sendCacheable(request, reply, stable, body);
}

/** With an entity tag of the text, or only that it is unchanged. */
export function sendCacheable(
  request: FastifyRequest,
  reply: FastifyReply,
  tagged: string,
  body: () => string = () => tagged,
): FastifyReply {
  const etag = `"${hash('sha256', tagged, 'base64url').slice(0, 27)}"`;
  reply.headers({ 'cache-control': `public, max-age=${MAX_AGE_SECONDS}`, etag });
  return matchesEntityTag(request.headers['if-none-match'], etag)
    ? reply.code(304).removeHeader('content-type').send()
    : reply.send(body());
}

/** Times are written by the database or by us. */
const eventText = ({ eventAction, eventDate }: RdapEvent): string =>
  `{"eventAction":"${eventAction}","eventDate":"${eventDate}"}`;

const readEvent = (now: Date): string =>
  eventText({
    eventAction: 'last update of RDAP database',
    eventDate: `${now.toISOString().slice(0, 19)}Z`,
  });
