import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FormFields } from '../../../src/doors/html/form-fields.ts';

const parse = (text: string) => FormFields.parse(text, 1_000) ?? expect.fail('too many fields');

describe('fields of a form', () => {
  test('property: they are what a browser means, also with wrong escapes', () => {
    const piece = fc.constantFrom('a', 'b', '=', '&', '+', '%', '%41', '%C3%B5', '%ff', '%4', '%zz', ' ');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('');
        const [form, expected] = [parse(text), new URLSearchParams(text)];
        for (const name of expected.keys()) expect(form.getAll(name)).toEqual(expected.getAll(name));
        expect(form.size).toBe(expected.size);
      }),
    );
  });

  test('success: a name that is not there has no value, and those of objects are names like others', () => {
    const form = parse('__proto__=a&constructor=b');
    expect([form.get('x'), form.getAll('x')]).toEqual([undefined, []]);
    expect([form.get('__proto__'), form.get('constructor'), form.get('toString')]).toEqual([
      'a',
      'b',
      undefined,
    ]);
  });

  test('success: letters that no browser sends as they are stay what they are', () => {
    expect(parse('n=õ%zz🏡%C3%B5').get('n')).toBe('õ%zz🏡õ');
  });

  test('failure: more fields than allowed, empty ones included', () => {
    expect(FormFields.parse('a&b&c', 3)?.getAll('c')).toEqual(['']);
    expect(FormFields.parse('a&b&c', 2)).toBeUndefined();
    expect(FormFields.parse('&&&', 3)).toBeUndefined();
  });
});
