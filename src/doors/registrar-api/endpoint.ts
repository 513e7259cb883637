import type { Static, TObject, TSchema } from 'typebox';
import Type from 'typebox';
import type { Parsed } from '../../operations/refusal.ts';
import type { Right } from '../../registry/actor.ts';
import type { Context } from '../../registry/operation.ts';
import { Shape } from '../http/validation.ts';
import type { RefusalName } from './refusals.ts';

/** JSON that is already text, passed on as it came from PostgreSQL. */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** JSON text that comes piece by piece. */
export class JsonStream {
  readonly pieces: AsyncIterable<string>;
  constructor(pieces: AsyncIterable<string>) {
    this.pieces = pieces;
  }
}

/** Something to save or print, which comes without an envelope. */
export class Document {
  readonly type: string;
  readonly filename: string;
  readonly bytes: Buffer;
  constructor(type: string, filename: string, bytes: Buffer) {
    this.type = type;
    this.filename = filename;
    this.bytes = bytes;
  }
}

export type Answer = {
  readonly data: object | JsonText | JsonStream | Document;
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

export type Params = Readonly<Record<string, string>>;
/** A body of which some fields may have failed already. */
export type Unfinished<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: Unfinished<T[K]> }
    : T;

type Example = {
  readonly params?: Params;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: object;
  readonly data: object;
};

type Description = {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly group: string;
  readonly summary: string;
  readonly right: Right;
  /** Works on as many objects as a registrar has, and may take longer than a call about one of them. */
  readonly isBulk?: true;
  /** Headers of its own, with what they are for. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly data: TSchema;
  /** The media type of a success that is no JSON. */
  readonly document?: string;
  /** The refusals of its own, besides those of every call. */
  readonly refusals: readonly RefusalName[];
  readonly example: Example;
};

/** One call of the API: what it is, what it takes, and what it does. Everything else is the same for all. */
export type Endpoint = Description & {
  readonly query: Shape;
  readonly body: Shape;
  readonly hasBody: boolean;
  readonly mutates: boolean;
  readonly parse: (body: never, now: Date) => Parsed<unknown>;
  readonly handle: (call: never) => Promise<Answer>;
};

export type Call<Query, Input> = {
  readonly params: Params;
  readonly query: Query;
  readonly input: Input;
  readonly context: Context;
  /** The headers that the endpoint names, in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
};

type Definition<Q extends TObject, B extends TObject, Input> = Description & {
  readonly query?: Q;
  readonly body?: B;
  /** Reads the body with the core's own parser; sees what is left of a body that already failed in part. */
  readonly parse?: (body: Unfinished<Static<B>>, now: Date) => Parsed<Input>;
  readonly handle: (call: Call<Static<Q>, Input>) => Promise<Answer>;
};

const NOTHING = Type.Object({}, { additionalProperties: false });

export function endpoint<
  Q extends TObject = TObject<Record<never, never>>,
  B extends TObject = TObject<Record<never, never>>,
  Input = Static<B>,
>(definition: Definition<Q, B, Input>): Endpoint {
  return {
    ...definition,
    query: new Shape(definition.query ?? NOTHING),
    body: new Shape(definition.body ?? NOTHING),
    hasBody: definition.body !== undefined,
    mutates: definition.method !== 'GET',
    parse: definition.parse ?? ((body: Input) => ({ value: body })),
  };
}
