import type { FastifyError, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '../../../operations/common-refusals.ts';
import type { Clock } from '../../../platform/clock/clock.ts';
import { KeyedTurns } from '../../../platform/concurrency/keyed-turns.ts';
import { RateLimiter } from '../../../platform/concurrency/rate-limiter.ts';
import type { Mode } from '../../../platform/config/config.ts';
import type { Logger } from '../../../platform/logging.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import type { Database } from '../../../platform/database/database.ts';
import { addressBucket } from '../../../platform/values/ip-addresses.ts';
import type { Policy } from '../../../policy/policy.ts';
import { answerRequest, findRequest } from '../../../registry/requests/answer-request.ts';
import { acceptForms, fieldOf } from '../../html/accept-forms.ts';
import { languageOf } from '../../html/language.ts';
import { redirectTo, sendPage } from '../../html/page-answer.ts';
import { pageFailureOf, RETRY_SECONDS, reportPageFailure } from '../page-failure.ts';
import { noticePage, requestPage } from './confirmation-page.ts';
import type { Notice } from './confirmation-texts.ts';

type Dependencies = {
  readonly mode: Mode;
  readonly database: Database;
  readonly policy: Policy;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly refuseIfUnavailable: (request: FastifyRequest) => void;
  /** Unknown tokens per address (IPv6: per /64) before it is refused. */
  readonly guessesPerMinute: number;
};
type NoticeAnswer = { readonly notice: Notice; readonly status: number; readonly back?: boolean };

/** Many times the size of the one field. */
const BODY_LIMIT = 4_096;
const MAX_QUEUED_DUPLICATES = 16;

/** The page behind the link in a registrant's mail. Opening it changes nothing; one of its two buttons does. */
export function confirmPages(parts: Dependencies): FastifyPluginCallback {
  const { database, policy, clock } = parts;
  const unknownTokens = new RateLimiter<string>(parts.guessesPerMinute);
  const turns = new KeyedTurns(MAX_QUEUED_DUPLICATES);
  const setting = (request: FastifyRequest) => ({
    lang: languageOf(request),
    policy,
    badge: parts.mode === 'sandbox' ? 'Sandbox' : undefined,
  });
  const sendNotice = (
    request: FastifyRequest,
    reply: FastifyReply,
    { notice, status, back = false }: NoticeAnswer,
  ) => sendPage(reply.code(status), noticePage(notice, { ...setting(request), back }));
  const sendUnknown = (request: FastifyRequest, reply: FastifyReply) => {
    unknownTokens.take(addressBucket(request.ip));
    return sendNotice(request, reply, { notice: 'unknown', status: 404 });
  };

  return (app, _options, done) => {
    acceptForms(app, BODY_LIMIT);

    app.addHook('onRequest', async (request, reply) => {
      reply.header('x-robots-tag', 'noindex, nofollow');
      parts.refuseIfUnavailable(request);
      const { allowed, secondsToReset } = unknownTokens.peek(addressBucket(request.ip));
      if (allowed) return;
      reply.header('retry-after', String(secondsToReset));
      return sendNotice(request, reply, { notice: 'tooMany', status: 429 });
    });

    app.get('/:token', { exposeHeadRoute: true }, async (request, reply) => {
      const found = await findRequest(database.reads, tokenOf(request), clock.now());
      return found ? sendPage(reply, requestPage(found, setting(request))) : sendUnknown(request, reply);
    });

    app.post('/:token', async (request, reply) => {
      const decision = decisionOf(request);
      if (!decision) return sendNotice(request, reply, { notice: 'notUnderstood', status: 400, back: true });
      const moment = { now: clock.now(), requestId: request.id };
      const answer = () => answerRequest({ database, policy }, tokenOf(request), decision, moment);
      // Duplicates in flight are serialised here, so that they do not hold pool connections while they wait for one
      // row.
      const answered = await (turns.take(tokenOf(request), answer) ?? refuse('overload'));
      // Relative, as the form is: neither the token nor the host has to be repeated.
      return answered ? redirectTo(reply, `?lang=${languageOf(request)}`) : sendUnknown(request, reply);
    });

    app.setNotFoundHandler(sendUnknown);

    app.setErrorHandler((error: FastifyError, request, reply) => {
      const { notice, status } = pageFailureOf(error);
      if (status === 503) reply.header('retry-after', String(RETRY_SECONDS));
      reportPageFailure(error, status, request.id, parts);
      return sendNotice(request, reply, { notice, status, back: notice === 'notUnderstood' });
    });
    done();
  };
}

const tokenOf = ({ params }: FastifyRequest): string => (params as { token: string }).token;

/** Exactly one decision, or none: contradictory ones are ambiguous. */
function decisionOf(request: FastifyRequest): 'confirm' | 'reject' | undefined {
  const decision = fieldOf(request, 'decision');
  return decision === 'confirm' || decision === 'reject' ? decision : undefined;
}
