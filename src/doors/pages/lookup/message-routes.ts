import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '../../../operations/common-refusals.ts';
import { Refused } from '../../../operations/refusal.ts';
import { BoundedQueue } from '../../../platform/concurrency/bounded-queue.ts';
import { admitClient } from '../../../registry/lookup/lookup-limits.ts';
import { type MessageText, parseMessage } from '../../../registry/lookup/message-fields.ts';
import { findMessage, forwardMessage, submitMessage } from '../../../registry/lookup/registrant-messages.ts';
import { parseDomainName } from '../../../registry/names/name.ts';
import { acceptForms, fieldOf } from '../../html/accept-forms.ts';
import { languageOf } from '../../html/language.ts';
import { redirectTo, sendPage, sendPageWithOwnForm } from '../../html/page-answer.ts';
import { isForeignForm } from '../../http/cross-site.ts';
import { pageFailureOf, RETRY_SECONDS, reportPageFailure } from '../page-failure.ts';
import { lookupAddress } from './lookup-frame.ts';
import { answerPage } from './lookup-page.ts';
import { type LookupDependencies, type LookupPages, textOf } from './lookup-request.ts';
import type { MessageRefusal } from './lookup-texts.ts';
import { messageForm, messagePage, messageSentPage } from './message-form.ts';

/** Several times the longest message, whose letters may take nine bytes each. */
const BODY_LIMIT = 65_536;
/** Messages take one connection for writes at most, so that they cannot slow the registrars. */
const MAX_AT_ONCE = 1;
const MAX_QUEUED = 32;

/** Messages to registrants whose address is not shown. */
export function messageRoutes(app: FastifyInstance, pages: LookupPages, parts: LookupDependencies): void {
  const writes = new BoundedQueue(MAX_AT_ONCE, MAX_QUEUED);
  const inTurn: InTurn = (work) => writes.run(work) ?? refuse('overload');
  acceptForms(app, BODY_LIMIT);
  app.addHook('onRequest', async (request, reply) => {
    if (/^\/lookup\/(?:contact|message)\b/.test(request.url))
      reply.header('x-robots-tag', 'noindex, nofollow');
  });
  contactRoutes(app, pages, parts, inTurn);
  forwardingRoutes(app, pages, parts, inTurn);
}

type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** The form, and what is sent with it. */
function contactRoutes(
  app: FastifyInstance,
  pages: LookupPages,
  parts: LookupDependencies,
  inTurn: InTurn,
): void {
  const { policy } = parts;
  const { setting, sendNotice, lookUp } = pages;

  /** Undefined where the look-up of the name is the answer. */
  const registeredName = async (
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<string | undefined> => {
    const asked = textOf(request, 'name');
    const found = await lookUp(asked);
    if (found.result === 'registered') return found.domain.name;
    const { status, page } = answerPage(found, asked, setting(request));
    sendPage(reply.code(status === 200 ? 404 : status), page);
    return undefined;
  };

  app.get('/contact', { exposeHeadRoute: true }, async (request, reply) => {
    if (isRefused(() => parts.refuseIfUnavailable(request))) {
      reply.header('retry-after', String(RETRY_SECONDS));
      return sendNotice(request, reply, { notice: 'noMessages', status: 503 });
    }
    const name = await registeredName(request, reply);
    return name === undefined ? reply : sendPageWithOwnForm(reply, messageForm(name, {}, setting(request)));
  });

  /** Shows the form again with what was written. */
  const refuseForm = (
    request: FastifyRequest,
    reply: FastifyReply,
    { refusal, seconds }: { readonly refusal: MessageRefusal; readonly seconds: number },
  ): FastifyReply => {
    const status = refusal === 'tooMany' ? 429 : 503;
    reply.code(status).header('retry-after', String(seconds));
    const name = parseDomainName(textOf(request, 'name'), policy)?.unicode;
    if (name === undefined) return sendNotice(request, reply, { notice: refusal, status });
    const text = messageText(request);
    return sendPageWithOwnForm(reply, messageForm(name, { text, refusal }, setting(request)));
  };

  const takeForm = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    parts.refuseIfUnavailable(request);
    const name = await registeredName(request, reply);
    if (name === undefined) return reply;
    const text = messageText(request);
    const { value: fields, faults } = parseMessage(text, policy);
    if (faults)
      return sendPageWithOwnForm(reply.code(400), messageForm(name, { text, faults }, setting(request)));
    const admission = admitClient(parts.messageLimiters, request.ip);
    if (!admission.isAdmitted)
      return refuseForm(request, reply, { refusal: 'tooMany', seconds: admission.retryAfterSeconds });
    const language = languageOf(request);
    const { ofNetwork } = admission;
    const context = { now: parts.clock.now(), publicUrl: parts.publicUrl(), ofNetwork };
    const outcome = await inTurn(() => submitMessage(parts, { domain: name, language, fields }, context));
    if (outcome === 'overloaded') refuse('overload');
    return redirectTo(reply, lookupAddress('/contact/sent', language));
  };

  app.post('/contact', async (request, reply) => {
    if (isForeignForm(request.headers, parts.isOwnOrigin))
      return sendNotice(request, reply, { notice: 'foreign', status: 403 });
    const seconds = pages.refusedForms.get(request);
    if (seconds !== undefined) return refuseForm(request, reply, { refusal: 'tooMany', seconds });
    return takeForm(request, reply).catch((error: FastifyError) => {
      if (pageFailureOf(error).status !== 503) throw error;
      reportPageFailure(error, 503, request.id, parts);
      return refuseForm(request, reply, { refusal: 'unavailable', seconds: RETRY_SECONDS });
    });
  });

  app.get('/contact/sent', { exposeHeadRoute: true }, async (request, reply) =>
    sendPage(reply, messageSentPage(setting(request))),
  );
}

/** The link by which a sender confirms a message: opening it shows the message, and its button forwards it. */
function forwardingRoutes(
  app: FastifyInstance,
  { setting, sendNotice }: LookupPages,
  parts: LookupDependencies,
  inTurn: InTurn,
): void {
  const { database, policy, clock, limits } = parts;
  const unknown = { notice: 'unknown', status: 404 } as const;

  app.get('/message/:token', { exposeHeadRoute: true }, async (request, reply) => {
    const moment = { now: clock.now(), policy };
    const found = await (limits.run(() => findMessage(database.reads, tokenOf(request), moment)) ??
      refuse('overload'));
    return found
      ? sendPage(reply, messagePage(found, setting(request)))
      : sendNotice(request, reply, unknown);
  });

  app.post('/message/:token', async (request, reply) => {
    parts.refuseIfUnavailable(request);
    const now = clock.now();
    const found = await inTurn(() => forwardMessage({ database, policy }, tokenOf(request), now));
    // Relative: neither the token nor the host has to be repeated.
    return found ? redirectTo(reply, `?lang=${languageOf(request)}`) : sendNotice(request, reply, unknown);
  });
}

function isRefused(check: () => void): boolean {
  try {
    check();
    return false;
  } catch (error) {
    if (error instanceof Refused) return true;
    throw error;
  }
}

const tokenOf = ({ params }: FastifyRequest): string => (params as { token: string }).token;

/** A field that was sent twice is taken for missing. */
function messageText(request: FastifyRequest): MessageText {
  const read = (name: keyof MessageText): string => fieldOf(request, name) ?? '';
  return { senderName: read('senderName'), senderEmail: read('senderEmail'), message: read('message') };
}
