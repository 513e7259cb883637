import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { certificatesCheck } from '../../src/doctor/check-certificates.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { inFiles, type OwnAuthority, ownAuthority, selfSigned, signedFor } from '../support/certificates.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';

const DAY_MS = 86_400_000;
const config = readConfig('production', {});

let registry: TestRegistry;
let authority: OwnAuthority;
beforeAll(async () => {
  registry = await startRegistry();
  authority = await ownAuthority(registry.sql);
});
afterAll(() => registry.stop());

/** Of the authority that signs. */
let key: unknown = 'on this machine';

const examine = (settings: Partial<typeof config> = {}, days = 0) =>
  certificatesCheck.examine({
    config: { ...config, ...settings },
    sql: registry.sql,
    now: new Date(Date.now() + days * DAY_MS),
    findAuthorityKey: async () => key,
  });

describe('what the doctor says of certificates', () => {
  test('success: whether they are required', async () => {
    expect(await examine({ certificates: 'proxy' })).toEqual([
      { state: 'ok', says: 'none of ours ends soon' },
    ]);
    expect(await examine()).toMatchObject([
      { state: 'warning', says: expect.stringContaining('CERTIFICATES is off') },
    ]);
  });

  test('failure: a user whose last one ends soon', async () => {
    await signedFor(registry.sql, authority, 'alpha');
    expect(await examine({ certificates: 'proxy' })).toMatchObject([{ state: 'ok' }]);
    expect(await examine({ certificates: 'proxy' }, 360)).toMatchObject([
      { state: 'warning', says: expect.stringContaining('no valid certificate any more: alpha') },
    ]);
  });

  test('failure: an authority or a revocation list that ends soon or has ended', async () => {
    const proxy = { certificates: 'proxy' } as const;
    await registry.sql.run(
      sql`update authorities set revocation_list_until = ${new Date(Date.now() + DAY_MS)} where id = ${authority.id}`,
    );
    expect(await examine(proxy)).toMatchObject([{ state: 'warning', says: /revocation list/ }].map(loosely));
    expect(await examine(proxy, 3)).toMatchObject(
      [{ state: 'problem', says: /revocation list/ }].map(loosely),
    );
    await registry.sql.run(
      sql`update authorities set revocation_list_until = null where id = ${authority.id}`,
    );
    expect(await examine(proxy, 3600)).toMatchObject([{ state: 'warning', says: /^Authority/ }].map(loosely));
    expect(await examine(proxy, 3660)).toMatchObject([{ state: 'problem', says: /^Authority/ }].map(loosely));
  });

  test('failure: a certificate of the server that ends soon, or cannot be read', async () => {
    const { tlsCertificateFile } = await inFiles(await selfSigned('localhost'));
    const direct = { certificates: 'direct', tlsCertificateFile } as const;
    expect(await examine(direct)).toMatchObject(
      [{ state: 'warning', says: /server's own certificate \(TLS_CERTIFICATE_FILE\) ends/ }].map(loosely),
    );
    expect(await examine(direct, 2)).toMatchObject([{ state: 'problem', says: /has ended/ }].map(loosely));
    await writeFile(tlsCertificateFile, '');
    expect(await examine(direct)).toMatchObject(
      [{ state: 'problem', says: /no certificate that can be read/ }].map(loosely),
    );
  });

  test('failure: a key of the server that does not fit, and one of the authority that is elsewhere', async () => {
    const files = await inFiles({
      ...(await selfSigned('localhost')),
      key: (await selfSigned('localhost')).key,
    });
    expect(await examine({ certificates: 'direct', ...files })).toMatchObject(
      [
        {
          state: 'problem',
          says: /^TLS_KEY_FILE and TLS_CERTIFICATE_FILE cannot be used: the key is not that/,
        },
        { state: 'warning', says: /server's own certificate/ },
      ].map(loosely),
    );
    key = undefined;
    expect(await examine({ certificates: 'proxy' })).toMatchObject(
      [{ state: 'warning', says: /^The key of authority \d+ is not on this machine/ }].map(loosely),
    );
    key = 'on this machine';
  });

  test('failure: the certificate of EPP, where EPP is open', async () => {
    const { tlsCertificateFile: eppTlsCertificateFile } = await inFiles(await selfSigned('localhost'));
    const epp = { certificates: 'proxy', eppTlsCertificateFile } as const;
    expect(await examine(epp)).toMatchObject([{ state: 'ok' }]);
    expect(await examine({ ...epp, eppPort: 700 })).toMatchObject(
      [{ state: 'warning', says: /certificate \(EPP_TLS_CERTIFICATE_FILE\) ends/ }].map(loosely),
    );
  });

  test('failure: required, and no authority is trusted', async () => {
    await registry.sql.run(sql`update authorities set retired_at = now(), signs = false`);
    const none = [{ state: 'problem', says: /no authority is trusted/ }].map(loosely);
    expect(await examine({ certificates: 'proxy' })).toMatchObject(none);
    expect(await examine({ eppPort: 700, mode: 'sandbox' })).toMatchObject(none);
    expect(await examine({ eppPort: 700, mode: 'sandbox', eppCertificates: 'optional' })).toMatchObject([
      { state: 'ok', says: 'nobody is asked for one' },
    ]);
  });
});

const loosely = ({ state, says }: { state: string; says: RegExp }) => ({
  state,
  says: expect.stringMatching(says),
});
