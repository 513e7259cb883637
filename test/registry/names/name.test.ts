import { expect, onTestFinished, test, vi } from 'vitest';
import { ee } from '../../../src/policy/ee.ts';
import { parseDomainName } from '../../../src/registry/names/name.ts';

test.each([
  ['example.ee', 'example.ee', 'example.ee', 'ee'],
  [' EXAMPLE.ee ', 'example.ee', 'example.ee', 'ee'],
  ['näide.ee', 'näide.ee', 'xn--nide-loa.ee', 'ee'],
  ['NÄIDE.EE', 'näide.ee', 'xn--nide-loa.ee', 'ee'],
  ['xn--nide-loa.ee', 'näide.ee', 'xn--nide-loa.ee', 'ee'],
  ['XN--NIDE-LOA.EE', 'näide.ee', 'xn--nide-loa.ee', 'ee'],
  ['na\u0308ide.ee', 'näide.ee', 'xn--nide-loa.ee', 'ee'],
  ['õšž.com.ee', 'õšž.com.ee', 'xn--mda0t3c.com.ee', 'com.ee'],
  ['a.pri.ee', 'a.pri.ee', 'a.pri.ee', 'pri.ee'],
  ['1.ee', '1.ee', '1.ee', 'ee'],
  [`${'x'.repeat(63)}.ee`, `${'x'.repeat(63)}.ee`, `${'x'.repeat(63)}.ee`, 'ee'],
])('success: %s', (text, unicode, ascii, zone) => {
  const name = parseDomainName(text, ee);
  expect(name).toEqual({ unicode, ascii, zone });
});

test.each([
  ['ee'],
  ['.ee'],
  ['example.lv'],
  ['a.b.ee'],
  ['a.unknown.ee'],
  ['-a.ee'],
  ['a-.ee'],
  ['ab--c.ee'],
  ['xn--a.ee'],
  ['xn--zz.ee'],
  ['a_b.ee'],
  ['a b.ee'],
  ['кафе.ee'],
  ['straße.ee'],
  ['café.ee'],
  ['exam\u00ADple.ee'],
  ['ｅxample.ee'],
  ['example。ee'],
  ['example.ee.'],
  [`${'x'.repeat(64)}.ee`],
  [`${'ä'.repeat(60)}.ee`],
  ['x'.repeat(300)],
  ['example.ee\0'],
  ['🦊.ee'],
  [''],
])('failure: %s', (text) => {
  expect(parseDomainName(text, ee)).toBeUndefined();
});

test.each([
  ['plain', 'example.ee', false],
  ['of too many letters', `${'õ'.repeat(64)}.ee`, false],
  ['of letters that the zone does not have', `${'日本語'.repeat(20)}.ee`, false],
  ['of many labels', `${'ä.'.repeat(120)}ee`, false],
  ['of another zone', 'õ.lv', false],
  ['with a label in punycode that is too long', `xn--${'a'.repeat(60)}.ee`, false],
  ['that may be valid', 'õ.ee', true],
])(
  'success: the tables of Unicode are read for a name only if it may be valid: %s',
  (_which, text, isRead) => {
    const normalised = vi.spyOn(String.prototype, 'normalize');
    onTestFinished(() => normalised.mockRestore());
    parseDomainName(text, ee);
    // A text is normalised once when it is received; the tables do so again.
    expect(normalised.mock.calls.length > 1).toBe(isRead);
  },
);
