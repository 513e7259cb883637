import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { DeadlineExceeded } from '../../platform/concurrency/deadline.ts';

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
