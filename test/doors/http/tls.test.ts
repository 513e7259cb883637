import { X509Certificate } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { faultOf, TlsIdentity } from '../../../src/doors/http/tls.ts';
import { createLog } from '../../../src/platform/logging.ts';
import { inFiles, selfSigned } from '../../support/certificates.ts';
import { keptLog } from '../../support/registry.ts';

const DAY_MS = 86_400_000;
const now = new Date();
const own = await selfSigned('registry.example');
const other = await selfSigned('registry.example');
const expiryOf = (cert: string) => new X509Certificate(cert).validToDate.getTime();
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

describe('TlsIdentity', () => {
  async function watched() {
    const files = await inFiles(own);
    const { sink, logged } = keptLog();
    const log = createLog('info', sink);
    const shown: unknown[] = [];
    const server = { setSecureContext: (options: { cert?: unknown }) => void shown.push(options.cert) };
    const identity = await TlsIdentity.read(
      { key: files.tlsKeyFile, certificate: files.tlsCertificateFile },
      async () => [],
      log,
    );
    return {
      files: { key: files.tlsKeyFile, certificate: files.tlsCertificateFile },
      write: files.write,
      logged,
      shown,
      look: () => identity.refresh(server as never, log),
      expiresAt: () => identity.expiresAt,
    };
  }

  test('success: new files are loaded once they no longer change', async () => {
    const { write, shown, look, expiresAt } = await watched();
    expect(expiresAt()).toBe(expiryOf(own.cert));
    await write(other);
    await look();
    expect(shown).toEqual([]);
    await look();
    await look();
    expect(shown).toEqual([other.cert]);
  });

  test('failure: files that are written slowly are not loaded before they are complete', async () => {
    const { files, shown, logged, look } = await watched();
    const whole = `${other.cert}\n${own.cert}\n`;
    await writeFile(files.key, other.key);
    for (let length = 0; length < whole.length; length += 100) {
      await writeFile(files.certificate, whole.slice(0, length));
      await look();
    }
    await writeFile(files.certificate, '');
    await look();
    await look();
    expect(shown).toEqual([]);
    expect(logged()).toContain('the certificate file is empty or not whole');
    await writeFile(files.certificate, whole);
    await look();
    await look();
    expect(shown).toEqual([whole]);
  });

  test('failure: a server does not start on files that cannot be used', async () => {
    const { files } = await watched();
    const { sink } = keptLog();
    await writeFile(files.certificate, '');
    await expect(TlsIdentity.read(files, async () => [], createLog('info', sink))).rejects.toThrow(
      'TLS_KEY_FILE and TLS_CERTIFICATE_FILE cannot be used: the certificate file is empty or not whole.',
    );
  });
});
