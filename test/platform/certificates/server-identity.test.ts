import { describe, expect, test } from 'vitest';
import { faultOf } from '../../../src/platform/certificates/server-identity.ts';
import { selfSigned } from '../../support/certificates.ts';

const DAY_MS = 86_400_000;
const now = new Date();
const own = await selfSigned('registry.example');
const other = await selfSigned('registry.example');
const daysFromNow = (days: number) => new Date(now.getTime() + days * DAY_MS);

describe('faultOf', () => {
  test('success: a key and its certificate, alone or with others behind it', () => {
    expect(faultOf(own, now)).toBeUndefined();
    expect(faultOf({ key: own.key, cert: `${own.cert}\n${other.cert}\n` }, now)).toBeUndefined();
  });

  test.each([
    ['an empty certificate', { ...own, cert: '' }, 'the certificate file is empty or not whole'],
    ['no certificate at all', { ...own, cert: own.key }, 'the certificate file is empty or not whole'],
    [
      'a truncated certificate',
      { ...own, cert: own.cert.slice(0, 200) },
      'the certificate file is empty or not whole',
    ],
    [
      'a whole certificate and a truncated one',
      { ...own, cert: `${own.cert}\n${other.cert.slice(0, 200)}` },
      'the certificate file is empty or not whole',
    ],
    ['the key of another', { ...own, key: other.key }, 'the key is not that of the certificate'],
    [
      'the certificate of another first',
      { ...own, cert: `${other.cert}\n${own.cert}` },
      'the key is not that of the certificate',
    ],
  ])('failure: %s', (_what, identity, fault) => {
    expect(faultOf(identity, now)).toBe(fault);
  });

  test('failure: an empty key, and garbage where a certificate should be', () => {
    expect(faultOf({ ...own, key: '' }, now)).toEqual(expect.any(String));
    const garbage = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
    expect(faultOf({ ...own, cert: garbage }, now)).toEqual(expect.any(String));
  });

  test('failure: expired, or not valid yet', () => {
    expect(faultOf(own, daysFromNow(2))).toBe('the certificate is expired');
    expect(faultOf(own, daysFromNow(-2))).toBe('the certificate is not valid yet');
  });
});
