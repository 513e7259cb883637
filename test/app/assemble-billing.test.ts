import { describe, expect, test } from 'vitest';
import { assembleBilling } from '../../src/app/assemble-billing.ts';
import { ee } from '../../src/policy/ee.ts';

/** The settings that assembling needs. */
const parts = {
  config: { allowedReturnOrigins: ['https://auction.example', 'https://portal.example'] },
  policy: ee,
} as unknown as Parameters<typeof assembleBilling>[0];
const { isReturnAllowed } = assembleBilling(parts, () => 'http://127.0.0.1:8080/');

describe('allowed return URLs of payers', () => {
  test.each([
    ['our own origin', 'http://127.0.0.1:8080/anywhere'],
    ['an allowed one', 'https://auction.example/done?a=1&b=2#there'],
    ['another allowed one', 'https://portal.example'],
    ['in capitals', 'HTTPS://AUCTION.EXAMPLE/Done'],
    ['with the default port', 'https://auction.example:443/done'],
    ['with an @ in its path', 'https://auction.example/@mari?mail=mari@example.ee'],
  ])('success: %s', (_what, url) => {
    expect(isReturnAllowed(url)).toBe(true);
  });

  test.each([
    'https://auction.example.evil.example/done',
    'https://evil.example/https://auction.example',
    'https://evil.example/?https://auction.example/done',
    'https://evilauction.example/done',
    'https://sub.auction.example/done',
    'https://auction.exampl',
    'https://auction',
    'https://a',
    'https://auction.example@evil.example/done',
    'https://evil.example@auction.example/done',
    'https://user:password@auction.example/done',
    'https://auction.example:8443/done',
    'http://auction.example/done',
    'http://auction.example:443/done',
    'http://127.0.0.1:8081/anywhere',
    'https://auction.example\\@evil.example/done',
    'https://evil.example\\.auction.example/done',
    'https:\\\\auction.example/done',
    'https:/auction.example/done',
    'https:auction.example/done',
    '//auction.example/done',
    '/done',
    'auction.example/done',
    'javascript:alert(1)',
    'javascript://auction.example/%0aalert(1)',
    'data:text/html,https://auction.example',
    'ftp://auction.example/done',
    'https://auction.exam\nple/done',
    'https://auction.example/a\tb',
    'https://auction.example\u3002evil.example/done',
    'https://аuction.example/done',
    'null',
    'https://',
    '',
  ])('failure: %j', (url) => {
    expect(isReturnAllowed(url)).toBe(false);
  });
});
