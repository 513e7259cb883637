import fc from 'fast-check';
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
  test('success: as many values as allowed, of every kind', () => {
    expect(parse('{"a":[1,null,"b"]}', 5)).toEqual({ a: [1, null, 'b'] });
    expect(refusalOf(nested(32))).toBeUndefined();
  });

  test('property: values are counted before they are made', () => {
    const count = (value: unknown): number =>
      typeof value === 'object' && value !== null
        ? Object.values(value).reduce<number>((sum, item) => sum + count(item), 1)
        : 1;
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(0, 2), (value, space) => {
        const text = JSON.stringify(value, null, space);
        const values = count(JSON.parse(text));
        expect(refusalOf(text, values)).not.toBe('tooManyValues');
        expect(refusalOf(text, values - 1)).toBe('tooManyValues');
      }),
    );
  });

  test.each([
    ['more values than allowed', '{"a":[1,null,"b"]}', 4, 'tooManyValues'],
    ['unknown members', `{${Array.from({ length: 9 }, (_, n) => `"m${n}":1`).join()}}`, 9, 'tooManyValues'],
    ['deeper than any call allows', nested(40), undefined, 'malformedJson'],
    ['no JSON', '{', undefined, 'malformedJson'],
    ['a truncated object', '{"invoice_number":', undefined, 'malformedJson'],
    ['a word', 'paid', undefined, 'malformedJson'],
    ['two values', '{}{}', undefined, 'malformedJson'],
    ['a form', 'invoice_number=150005&status=paid', undefined, 'malformedJson'],
    ['a trailing comma', '{"a":1,}', undefined, 'malformedJson'],
    ['a NUL byte', '{"owner":"a\0b"}', undefined, 'malformedJson'],
    ['arrays 100,000 deep', nested(100_000), undefined, 'malformedJson'],
    ['objects 33 deep', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`, undefined, 'malformedJson'],
    ['NUL in a text', '[{"owner":"a\\u0000"}]', undefined, 'unprintableText'],
    ['a lone surrogate in a text', '[{"owner":"\\ud800"}]', undefined, 'unprintableText'],
    ['NUL in a name', '{"a\\u0000":1}', undefined, 'unprintableText'],
  ])('failure: %s', (_what, text, maxValues, name) => {
    expect(refusalOf(text, maxValues)).toBe(name);
  });

  test.each([
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
    ['a byte order mark of another encoding', Buffer.from('\ufeff{}', 'utf16le')],
  ])('failure: %s', (_what, bytes) => {
    expect(() => parseJsonBody('application/json', bytes)).toThrow(Refused);
  });

  test.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data'])(
    'failure: the format %s',
    (type) => {
      expect(() => parseJsonBody(type, Buffer.from('{}'))).toThrow('Only JSON is spoken here');
      expect(parseJsonBody(type, Buffer.alloc(0))).toBeUndefined();
    },
  );

  test('success: a surrogate pair is one character, and no Content-Type means JSON', () => {
    expect(parse('"\\ud83d\\ude00"')).toBe('\u{1f600}');
    expect(parseJsonBody(undefined, Buffer.from('{}'))).toEqual({});
  });
});
