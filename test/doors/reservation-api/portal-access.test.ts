import { describe, expect, test } from 'vitest';
import { PortalAccess } from '../../../src/doors/reservation-api/access.ts';
import { Refused } from '../../../src/operations/refusal.ts';
import { RateLimiter } from '../../../src/platform/concurrency/rate-limiter.ts';

/** Authorisation without a server: tokens are looked up in a list. */
const TOKEN = 'portal-sandbox-token';
const TOKENS = new Map([
  [TOKEN, { id: 1, name: 'portal' }],
  ['another-token', { id: 2, name: 'other' }],
]);
const HOME = '192.0.2.7';
const access = ({
  requestsPerMinute = 100,
  failuresPerMinute = 100,
  allowedIps = ['0.0.0.0/0', '::/0'],
} = {}) =>
  new PortalAccess({
    tokens: { find: (token) => TOKENS.get(token) },
    allowedIps,
    failuresPerMinute,
    requests: new RateLimiter(requestsPerMinute),
  });
/** The name of the token, or of the refusal. */
const outcome = (work: () => { readonly name: string }): string => {
  try {
    return work().name;
  } catch (error) {
    if (error instanceof Refused) return error.refusals[0].name;
    throw error;
  }
};
const admitted = (to: PortalAccess, token: string, address = HOME) =>
  outcome(() => to.admit(`Bearer ${token}`, address));

describe('the token', () => {
  test.each(['Bearer', 'bearer', 'BEARER', 'Bearer  '])('success: with the scheme %s', (scheme) => {
    expect(outcome(() => access().admit(`${scheme} ${TOKEN}`, HOME))).toBe('portal');
  });

  test.each([
    ['no header', undefined],
    ['a bare token', TOKEN],
    ['Basic', `Basic ${TOKEN}`],
    ['Basic with the token as a password', `Basic ${Buffer.from(`portal:${TOKEN}`).toString('base64')}`],
    ['another scheme', `Token ${TOKEN}`],
    ['a word before it', `Bearer x ${TOKEN}`],
    ['a word after it', `Bearer ${TOKEN} x`],
    ['the scheme alone', 'Bearer'],
    ['an empty token', 'Bearer '],
    ['an unknown one', 'Bearer unknown'],
    ['a list of tokens', `Bearer x, Bearer ${TOKEN}`],
    ['quotes', `Bearer "${TOKEN}"`],
  ])('failure: %s', (_what, authorization) => {
    expect(outcome(() => access().admit(authorization, HOME))).toBe('portalUnauthorized');
  });
});

describe('the address', () => {
  const allowedIps = ['192.0.2.0/24', '2001:db8::/32'];

  test.each([
    ['192.0.2.7', 'portal'],
    ['::ffff:192.0.2.7', 'portal'],
    ['2001:db8::17', 'portal'],
    ['198.51.100.1', 'portalUnauthorized'],
    ['2001:db9::17', 'portalUnauthorized'],
    ['nonsense', 'portalUnauthorized'],
  ])('success: from %s: %s', (address, expected) => {
    expect(admitted(access({ allowedIps }), TOKEN, address)).toBe(expected);
  });

  test('failure: every address if none is allowed', () => {
    expect(admitted(access({ allowedIps: [] }), TOKEN)).toBe('portalUnauthorized');
  });
});

describe('limits', () => {
  test('failure: more requests per minute than the token may make; others are not affected', () => {
    const limited = access({ requestsPerMinute: 3 });
    const asked = Array.from({ length: 4 }, () => admitted(limited, TOKEN));
    expect(asked).toEqual(['portal', 'portal', 'portal', 'portalRateExceeded']);
    expect(admitted(limited, 'another-token')).toBe('other');
  });

  test('failure: more failures than an address may make, also with a valid token', () => {
    const limited = access({ failuresPerMinute: 2 });
    expect(['a', 'b', 'c', TOKEN].map((token) => admitted(limited, token))).toEqual([
      'portalUnauthorized',
      'portalUnauthorized',
      'portalRateExceeded',
      'portalRateExceeded',
    ]);
    expect(admitted(limited, TOKEN, '192.0.2.8')).toBe('portal');
  });

  test('failure: those of one IPv6 network count together; another network is not affected', () => {
    const limited = access({ failuresPerMinute: 2 });
    for (const address of ['2001:db8::1', '2001:db8::2:0:0:1'])
      expect(admitted(limited, 'wrong', address)).toBe('portalUnauthorized');
    expect(admitted(limited, TOKEN, '2001:db8::3')).toBe('portalRateExceeded');
    expect(admitted(limited, TOKEN, '2001:db8:0:1::3')).toBe('portal');
  });

  test('success: a token that was admitted before is not refused for later failures from the same address', () => {
    const limited = access({ failuresPerMinute: 2 });
    expect(admitted(limited, TOKEN)).toBe('portal');
    expect(['a', 'b', 'c', TOKEN, 'another-token'].map((token) => admitted(limited, token))).toEqual([
      'portalUnauthorized',
      'portalUnauthorized',
      'portalRateExceeded',
      'portal',
      'portalRateExceeded',
    ]);
  });

  test('failure: more unknown ids than a token may ask for, then also a known one', async () => {
    const limited = access({ failuresPerMinute: 3 });
    const find = async (caller: number, found: boolean): Promise<string> => {
      const lookup = async () => (found ? { name: 'found' } : undefined);
      return limited.find({ id: caller, name: 'x' }, lookup, { otherwise: 'reservationMissing' }).then(
        ({ name }) => name,
        (error: Refused) => error.refusals[0].name,
      );
    };
    const asked: string[] = [];
    for (const found of [true, false, false, true, false, false, true]) asked.push(await find(1, found));
    expect(asked).toEqual([
      'found',
      'reservationMissing',
      'reservationMissing',
      'found',
      'reservationMissing',
      'portalRateExceeded',
      'portalRateExceeded',
    ]);
    expect(await find(2, true)).toBe('found');
  });
});
