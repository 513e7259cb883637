import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Authority,
  createAuthority,
  signRequest,
  signRevocations,
} from '../../../src/platform/certificates/authority.ts';
import { isSignedBy, readCertificate } from '../../../src/platform/certificates/certificate.ts';
import { readRequest } from '../../../src/platform/certificates/certificate-request.ts';
import { askFor, derOf, requestOf, selfSigned } from '../../support/certificates.ts';
import { hasOpenssl, opensslIn } from '../../support/openssl.ts';

const DAY_MS = 86_400_000;
const validity = { from: new Date(Date.now() - DAY_MS), until: new Date(Date.now() + DAY_MS) };
const signing = { organisation: 'Alpha Registrar', validity, listUrl: 'http://registry.example/ca/1.crl' };

let folder: string;
let authority: Authority;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'cadastre-test-'));
  authority = await createAuthority('Registry', validity);
  await writeFile(path.join(folder, 'ca.pem'), authority.certificate);
});
afterAll(() => rm(folder, { recursive: true }));
const openssl = (...args: string[]) => opensslIn(folder, ...args);

describe('an authority', () => {
  test('success: its certificates are for clients, name the user and do not outlive it', async () => {
    const pem = await signRequest(authority, await readRequest((await askFor('alpha')).request), signing);
    const certificate = new X509Certificate(pem);
    expect(certificate.ca).toBe(false);
    expect(certificate.subject).toBe('O=Alpha Registrar\nCN=alpha');
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
    expect(isSignedBy(pem, authority.certificate)).toBe(true);
    expect(readCertificate(pem)).toMatchObject({
      commonName: 'alpha',
      serial: expect.stringMatching(/^[4-7][0-9a-f]{31}$/),
    });
  });

  test('failure: the signature of another authority, or of a certificate that is no authority', async () => {
    const pem = await signRequest(authority, await readRequest((await askFor('alpha')).request), signing);
    const other = await createAuthority('Registry', validity);
    expect(isSignedBy(pem, other.certificate)).toBe(false);
    const own = await selfSigned('alpha');
    expect(isSignedBy(own.cert, own.cert)).toBe(false);
  });

  test.runIf(hasOpenssl).each([
    ['EC on P-256', ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256']],
    ['EC on P-384', ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-384']],
    ['RSA', ['-newkey', 'rsa:2048']],
  ])(
    'success: a request that openssl made, %s, and the certificate as openssl checks it',
    async (_name, key) => {
      await openssl(
        'req',
        '-new',
        ...key,
        '-nodes',
        '-keyout',
        'a.key',
        '-out',
        'a.csr',
        '-subj',
        '/C=EE/O=Any/CN=alpha',
      );
      const request = await readRequest(await readFile(path.join(folder, 'a.csr'), 'utf8'));
      await writeFile(path.join(folder, 'a.pem'), await signRequest(authority, request, signing));
      const { stdout } = await openssl(
        'verify',
        '-purpose',
        'sslclient',
        '-x509_strict',
        '-CAfile',
        'ca.pem',
        'a.pem',
      );
      expect(stdout).toBe('a.pem: OK\n');
    },
  );

  test.runIf(hasOpenssl)('failure: openssl rejects what our list revokes', async () => {
    const sign = async (name: string) => {
      const pem = await signRequest(authority, await readRequest((await askFor(name)).request), signing);
      await writeFile(path.join(folder, `${name}.pem`), pem);
      return readCertificate(pem)?.serial ?? '';
    };
    const serial = await sign('revoked');
    await sign('good');
    const list = await signRevocations(authority, {
      number: 300,
      validity,
      revoked: [{ serial, at: new Date() }],
    });
    await writeFile(path.join(folder, 'list.crl'), list);
    const { stdout } = await openssl(
      'crl',
      '-inform',
      'DER',
      '-in',
      'list.crl',
      '-out',
      'list.pem',
      '-crlnumber',
      '-noout',
    );
    expect(stdout.trim()).toBe('crlNumber=0x012C');
    await openssl('crl', '-inform', 'DER', '-in', 'list.crl', '-out', 'list.pem');
    const check = (name: string) =>
      openssl('verify', '-crl_check', '-CAfile', 'ca.pem', '-CRLfile', 'list.pem', `${name}.pem`).then(
        ({ stdout: output }) => output.trim(),
        ({ stderr }: { stderr: string }) => stderr,
      );
    expect(await check('good')).toBe('good.pem: OK');
    expect(await check('revoked')).toContain('certificate revoked');
  });
});

describe('a request for a certificate', () => {
  test('failure: no certificate request', async () => {
    for (const text of [
      '',
      'hello',
      '-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----',
    ])
      await expect(readRequest(text)).rejects.toThrow('This is no certificate request');
    await expect(readRequest('x'.repeat(10_001))).rejects.toThrow('The request is too long.');
  });

  test('failure: no name', async () => {
    const { request } = await askFor('');
    await expect(readRequest(request)).rejects.toThrow('must have one CN, the username');
  });

  test('failure: a key on an unknown curve, or off its curve', async () => {
    const P256 = Buffer.from('2a8648ce3d030107', 'hex');
    const der = derOf((await askFor('alpha')).request);
    const curve = der.indexOf(P256);
    const pointFrom = curve + P256.length + 4;
    for (const [at, value] of [
      [curve + 4, 0x7f],
      [pointFrom, der.readUInt8(pointFrom) ^ 1],
    ] as const) {
      const changed = Buffer.from(der);
      changed.writeUInt8(value, at);
      await expect(readRequest(requestOf(changed))).rejects.toThrow('whose key cannot be read');
    }
  });

  test('failure: the signature of another key', async () => {
    const forged = derOf((await askFor('alpha')).request);
    // The last bytes are the signature.
    forged.writeUInt8(forged.readUInt8(forged.length - 1) ^ 1, forged.length - 1);
    await expect(readRequest(requestOf(forged))).rejects.toThrow('not signed by the key that it is for');
  });

  test.runIf(hasOpenssl).each([
    ['RSA of 1024 bits', ['-newkey', 'rsa:1024']],
    ['EC on secp256k1', ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:secp256k1']],
    ['Ed25519', ['-newkey', 'ed25519']],
  ])('failure: a key that is too weak or of another kind: %s', async (_name, key) => {
    await openssl('req', '-new', ...key, '-nodes', '-keyout', 'w.key', '-out', 'w.csr', '-subj', '/CN=alpha');
    const text = await readFile(path.join(folder, 'w.csr'), 'utf8');
    await expect(readRequest(text)).rejects.toThrow('The key must be EC on P-256');
  });
});
