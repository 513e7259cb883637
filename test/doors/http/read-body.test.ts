import Type from 'typebox';
import { expect, test } from 'vitest';
import { readBody } from '../../../src/doors/http/read-request.ts';
import { refusal } from '../../../src/doors/http/request-refusals.ts';
import { SchemaValidator } from '../../../src/doors/http/validation.ts';
import type { Refusal } from '../../../src/operations/refusal.ts';

test('failure: any number of wrong items is refused', () => {
  const refusalOf = ({ path }: { readonly path: readonly string[] }) =>
    refusal('wrongSyntax', { field: path.join('.'), expected: 'a text' });
  const shape = new SchemaValidator(Type.Object({ items: Type.Array(Type.String()) }), refusalOf);
  const refusals: Refusal[] = [];
  const body = { items: Array.from({ length: 200_000 }, () => 1) };
  const read = readBody(shape, body, { isStrict: true, refusalOf }, (value) => ({ value }), refusals);
  expect([read, refusals.length]).toEqual([undefined, 200_000]);
});
