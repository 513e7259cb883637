import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { DeadlineExceeded } from '../../platform/concurrency/deadline.ts';
import type { Logger } from '../../platform/logging.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { classifyDatabaseError, type DatabaseFailure } from '../../platform/sql/errors.ts';

/**
 * Answers a request at its deadline even if its handler is still running. The request counts as in flight until the
 * handler has ended.
 */
export const boundHandler = (handle: RouteHandlerMethod): RouteHandlerMethod =>
  function (request, reply) {
    const answer: unknown = handle.call(this, request, reply);
    return answer instanceof Promise ? untilDeadline(answer, request, reply) : answer;
  };

function untilDeadline<T>(answer: Promise<T>, request: FastifyRequest, reply: FastifyReply): Promise<T> {
  const { deadline } = request;
  if (!deadline || deadline.at === Number.POSITIVE_INFINITY) return answer;
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      if (reply.sent) return;
      const { leaveFlight } = request;
      request.leaveFlight = null;
      if (leaveFlight) answer.then(leaveFlight, leaveFlight);
      reject(new DeadlineExceeded(deadline));
    };
    const timer = setTimeout(giveUp, Math.max(0, deadline.at - performance.now()));
    const settle =
      <Value>(end: (value: Value) => void) =>
      (value: Value) => {
        clearTimeout(timer);
        end(value);
      };
    answer.then(settle(resolve), settle(reject));
  });
}

/** Whether a request failed because of the database; logged and counted unless the client had disconnected. */
export function reportDatabaseFailure(
  error: unknown,
  reqId: string,
  { log, metrics }: { readonly log: Logger; readonly metrics: Metrics },
): DatabaseFailure | undefined {
  const failure = classifyDatabaseError(error);
  if (failure === undefined || (error instanceof DeadlineExceeded && error.hasClientLeft)) return failure;
  log.warn({ err: error, reqId }, 'database error');
  metrics.databaseTrouble.inc({ kind: failure });
  return failure;
}
