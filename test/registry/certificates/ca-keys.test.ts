import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readCertificate } from '../../../src/platform/certificates/certificate.ts';
import { caKeys } from '../../../src/registry/certificates/ca-keys.ts';
import { selfSigned } from '../../support/certificates.ts';

const home = mkdtempSync(path.join(os.tmpdir(), 'cadastre-test-'));
afterAll(() => rmSync(home, { recursive: true }));

const keys = caKeys({ home, caFolder: undefined, caKeyPassphrase: 'a passphrase' });
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });

async function newAuthority() {
  const certificate = readCertificate((await selfSigned('Registry')).cert);
  if (!certificate) throw new Error('no certificate');
  return certificate;
}

describe('the key of an authority that is being made', () => {
  test('success: it is kept, and found again', async () => {
    const authority = await newAuthority();
    await keys.keepDuring(({ keep }) => keep(authority, privateKey));
    expect((await keys.find(authority))?.equals(privateKey)).toBe(true);
  });

  test('failure: it is deleted if the authority is not entered', async () => {
    const authority = await newAuthority();
    const failing = keys.keepDuring(async ({ keep, fileOf }) => {
      await keep(authority, privateKey);
      expect(existsSync(fileOf(authority))).toBe(true);
      throw new Error('not entered');
    });
    await expect(failing).rejects.toThrow('not entered');
    expect(existsSync(keys.fileOf(authority))).toBe(false);
  });

  test('failure: that of another authority is not overwritten, and stays', async () => {
    const authority = await newAuthority();
    await keys.keepDuring(({ keep }) => keep(authority, privateKey));
    await expect(keys.keepDuring(({ keep }) => keep(authority, privateKey))).rejects.toThrow('EEXIST');
    expect(existsSync(keys.fileOf(authority))).toBe(true);
  });
});
