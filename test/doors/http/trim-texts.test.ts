import Type from 'typebox';
import { expect, test } from 'vitest';
import { trimTexts, VERBATIM } from '../../../src/doors/http/trim-texts.ts';
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
  expect(trimTexts(given, schema)).toEqual({
    ...{ name: 'a', hosts: [{ host: 'b' }, 'c'], any: [{ deep: ['d', 1, null] }] },
  });
});

test('success: unknown members are left out where they are ignored, and stay as they are where they are refused', () => {
  const given = { name: ' a ', other: ' b ' };
  expect(trimTexts(given, schema)).toEqual({ name: 'a' });
  expect(trimTexts(given, { ...schema, additionalProperties: false })).toEqual({ name: 'a', other: ' b ' });
});

test('success: codes and passwords are not trimmed, and the input is not modified', () => {
  const given = { code: ' a ', codes: [' b '] };
  expect(trimTexts(given, schema)).toEqual({ code: ' a ', codes: [' b '] });
  const whole = { name: ' a ' };
  trimTexts(whole, schema);
  expect(whole).toEqual({ name: ' a ' });
});

test('success: values that are not objects, and members with unusual names', () => {
  expect([trimTexts(' a ', undefined), trimTexts(null, schema), trimTexts(5, schema)]).toEqual([
    'a',
    null,
    5,
  ]);
  const odd = JSON.parse('{"__proto__":" a ","constructor":" b "}');
  expect(Object.entries(trimTexts(odd, undefined) as object)).toEqual([
    ['__proto__', 'a'],
    ['constructor', 'b'],
  ]);
  const strict = { ...schema, additionalProperties: false };
  expect(Object.entries(trimTexts(odd, strict) as object)).toEqual(Object.entries(odd));
});
