import { describe, expect, test } from 'vitest';
import { parseJsonBody } from '../../../src/doors/http/json-body.ts';
import { Refused } from '../../../src/operations/refusal.ts';

const parse = (text: string, maxValues?: number): unknown =>
  parseJsonBody('application/json', Buffer.from(text), maxValues);
const refusalOf = (text: string, maxValues?: number): string | undefined => {
  try {
    parse(text, maxValues);
    return undefined;
  } catch (error) {
    return error instanceof Refused ? error.refusals[0].name : String(error);
  }
};
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

describe('parseJsonBody', () => {
  test('success: as many values as may be, of every kind', () => {
    expect(parse('{"a":[1,null,"b"]}', 5)).toEqual({ a: [1, null, 'b'] });
    expect(refusalOf(nested(32))).toBeUndefined();
  });

  test.each([
    ['more values than may be', '{"a":[1,null,"b"]}', 4, 'tooManyValues'],
    [
      'members that nobody knows',
      `{${Array.from({ length: 9 }, (_, n) => `"m${n}":1`).join()}}`,
      9,
      'tooManyValues',
    ],
    ['deeper than any call nests', nested(40), undefined, 'malformedJson'],
    ['no JSON', '{', undefined, 'malformedJson'],
  ])('failure: %s', (_what, text, maxValues, name) => {
    expect(refusalOf(text, maxValues)).toBe(name);
  });
});
