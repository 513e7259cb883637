import { expect, test } from 'vitest';
import { settingsCheck } from '../../src/doctor/check-settings.ts';
import { readConfig } from '../../src/platform/config/config.ts';

const examine = async (env: Readonly<Record<string, string>>) => {
  const services = { openProvider: () => expect.fail() };
  const findings = await settingsCheck.examine(readConfig('production', env), services);
  return findings.filter(({ says }) => says.includes('TRUSTED_PROXIES')).map(({ state }) => state);
};

test('failure: a server on loopback whose proxy is not named; success: one that is named, or none since it terminates TLS itself', async () => {
  expect(await examine({})).toEqual(['warning']);
  expect(await examine({ TRUSTED_PROXIES: '127.0.0.1/32' })).toEqual([]);
  const tls = { TLS_KEY_FILE: '/nowhere/server.key', TLS_CERTIFICATE_FILE: '/nowhere/server.crt' };
  expect(await examine(tls)).toEqual([]);
});
