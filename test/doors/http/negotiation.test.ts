import { describe, expect, test } from 'vitest';
import { acceptsEncoding, matchesEntityTag, preferredLanguage } from '../../../src/doors/http/negotiation.ts';

describe('preferredLanguage', () => {
  test.each([
    [undefined, 'et'],
    ['', 'et'],
    ['*', 'et'],
    ['ru, de;q=0.5', 'et'],
    ['en', 'en'],
    ['EN-gb', 'en'],
    ['ru, en;q=0.1', 'en'],
    ['et, en', 'et'],
    ['en, et', 'en'],
    ['et;q=0.3,en;q=0.7', 'en'],
    ['en; q=0.3 , et ; q=0.7', 'et'],
    ['en;q=0', 'et'],
    ['en;q=much', 'et'],
    ['enx, ;;q=, ,', 'et'],
  ])('success: %j is read as %s', (header, language) => {
    expect(preferredLanguage(header, ['et', 'en'])).toBe(language);
  });
});

describe('matchesEntityTag', () => {
  test.each(['"a"', 'W/"a"', '*', '"b", "a"', ' "b" ,W/"a" '])('success: %j names the tag', (header) => {
    expect(matchesEntityTag(header, '"a"')).toBe(true);
  });

  test.each([undefined, '', 'a', '"A"', '"b"', '"aa"', `"a${' '.repeat(15_000)}"`])(
    'failure: %j does not',
    (header) => {
      expect(matchesEntityTag(header, '"a"')).toBe(false);
    },
  );
});

describe('acceptsEncoding', () => {
  test.each(['gzip', 'GZIP', 'br, gzip', 'gzip;q=0.5', 'deflate , gzip ; q=0.001'])(
    'success: %j accepts gzip',
    (header) => {
      expect(acceptsEncoding(header, 'gzip')).toBe(true);
    },
  );

  test.each([
    undefined,
    '',
    'br',
    'gzip;q=0',
    'gzip; q=0.000',
    'gzipped',
    'gzip;q=much',
    `gzip${' '.repeat(15_000)}x`,
  ])('failure: %j does not', (header) => {
    expect(acceptsEncoding(header, 'gzip')).toBe(false);
  });
});
