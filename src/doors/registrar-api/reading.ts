import type { FastifyRequest } from 'fastify';
import type { RequestKey } from '../../operations/idempotency.ts';
import { type Parsed, type Refusal, Refused } from '../../operations/refusal.ts';
import { headerText } from '../http/header-text.ts';
import { isStorable } from '../http/json-body.ts';
import { readRequestKey } from '../http/request-key.ts';
import { type Shape, withoutFields } from '../http/validation.ts';
import type { Call, Endpoint } from './endpoint.ts';
import { refusal } from './refusals.ts';

type Read = {
  readonly query: unknown;
  readonly input: unknown;
  readonly dryRun: boolean;
  readonly requestKey: RequestKey | undefined;
  readonly headers: Call<unknown, unknown>['headers'];
};

/** Reads headers, query and body of a call; refuses with every failure found in them. */
export function readCall(endpoint: Endpoint, request: FastifyRequest, scope: string, now: Date): Read {
  const refusals: Refusal[] = [];
  const dryRun = endpoint.mutates && readDryRun(request, refusals);
  const requestKey = endpoint.mutates ? readKey(request, scope, refusals) : undefined;
  const query = readQuery(endpoint.query, request.query, refusals);
  const input = readBody(endpoint, request.body, now, refusals);
  if (refusals[0]) throw new Refused(refusals[0], ...refusals.slice(1));
  return { query, input, dryRun, requestKey, headers: ownHeaders(endpoint, request) };
}

function ownHeaders(endpoint: Endpoint, request: FastifyRequest): Read['headers'] {
  const names = Object.keys(endpoint.headers ?? {}).map((name) => name.toLowerCase());
  return Object.fromEntries(names.map((name) => [name, headerText(request.headers[name])]));
}

function readDryRun(request: FastifyRequest, refusals: Refusal[]): boolean {
  const text = request.headers['dry-run'];
  if (text === undefined || text === 'false' || text === 'true') return text === 'true';
  refusals.push(refusal('wrongSyntax', { field: 'Dry-Run', expected: 'true or false' }));
  return true;
}

function readKey(request: FastifyRequest, scope: string, refusals: Refusal[]): RequestKey | undefined {
  try {
    return readRequestKey(request, scope);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    refusals.push(...error.refusals);
    return undefined;
  }
}

/** Query values are texts; whole numbers are read where the schema has a number. */
function readQuery(shape: Shape, query: unknown, refusals: Refusal[]): unknown {
  const properties = (shape.schema.properties ?? {}) as Record<string, { type?: string; default?: unknown }>;
  const values: Record<string, unknown> = { ...(query as object) };
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== 'string') continue;
    if (!isStorable(value)) refusals.push(refusal('unprintableText', { field: name.slice(0, 200) }));
    if (properties[name]?.type === 'integer' && /^-?\d+$/.test(value)) values[name] = Number(value);
  }
  refusals.push(...shape.inOrder(shape.check(values)));
  for (const [name, property] of Object.entries(properties)) values[name] ??= property.default;
  return values;
}

function readBody(endpoint: Endpoint, body: unknown, now: Date, refusals: Refusal[]): unknown {
  const value = body === undefined ? {} : body;
  const tooLong = endpoint.body.checkSizes(value);
  if (tooLong.length > 0) {
    refusals.push(...tooLong);
    return undefined;
  }
  const structural = endpoint.body.check(value);
  const rest =
    structural.length === 0
      ? value
      : withoutFields(
          value,
          structural.map(({ field }) => field),
        );
  if (structural.some(({ field }) => field === 'body')) {
    refusals.push(...structural);
    return undefined;
  }
  const parsed: Parsed<unknown> = endpoint.parse(rest as never, now);
  const isReported = overlapWith(structural.map(({ field }) => field ?? ''));
  const further = 'refusals' in parsed ? parsed.refusals.filter(({ field }) => !isReported(field ?? '')) : [];
  refusals.push(...endpoint.body.inOrder([...structural, ...further]));
  return 'value' in parsed ? parsed.value : undefined;
}

/** Tells whether a field, a part of it or the object around it is among the reported ones. */
function overlapWith(reported: readonly string[]): (field: string) => boolean {
  const fields = new Set(reported);
  const around = new Set(reported.flatMap(enclosing));
  return (field) =>
    fields.has(field) || around.has(field) || enclosing(field).some((each) => fields.has(each));
}

/** The objects around a field: `a` and `a.b` for `a.b.c`. */
function enclosing(field: string): string[] {
  const steps = field.split('.');
  return steps.slice(1).map((_, place) => steps.slice(0, place + 1).join('.'));
}
