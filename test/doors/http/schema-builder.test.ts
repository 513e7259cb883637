import typebox from 'typebox';
import { expect, test } from 'vitest';
import { Type } from '../../../src/doors/http/schema-builder.ts';

type Builder = typeof Type;
const named = ({ Object: object, String: text, Integer, Optional }: Builder) =>
  object({ name: text({ minLength: 1 }), age: Optional(Integer()) }, { additionalProperties: false });

test.each<[name: string, make: (builder: Builder) => object]>([
  ['a text', ({ String: text }) => text({ pattern: '^a' })],
  ['numbers', ({ Array: list, Integer, Number: number }) => [list(Integer({ minimum: 1 })), list(number())]],
  ['a boolean or null', ({ Boolean: boolean, Null, Union }) => Union([boolean(), Null()], { title: 'a' })],
  ['a list', ({ Array: list, String: text }) => list(text(), { maxItems: 3 })],
  ['one of several', ({ Enum }) => Enum(['a', 'b'], { description: 'a letter' })],
  ['constants', ({ Literal }) => [Literal('a', { title: 'a' }), Literal(1), Literal(true)]],
  ['anything', ({ Unknown }) => Unknown({ description: 'anything' })],
  ['a schema as it is', ({ Unsafe }) => Unsafe<string>({ type: ['string', 'number'] })],
  ['an object', named],
  [
    'an object without a required member',
    ({ Object: object, Null, Optional }) => object({ a: Optional(Null()) }),
  ],
  ['an empty object', ({ Object: object }) => object({})],
  ['any names', ({ Record, String: text, Integer }) => Record(text(), Integer(), { title: 'counts' })],
  ['nothing required', (builder) => builder.Partial(named(builder))],
  ['members of another', (builder) => builder.Object(builder.Partial(named(builder)).properties)],
])('success: %s is the same schema as by the library', (_name, make) => {
  expect(JSON.stringify(make(Type))).toBe(JSON.stringify(make(typebox)));
});
