import { expect, test } from 'vitest';
import { openProvider } from '../../src/app/open-outside-services.ts';
import { simulatorAddresses } from '../../src/app/simulator-addresses.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { Origin } from '../../src/platform/config/origin.ts';
import { linkOrder } from '../support/provider-simulator.ts';

const everything = {
  PROVIDER_URL: 'https://provider.example/api/v4',
  PROVIDER_LINK_URL: 'https://provider.example/lp',
  PROVIDER_USER: 'us',
  PROVIDER_SECRET: 'a-secret-of-ours',
  PROVIDER_ACCOUNT: 'EUR1',
  PROVIDER_LINK_TOKEN: 'token',
};

test('success: a production server has the provider of its settings', () => {
  const provider = openProvider(readConfig('production', everything));
  expect(provider?.accountName).toBe('EUR1');
  expect(provider?.link(linkOrder(1))).toMatch(/^https:\/\/provider\.example\/lp\?.*&hmac=[0-9a-f]{64}$/);
});

test.each(Object.keys(everything))('failure: without %s it has none', (missing) => {
  expect(openProvider(readConfig('production', { ...everything, [missing]: undefined }))).toBeUndefined();
});

test('success: the sandbox sends payers to its public address, whose port may be known later', () => {
  const config = readConfig('sandbox', {});
  const own = new Origin({ ...config, port: 0 });
  const provider = openProvider(config, simulatorAddresses(own));
  own.listensOn(4321);
  expect(provider?.link(linkOrder(1))).toMatch(/^http:\/\/127\.0\.0\.1:4321\/sandbox\/provider\/lp\?/);
  const behindProxy = new Origin({ ...config, publicUrl: 'https://registry.example' });
  const { url, linkUrl } = simulatorAddresses(behindProxy);
  expect([url, linkUrl].map((address) => typeof address === 'function' && address())).toEqual([
    'http://127.0.0.1:8080/sandbox/provider',
    'https://registry.example/sandbox/provider/lp',
  ]);
});
