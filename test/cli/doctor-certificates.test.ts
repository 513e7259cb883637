import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { certificatesCheck } from '../../src/cli/doctor/certificates.ts';
import { readConfig } from '../../src/platform/config.ts';
import { inFiles, type OwnAuthority, ownAuthority, selfSigned, signedFor } from '../support/certificates.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';

const DAY_MS = 86_400_000;
const config = readConfig('production', {});

let registry: TestRegistry;
let authority: OwnAuthority;
beforeAll(async () => {
  registry = await startRegistry();
  authority = await ownAuthority(registry.sql);
});
afterAll(() => registry.stop());

const examine = (settings: Partial<typeof config> = {}, days = 0) =>
  certificatesCheck.examine({
    ...{ config: { ...config, ...settings }, sql: registry.sql, now: new Date(Date.now() + days * DAY_MS) },
  });

describe('what the doctor says of certificates', () => {
  test('success: nothing to say while they are not asked for', async () => {
    expect(await examine()).toEqual([{ state: 'ok', says: 'client certificates are not asked for' }]);
  });

  test('failure: asked for, and nobody has one', async () => {
    expect(await examine({ certificates: 'proxy' })).toMatchObject([
      { state: 'problem', says: 'Certificates are asked for, and no user has one: nobody comes in.' },
    ]);
  });

  test('failure: a user whose last one ends soon', async () => {
    await signedFor(registry.sql, authority, 'alpha');
    expect(await examine({ certificates: 'proxy' })).toMatchObject([{ state: 'ok' }]);
    expect(await examine({ certificates: 'proxy' }, 360)).toMatchObject([
      { state: 'warning', says: expect.stringContaining('no valid certificate any more: alpha') },
    ]);
  });

  test('failure: an authority or a revocation list that has ended', async () => {
    await registry.sql`update authorities set revocation_list_until = ${new Date()} where id = ${authority.id}`;
    expect(await examine({}, 1)).toMatchObject([
      { state: 'problem', says: `The revocation list of authority ${authority.id} has run out.` },
    ]);
    await registry.sql`update authorities set revocation_list_until = null where id = ${authority.id}`;
    expect(await examine({}, 3640)).toMatchObject([{ state: 'warning' }]);
    expect(await examine({}, 3660)).toMatchObject([{ state: 'problem' }]);
  });

  test('failure: a certificate of the server that ends soon, or cannot be read', async () => {
    const { tlsCertificateFile } = await inFiles(await selfSigned('localhost'));
    expect(await examine({ tlsCertificateFile })).toMatchObject([
      { state: 'warning', says: expect.stringMatching(/^The certificate of this server ends at /) },
    ]);
    expect(await examine({ tlsCertificateFile }, 2)).toMatchObject([{ state: 'problem' }]);
    await rm(tlsCertificateFile);
    expect(await examine({ tlsCertificateFile })).toMatchObject([
      { state: 'problem', todo: 'Check TLS_CERTIFICATE_FILE.' },
    ]);
  });
});
