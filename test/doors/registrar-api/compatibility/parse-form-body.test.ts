import { describe, expect, test } from 'vitest';
import {
  MAX_FORM_BYTES,
  parseFormBody,
} from '../../../../src/doors/registrar-api/compatibility/parse-form-body.ts';
import type { Refused } from '../../../../src/operations/refusal.ts';

const parse = (text: string) => parseFormBody(Buffer.from(text));
const codeOf = (text: string): number | undefined => {
  try {
    parse(text);
    return undefined;
  } catch (error) {
    return (error as Refused).refusals[0].code;
  }
};

describe('parseFormBody', () => {
  test.each([
    [
      'members',
      'contact[name]=Mari+Maasikas&contact[ident][ident]=1',
      { contact: { name: 'Mari Maasikas', ident: { ident: '1' } } },
    ],
    ['escapes', 'contact%5Bname%5D=%C3%95ie%26Co', { contact: { name: 'Õie&Co' } }],
    ['items', 'domains[]=a.ee&domains[]=b.ee', { domains: ['a.ee', 'b.ee'] }],
    ['an empty list', 'domains[]=', { domains: [] }],
    ['a text without a value', 'a[b]&c=', { a: { b: '' }, c: '' }],
    [
      'items with members',
      'n[][h]=a&n[][ip][]=1&n[][ip][]=2&n[][h]=b',
      { n: [{ h: 'a', ip: ['1', '2'] }, { h: 'b' }] },
    ],
    ['items by index, in any order', 'n[1][h]=b&n[0][h]=a', { n: [{ h: 'a' }, { h: 'b' }] }],
    ['the last of two texts', 'a=1&a=2', { a: '2' }],
    ['the name of an inherited property', '__proto__[a]=1', JSON.parse('{"__proto__":{"a":"1"}}')],
  ])('success: %s', (_what, text, expected) => {
    expect(parse(text)).toEqual(expected);
  });

  test('success: an empty body counts as absent, and prototypes are not changed', () => {
    expect(parse('')).toBeUndefined();
    expect(Object.keys(parse('__proto__[a]=1') as object)).toEqual(['__proto__']);
    expect(({} as { a?: string }).a).toBeUndefined();
  });

  test.each([
    ['a text that is also an object', 'a=1&a[b]=2', 2005],
    ['an object that is also a text', 'a[b]=2&a=1', 2005],
    ['a list that is also an object', 'a[]=1&a[b]=2', 2005],
    ['a list of lists', 'a[][]=1', 2005],
    ['an open bracket', 'a[b=1', 2005],
    ['no name', '=1', 2005],
    ['an invalid escape', 'a=%zz', 2005],
    ['bytes that are not UTF-8', 'a=%ff', 2005],
    ['a character that cannot be stored', 'a[b]=%00', 2005],
    ['deep nesting', `a${'[b]'.repeat(40)}=1`, 2005],
  ])('failure: %s', (_what, text, code) => {
    expect(codeOf(text)).toBe(code);
  });

  test('success: 1,100 fields, and 128 KiB', () => {
    expect(parse('a[]=1&'.repeat(1_099))).toEqual({ a: Array.from({ length: 1_099 }, () => '1') });
    expect(parse(`a=${'x'.repeat(MAX_FORM_BYTES - 2)}`)).toEqual({ a: 'x'.repeat(131_070) });
  });

  test.each([
    ['more fields', 'a[]=1&'.repeat(1_100)],
    ['more fields, all empty', '&'.repeat(1_100)],
    ['more bytes', `a=${'x'.repeat(MAX_FORM_BYTES - 1)}`],
  ])('failure: %s, which are counted before anything is parsed', (_what, text) => {
    expect(codeOf(text)).toBe(2004);
    expect(codeOf(`a[${text}`)).toBe(2004);
  });
});
