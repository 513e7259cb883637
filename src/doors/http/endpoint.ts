import type { FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import Type from 'typebox';
import type { Parsed, Refusal } from '../../operations/refusal.ts';
import type { Answer } from './answer.ts';
import { type Dialect, readBody, readQuery, type Unfinished } from './read-request.ts';
import { headerText } from './request-headers.ts';
import { Shape } from './validation.ts';

/** The types by which the endpoints of one API differ from those of another. */
export type ApiTypes = {
  /** Who calls, as the access rule of the API found out. */
  readonly caller: unknown;
  /** What a handler is given besides the request. */
  readonly context: unknown;
  /** Names of the refusals that its catalogues have. */
  readonly refusal: string;
  /** What its access rule wants to know of an endpoint. */
  readonly access: object;
};

/** The parameters of a path: `/domains/:domain_name` has `domain_name`. */
export type Params<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Readonly<Record<Name, string>> & Params<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Readonly<Record<Name, string>>
    : Readonly<Record<never, string>>;

type Example = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: object;
  readonly data: object;
};

/** A call as documents show it. */
export type CallDescription<Name extends string = string> = {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly group: string;
  readonly summary: string;
  /** The status of a success; 200 unless given. */
  readonly status?: 200 | 201;
  /** Works on as many objects as its caller has, and may take longer than a call about one of them. */
  readonly isBulk?: true;
  /** The largest body, where it is not the usual one. */
  readonly maxBodyBytes?: number;
  /** Headers of its own, with what they are for. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly data: TSchema;
  /** The media type of a success that is no JSON. */
  readonly document?: string;
  /** What is sent, where it is read more leniently than it is described. */
  readonly describedBody?: TSchema;
  /** The refusals of its own, besides those of every call. */
  readonly refusals: readonly Name[];
  readonly example: Example;
};

export type DescribedEndpoint<Name extends string = string> = CallDescription<Name> & {
  readonly query: Shape;
  readonly body: Shape;
  readonly hasBody: boolean;
  readonly mutates: boolean;
};

/** A request that was read, ready to be carried out. */
export type ReadCall<Context> = (context: Context) => Promise<Answer>;

/** One call of an API: what it is, what it takes, and what it does. Everything else is the same for all. */
export type Endpoint<A extends ApiTypes> = A['access'] &
  DescribedEndpoint<A['refusal']> & {
    /** Reads a request by the schemas and adds what is wrong with it; with nothing wrong it can be carried out. */
    readonly read: (
      request: FastifyRequest,
      by: { readonly caller: A['caller']; readonly now: Date },
      refusals: Refusal[],
    ) => ReadCall<A['context']>;
  };

export type Call<A extends ApiTypes, Path extends string, Query, Input> = {
  readonly params: Params<Path>;
  readonly query: Query;
  readonly input: Input;
  readonly context: A['context'];
  /** The headers that the endpoint names, in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
};

export type Definition<
  A extends ApiTypes,
  Path extends string,
  Q extends TObject,
  B extends TSchema,
  Input,
> = A['access'] &
  CallDescription<A['refusal']> & {
    readonly path: Path;
    readonly query?: Q;
    readonly body?: B;
    /** How it tells what a schema refused, where that is not the way of its API. */
    readonly refusalOf?: Dialect['refusalOf'];
    /** Reads what a schema cannot say; sees what is left of a body that already failed in part. */
    readonly parse?: (
      body: Unfinished<Static<B>>,
      by: { readonly caller: A['caller']; readonly now: Date },
    ) => Parsed<Input>;
    readonly handle: (call: Call<A, Path, Static<Q>, Input>) => Promise<Answer>;
  };

const NOTHING = Type.Object({}, { additionalProperties: false });
type Nothing = TObject<Record<never, never>>;

/** The function by which the endpoints of an API are made. */
export function endpointMaker<A extends ApiTypes>(dialect: Dialect) {
  return function endpoint<
    const Path extends string,
    Q extends TObject = Nothing,
    B extends TSchema = Nothing,
    Input = Static<B>,
  >(definition: Definition<A, Path, Q, B, Input>): Endpoint<A> {
    const own = definition.refusalOf ? { ...dialect, refusalOf: definition.refusalOf } : dialect;
    const query = new Shape(definition.query ?? NOTHING, own.refusalOf);
    const body = new Shape(definition.body ?? NOTHING, own.refusalOf);
    const readsQuery = dialect.isStrict || definition.query !== undefined;
    const readsBody = dialect.isStrict || definition.body !== undefined;
    const headerNames = Object.keys(definition.headers ?? {}).map((name) => name.toLowerCase());
    // Without a parser the input is the body as its schema has it: nothing is carried out unless it passed.
    const parse = definition.parse ?? ((value: unknown): Parsed<Input> => ({ value: value as Input }));
    return {
      ...definition,
      query,
      body,
      hasBody: definition.body !== undefined,
      mutates: definition.method !== 'GET',
      read(request, by, refusals) {
        const values = readsQuery ? readQuery(query, request.query, own, refusals) : {};
        const input = readsBody
          ? readBody(body, request.body, own, (value) => parse(value as Unfinished<Static<B>>, by), refusals)
          : undefined;
        const headers =
          headerNames.length === 0
            ? NO_HEADERS
            : Object.fromEntries(headerNames.map((name) => [name, headerText(request.headers[name])]));
        const params = request.params as Params<Path>;
        return (context) =>
          definition.handle({ params, query: values as Static<Q>, input: input as Input, context, headers });
      },
    };
  };
}

const NO_HEADERS = {};
