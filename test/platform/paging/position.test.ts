import { describe, expect, test } from 'vitest';
import { readPosition, writePosition } from '../../../src/platform/paging/position.ts';

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('the position at which a page ended', () => {
  test.each([
    ['text', 'õun.ee'],
    ['text', ''],
    ['number', '150005'],
    ['time', '-6213559680000000'],
  ] as const)('success: of a %s, %j', (type, key) => {
    const position = { key, id: 7 };
    expect(readPosition(writePosition(position), type)).toEqual(position);
    expect(readPosition(writePosition(position, '-name'), type, '-name')).toEqual(position);
  });

  test('failure: another order than the one that it was written for', () => {
    expect(readPosition(writePosition({ key: 'a', id: 1 }, 'name'), 'text', '-name')).toBeUndefined();
    expect(readPosition(writePosition({ key: 'a', id: 1 }), 'text', 'name')).toBeUndefined();
  });

  test.each([
    ['text', encoded(['', 'a\0b', 1])],
    ['text', encoded(['', '\ud800', 1])],
    ['text', encoded(['', 'a', 1.5])],
    ['text', encoded(['', 'a', '1'])],
    ['text', encoded(['', 'a', 2 ** 53])],
    ['text', encoded(['', 'a', 1, 2])],
    ['text', encoded(['', 1, 1])],
    ['text', encoded({ key: 'a', id: 1 })],
    ['text', '12.name'],
    ['text', ''],
    ['number', encoded(['', '1e3', 1])],
    ['number', encoded(['', '', 1])],
    ['time', encoded(['', '1'.repeat(17), 1])],
    ['time', encoded(['', '2030-01-01', 1])],
  ] as const)('failure: %s %s', (type, text) => {
    expect(readPosition(text, type)).toBeUndefined();
  });
});
