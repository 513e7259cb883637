import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallDescription } from './endpoint.ts';
import { refuse } from './request-refusals.ts';

type Routed = Pick<CallDescription, 'method' | 'path'>;
/** The methods that a path has; none for an unknown path. */
type MethodsOf = (path: string) => readonly string[];

export function methodsByPath(endpoints: readonly Routed[], prefix: string): MethodsOf {
  const known = endpoints.map(({ method, path }) => ({ method, steps: `${prefix}${path}`.split('/') }));
  return (path) => {
    const given = path.split('/');
    const fits = (steps: readonly string[]) =>
      steps.length === given.length &&
      steps.every((step, place) => (step.startsWith(':') ? given[place] !== '' : step === given[place]));
    const methods = known.filter(({ steps }) => fits(steps)).map(({ method }) => method);
    // HEAD is answered wherever GET is.
    return [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))];
  };
}

/** For a request without a route: 405 with the methods of its path, or 404. */
export function refuseUnrouted(methodsOf: MethodsOf, request: FastifyRequest, reply: FastifyReply): never {
  const methods = methodsOf(request.url.split('?', 1)[0] ?? '');
  if (methods.length === 0) refuse('unknownPath');
  reply.header('allow', methods.join(', '));
  return refuse('otherMethod');
}
