import type { TProperties, TSchema } from 'typebox';
import { MAX_REFERENCE_LENGTH } from '../../registry/own-reference.ts';
import { emptyReplacesBy } from '../http/normalise-value.ts';
import { documented, Type } from '../http/schema-builder.ts';

/** An object that refuses unknown members. */
export const Strict = <T extends TProperties>(properties: T, options: object = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

/** Maximum length of any text, checked first. The longest that a call accepts is a DNSSEC key. */
const MAX_TEXT_LENGTH = 4_096;

export const Text = (description: string, options: object = {}) =>
  Type.String({ minLength: 1, maxLength: MAX_TEXT_LENGTH, description, ...options });

/** An offset reads one index entry per skipped item. */
const MAX_OFFSET = 100_000;

const MAX_LIMIT = 1_000;
export const DEFAULT_LIMIT = 200;

/** Above the longest position that a name or code produces. */
const MAX_POSITION_LENGTH = 4_000;

/** Paging parameters of every list. */
export const paging = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_LIMIT,
      default: DEFAULT_LIMIT,
      description: 'how many items at the most',
    }),
  ),
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_OFFSET,
      default: 0,
      description: 'how many items to pass over',
    }),
  ),
  after: Type.Optional(
    Text('where the page before ended, as its Link header tells', { maxLength: MAX_POSITION_LENGTH }),
  ),
};

export const flag = (description: string) => Type.Optional(Type.Boolean({ default: false, description }));

export const Registrar = Type.Object(
  { name: Type.String(), website: Type.String() },
  { 'x-component': 'Registrar' },
);

const DryRun = Type.Object(
  {
    price: Type.String({ description: 'what the call would cost' }),
    balance_after: Type.String({ description: 'the balance that would be left' }),
  },
  { description: 'only in the answer to a dry run', 'x-component': 'DryRun' },
);

/** Data of a call that changes something: a dry run adds its cost. */
export const Changed = <T extends TProperties>(properties: T) =>
  Type.Object({ ...properties, dry_run: Type.Optional(DryRun) }, { additionalProperties: false });

/** A decimal with two digits, never a float. */
export const MONEY = { pattern: '^-?\\d+\\.\\d{2}$' };
export const Money = Type.String(MONEY);

/** The registrar's own note on an object, in a request. */
const REFERENCE = Text('your own note, such as the number of an order; nobody else sees it', {
  ...documented({ maxLength: MAX_REFERENCE_LENGTH }),
});
export const newReference = Type.Optional(REFERENCE);
export const changedReference = Type.Optional(
  Type.Union([REFERENCE, Type.Null()], {
    description: 'your own note; null removes it',
    ...emptyReplacesBy(null),
  }),
);
/** In an answer. */
export const shownReference = Type.Union([Type.String(), Type.Null()], {
  description: 'your own note; gone with a transfer',
});

/** A member that is always there. */
export const orNull = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
