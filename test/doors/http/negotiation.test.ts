import { describe, expect, test } from 'vitest';
import { preferredLanguage } from '../../../src/doors/http/negotiation.ts';

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
