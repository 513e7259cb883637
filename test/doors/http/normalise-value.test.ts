import Type from 'typebox';
import { expect, test } from 'vitest';
import {
  emptyIs,
  emptyReplacesBy,
  normaliseValue,
  VERBATIM,
} from '../../../src/doors/http/normalise-value.ts';
import type { SchemaNode } from '../../../src/doors/http/validation.ts';

const schema = Type.Object({
  name: Type.String(),
  code: Type.String(VERBATIM),
  codes: Type.Array(Type.String(VERBATIM)),
  hosts: Type.Array(Type.Object({ host: Type.String() })),
  any: Type.Array(Type.Unknown()),
}) as unknown as SchemaNode;

test('success: every text is trimmed at any depth, and where the schema allows anything', () => {
  const given = { name: ' a\u00A0\n', hosts: [{ host: '\tb ' }, ' c '], any: [{ deep: [' d ', 1, null] }] };
  expect(normaliseValue(given, schema)).toEqual({
    name: 'a',
    hosts: [{ host: 'b' }, 'c'],
    any: [{ deep: ['d', 1, null] }],
  });
});

test('success: unknown members are left out where they are ignored, and stay as they are where they are refused', () => {
  const given = { name: ' a ', other: ' b ' };
  expect(normaliseValue(given, schema)).toEqual({ name: 'a' });
  expect(normaliseValue(given, { ...schema, additionalProperties: false })).toEqual({
    name: 'a',
    other: ' b ',
  });
});

test('success: codes and passwords are not trimmed, and the input is not modified', () => {
  const given = { code: ' a ', codes: [' b '] };
  expect(normaliseValue(given, schema)).toEqual({ code: ' a ', codes: [' b '] });
  const whole = { name: ' a ' };
  normaliseValue(whole, schema);
  expect(whole).toEqual({ name: ' a ' });
});

test('success: values that are not objects, and members with unusual names', () => {
  expect([normaliseValue(' a ', undefined), normaliseValue(null, schema), normaliseValue(5, schema)]).toEqual(
    ['a', null, 5],
  );
  const odd = JSON.parse('{"__proto__":" a ","constructor":" b "}');
  expect(Object.entries(normaliseValue(odd, undefined) as object)).toEqual([
    ['__proto__', 'a'],
    ['constructor', 'b'],
  ]);
  const strict = { ...schema, additionalProperties: false };
  expect(Object.entries(normaliseValue(odd, strict) as object)).toEqual(Object.entries(odd));
});

test.each([
  ' ',
  '\u00a0\u3000\u0085',
  '\u200b',
  '\u200e\ufeff',
  '\u3164',
  '\u115f\ufe0f\u{e0020}',
  '\u2800 \u2800',
])('success: the text %j shows nothing and is empty, also where it is verbatim', (text) => {
  expect(normaliseValue({ name: text, code: text }, schema)).toEqual({ name: '', code: '' });
  expect(normaliseValue({ name: `a${text}b` }, schema)).toEqual({ name: `a${text}b` });
});

test.each([[null], [''], ['\u200b ']])(
  'success: an optional member that is %j is not given, at any depth',
  (empty) => {
    const Item = Type.Object({ must: Type.String(), may: Type.Optional(Type.Integer()) });
    const optional = Type.Object({ may: Type.Optional(Type.Array(Type.String())), items: Type.Array(Item) });
    const given = { may: empty, items: [{ must: empty, may: empty }] };
    const must = empty === null ? null : '';
    for (const additionalProperties of [true, false])
      expect(normaliseValue(given, { ...optional, additionalProperties } as unknown as SchemaNode)).toEqual({
        items: [{ must }],
      });
  },
);

test('success: where the schema says so, empty members are refused, or replace what is stored', () => {
  const change = Type.Object({
    domains: Type.Optional(Type.Array(Type.String(), emptyIs('refused'))),
    name: Type.Optional(Type.String(emptyIs('text refused'))),
    list: Type.Optional(Type.Array(Type.String(), emptyReplacesBy([]))),
  }) as unknown as SchemaNode;
  const read = (empty: unknown) => normaliseValue({ domains: empty, name: empty, list: empty }, change);
  expect(read(null)).toEqual({ domains: null, list: [] });
  expect(read('')).toEqual({ domains: '', name: '', list: [] });
});
