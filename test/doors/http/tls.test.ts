import { X509Certificate } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { TlsIdentity } from '../../../src/doors/http/tls.ts';
import { createLog } from '../../../src/platform/logging.ts';
import { inFiles, selfSigned } from '../../support/certificates.ts';
import { keptLog } from '../../support/registry.ts';

const own = await selfSigned('registry.example');
const other = await selfSigned('registry.example');
const expiryOf = (cert: string) => new X509Certificate(cert).validToDate.getTime();

describe('TlsIdentity', () => {
  async function watched(naming: { readonly door?: 'EPP' } = {}) {
    const files = await inFiles(own);
    const { sink, logged } = keptLog();
    const log = createLog('info', sink);
    const shown: unknown[] = [];
    const server = { setSecureContext: (options: { cert?: unknown }) => void shown.push(options.cert) };
    const identity = await TlsIdentity.read(
      { key: files.tlsKeyFile, certificate: files.tlsCertificateFile },
      async () => [],
      log,
      naming,
    );
    return {
      files: { key: files.tlsKeyFile, certificate: files.tlsCertificateFile },
      write: files.write,
      logged,
      shown,
      look: () => identity.refresh(server as never),
      reload: () => identity.reload(server as never),
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

  test('success: a reload loads new files at once', async () => {
    const { write, shown, reload } = await watched();
    await reload();
    expect(shown).toEqual([]);
    await write(other);
    await reload();
    expect(shown).toEqual([other.cert]);
  });

  test('failure: a reload keeps the old ones where the new ones do not fit', async () => {
    const { write, shown, reload, logged } = await watched();
    await write({ ...own, key: other.key });
    await reload();
    expect(shown).toEqual([]);
    expect(logged()).toContain('the key is not that of the certificate');
  });

  test('success: lines of the log name the interface and the file', async () => {
    const { files, write, reload, logged } = await watched({ door: 'EPP' });
    await write({ ...own, key: other.key });
    await reload();
    await write(other);
    await reload();
    const lines = logged()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ door, certificate }) => [door, certificate])).toEqual(
      Array(2).fill(['EPP', files.certificate]),
    );
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
