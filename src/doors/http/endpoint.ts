import type { FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import { type NamedRefusal, type NameTable, naming } from '../../operations/named-refusal.ts';
import type { Parsed } from '../../operations/refusal.ts';
import type { Answer } from './http-answer.ts';
import { type Dialect, readBody, readQuery, type Unfinished } from './read-request.ts';
import { headerText } from './request-headers.ts';
import { Type } from './schema-builder.ts';
import { SchemaValidator } from './validation.ts';

/** The types by which the endpoints of APIs differ. */
export type ApiTypes = {
  /** The caller, as identified by the access rule of the API. */
  readonly caller: unknown;
  /** What a handler receives besides the request. */
  readonly context: unknown;
  /** Names of the refusals in its catalogues. */
  readonly refusal: string;
  /** What its access rule needs to know about an endpoint. */
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

/** A call as the documents describe it. */
export type CallDescription<Name extends string = string> = {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly group: string;
  readonly summary: string;
  /** The status of a success; 200 unless given. */
  readonly status?: 200 | 201;
  /** Changes nothing, although it is no GET: what it asks about does not fit into an address. */
  readonly isRead?: true;
  /** Processes all objects of its caller, and may therefore take longer than a call about one object. */
  readonly isBulk?: true;
  /** The maximum body size, if it differs from the default. */
  readonly maxBodyBytes?: number;
  /** Its body is a list of so many items that they are read over many turns, one such list of a caller at a time. */
  readonly isLongList?: true;
  /** Additional headers, with their descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly data: TSchema;
  /** The media type of a success that is not JSON. */
  readonly document?: string;
  /** The documented body, if the accepted one is more lenient. */
  readonly describedBody?: TSchema;
  /** Its own refusals, besides those common to all calls. */
  readonly refusals: readonly Name[];
  readonly example: Example;
};

export type DescribedEndpoint<Name extends string = string> = CallDescription<Name> & {
  readonly query: SchemaValidator;
  readonly body: SchemaValidator;
  readonly hasBody: boolean;
  readonly mutates: boolean;
};

/** A validated request, ready to run. */
export type ReadCall<Context> = (context: Context) => Promise<Answer>;

/** One call of an API: its description, its input and its handler. Everything else is common to all calls. */
export type Endpoint<A extends ApiTypes> = A['access'] &
  DescribedEndpoint<A['refusal']> & {
    /** What the call calls the places of its operation's command. */
    readonly names?: NameTable;
    /** Reads a request by the schemas and adds refusals; without any it can be run. */
    readonly read: (
      request: FastifyRequest,
      by: { readonly caller: A['caller']; readonly now: Date },
      refusals: NamedRefusal[],
    ) => ReadCall<A['context']> | Promise<ReadCall<A['context']>>;
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
    /** What the call calls the places of its operation's command. */
    readonly names?: NameTable;
    /** Renders schema failures, if this differs from its API. */
    readonly refusalOf?: Dialect['refusalOf'];
    /**
     * Validates what a schema cannot express; receives the valid rest of a body that failed in part. Names of a list are
     * parsed over several turns of the event loop.
     */
    readonly parse?: (
      body: Unfinished<Static<B>>,
      by: { readonly caller: A['caller']; readonly now: Date },
    ) => Parsed<Input> | Promise<Parsed<Input>>;
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
    const names = { ...dialect.names, ...definition.names };
    const own = { ...dialect, names, ...(definition.refusalOf && { refusalOf: definition.refusalOf }) };
    const query = new SchemaValidator(definition.query ?? NOTHING, own.refusalOf);
    const body = new SchemaValidator(definition.body ?? NOTHING, own.refusalOf);
    const readsQuery = dialect.isStrict || definition.query !== undefined;
    const readsBody = dialect.isStrict || definition.body !== undefined;
    const headerNames = Object.keys(definition.headers ?? {}).map((name) => name.toLowerCase());
    // Without a parser the input is the body as its schema types it: it is used only if validation passed.
    const parse = definition.parse ?? ((value: unknown): Parsed<Input> => ({ value: value as Input }));
    return {
      ...definition,
      query,
      body,
      hasBody: definition.body !== undefined,
      mutates: definition.method !== 'GET' && !definition.isRead,
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
        const callWith =
          (given: Input | undefined): ReadCall<A['context']> =>
          (context) =>
            naming(names, () =>
              definition.handle({
                params,
                query: values as Static<Q>,
                input: given as Input,
                context,
                headers,
              }),
            );
        return input instanceof Promise ? input.then(callWith) : callWith(input);
      },
    };
  };
}

const NO_HEADERS = {};
