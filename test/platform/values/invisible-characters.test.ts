import { describe, expect, test } from 'vitest';
import {
  escapeInvisible,
  escapeInvisibleInJson,
  escapeInvisibleInLines,
} from '../../../src/platform/values/normalise-text.ts';

const at = String.fromCodePoint;

describe('invisible characters', () => {
  test.each([
    ['an escape sequence', '\u001b[2J', '\\u{1b}[2J'],
    ['its one-byte form', '\u009b2J', '\\u{9b}2J'],
    ['a carriage return', 'a\rb', 'a\\u{d}b'],
    ['a tab and a bell', '\t\u0007', '\\u{9}\\u{7}'],
    ['a delete', '\u007f', '\\u{7f}'],
    ['a right-to-left override', 'a\u202eb', 'a\\u{202e}b'],
    ['an isolate', '\u2066a\u2069', '\\u{2066}a\\u{2069}'],
    ['marks of direction', '\u200e\u200f\u061c', '\\u{200e}\\u{200f}\\u{61c}'],
    ['zero-width characters', 'a\u200bb\u200dc\u2060d\ufeff', 'a\\u{200b}b\\u{200d}c\\u{2060}d\\u{feff}'],
    ['a soft hyphen', 'a\u00adb', 'a\\u{ad}b'],
    ['separators of lines', '\u2028\u2029', '\\u{2028}\\u{2029}'],
    ['a tag above the basic plane', at(0xe0041), '\\u{e0041}'],
  ])('success: %s is shown', (_what, text, shown) => {
    expect([escapeInvisible(text), escapeInvisibleInLines(text)]).toEqual([shown, shown]);
    const json = escapeInvisibleInJson(JSON.stringify({ text }));
    expect(json).toMatch(/^[\x20-\x7e]*$/);
    expect(JSON.parse(json)).toEqual({ text });
  });

  test.each(['Mari Õun OÜ', '日本語', 'šž', '“quotes” – and…', at(0x1f600), 'e\u0301', '\u00a0'])(
    'success: %s stays',
    (text) => {
      expect(escapeInvisible(text)).toBe(text);
      expect(escapeInvisibleInLines(text)).toBe(text);
      expect(escapeInvisibleInJson(text)).toBe(text);
    },
  );

  test('success: a line end within a value is shown, those between lines stay', () => {
    expect(escapeInvisible('a\nb')).toBe('a\\u{a}b');
    expect(escapeInvisibleInLines('a\nõ\u001b\n')).toBe('a\nõ\\u{1b}\n');
    const json = escapeInvisibleInJson(JSON.stringify({ name: 'õ\n\u009b' }, null, 2));
    expect(json).toBe('{\n  "name": "õ\\n\\u009b"\n}');
  });
});
