import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RefusalRenderer, RenderedRefusals } from './http-answer.ts';
import type { CallDescription } from './endpoint.ts';
import { refusal, refuse } from './request-refusals.ts';

type Routed = Pick<CallDescription, 'method' | 'path'>;
/** The methods that a path has; none for an unknown path. */
export type MethodsOf = (path: string) => readonly string[];

const isParameter = (step: string): boolean => step.startsWith(':');

/** A path that a call has word for word is its own, and never a value of another call's parameter. */
export function methodsByPath(endpoints: readonly Routed[], prefix: string): MethodsOf {
  const known = endpoints.map(({ method, path }) => {
    const steps = `${prefix}${path}`.split('/');
    return { method, steps, isLiteral: !steps.some(isParameter) };
  });
  return (path) => {
    const given = path.split('/').map(decodeStep);
    const fits = (steps: readonly string[]) =>
      steps.length === given.length &&
      steps.every((step, place) => (isParameter(step) ? given[place] !== '' : step === given[place]));
    const fitting = known.filter(({ steps }) => fits(steps));
    const literal = fitting.filter(({ isLiteral }) => isLiteral);
    const methods = (literal.length > 0 ? literal : fitting).map(({ method }) => method);
    // HEAD is answered wherever GET is.
    return [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))];
  };
}

/** The router compares decoded paths. */
const decodeStep = (step: string): string => (step.includes('%') ? decodeURIComponent(step) : step);

/**
 * Whether the router took a literal path of another call for a value of a parameter, which it does where that call has
 * another method.
 */
export function isMisroutedBy(
  endpoints: readonly Routed[],
  methodsOf: MethodsOf,
): (request: FastifyRequest) => boolean {
  const literals = new Set(
    endpoints.flatMap(({ path }) => path.split('/').filter((step) => !isParameter(step))),
  );
  return ({ params, method, url }) =>
    Object.values(params as Readonly<Record<string, string>>).some((value) => literals.has(value)) &&
    !methodsOf(pathIn(url)).includes(method);
}

const pathIn = (url: string): string => url.split('?', 1)[0] ?? '';

/** For a request without a route: 405 with the methods of its path, or 404. */
export function refuseUnrouted(methodsOf: MethodsOf, request: FastifyRequest, reply: FastifyReply): never {
  const methods = methodsOf(pathIn(request.url));
  if (methods.length === 0) refuse('unknownPath');
  reply.header('allow', methods.join(', '));
  return refuse('otherMethod');
}

/** The paths of an API, for a request that never becomes one of Fastify's. */
export type KnownPaths = { readonly methodsOf: MethodsOf; readonly renderRefusals: RefusalRenderer };

/** 405 with the methods of the path, in the format of its API; undefined for a path of no API. */
export function renderOtherMethod(apis: readonly KnownPaths[], path: string): RenderedRefusals | undefined {
  for (const { methodsOf, renderRefusals } of apis) {
    const methods = methodsOf(path);
    if (methods.length === 0) continue;
    const rendered = renderRefusals([refusal('otherMethod')]);
    return { ...rendered, headers: { ...rendered.headers, allow: methods.join(', ') } };
  }
  return undefined;
}
