import 'reflect-metadata';
import { createPrivateKey, type KeyObject, webcrypto } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {
  Pkcs10CertificateRequestGenerator,
  SubjectAlternativeNameExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { carryOut } from '../../src/operations/operator-operation.ts';
import { type Authority, signRequest } from '../../src/platform/certificates/authority.ts';
import { type Certificate, readCertificate } from '../../src/platform/certificates/certificate.ts';
import { readRequest } from '../../src/platform/certificates/certificate-request.ts';
import type { Pool } from '../../src/platform/sql/executor.ts';
import { createOwnAuthority } from '../../src/registry/certificates/create-own-authority.ts';
import { recordCertificate } from '../../src/registry/certificates/record-certificate.ts';
import { revokeCertificate } from '../../src/registry/certificates/revoke-certificate.ts';
import type { Signer } from '../../src/registry/certificates/sign-with-authority.ts';
import { operator } from './operator.ts';

export type KeyAlgorithm = webcrypto.EcKeyGenParams | webcrypto.RsaHashedKeyGenParams | { name: 'Ed25519' };

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;

export type Identity = { readonly key: string; readonly cert: string };
export type Asked = { readonly key: string; readonly request: string };

const newKeys = async (algorithm: KeyAlgorithm = ALGORITHM) =>
  (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
async function pemOf(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key));
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({
    format: 'pem',
    type: 'pkcs8',
  }) as string;
}

/** A key, and a request for a certificate for it. */
export async function askFor(commonName: string, algorithm: KeyAlgorithm = ALGORITHM): Promise<Asked> {
  const keys = await newKeys(algorithm);
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: [{ CN: [commonName] }],
    keys,
    signingAlgorithm: algorithm,
  });
  return { key: await pemOf(keys.privateKey), request: request.toString('pem') };
}

export const derOf = (pem: string): Buffer => Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64');
export const requestOf = (der: Buffer): string =>
  `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----`;

/** A certificate that nobody but its owner has signed. */
export async function selfSigned(commonName: string): Promise<Identity> {
  const keys = await newKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [commonName] }],
    keys,
    signingAlgorithm: ALGORITHM,
    serialNumber: '01',
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + DAY_MS),
    extensions: [
      new SubjectAlternativeNameExtension([
        { type: 'dns', value: commonName },
        { type: 'ip', value: '127.0.0.1' },
      ]),
    ],
  });
  return { key: await pemOf(keys.privateKey), cert: certificate.toString('pem') };
}

export type OwnAuthority = Authority & { readonly id: number };

/** An authority of the registry's own, in its database, which signs from now on. */
export async function ownAuthority(db: Pool, now = new Date()): Promise<OwnAuthority> {
  const kept: Authority[] = [];
  const keys = {
    keep: async ({ pem: certificate }: Certificate, key: KeyObject) => void kept.push({ certificate, key }),
    fileOf: () => 'in memory',
  };
  const wanted = { name: 'Registry', replaces: true, keys };
  const { id } = await carryOut(db, createOwnAuthority, wanted, operator({ now }));
  const [authority] = kept;
  if (!authority) throw new Error('the key of the authority was not kept');
  return { ...authority, id };
}

/** What signs with the key of this authority, if it is the one that signs. */
export const signerOf = ({ key }: Authority): Signer => ({
  keys: { find: async () => key, fileOf: () => 'in memory' },
  listUrl: (id) => `http://registry.example/ca/${id}.crl`,
});

/** A user's certificate with its key, signed by this authority and on record. */
export async function signedFor(
  db: Pool,
  authority: OwnAuthority,
  username: string,
  now = new Date(),
  asked?: Asked,
): Promise<Identity & { readonly certificate: Certificate }> {
  const { key, request } = asked ?? (await askFor(username));
  const validity = { from: new Date(now.getTime() - 300_000), until: new Date(now.getTime() + 365 * DAY_MS) };
  const pem = await signRequest(authority, await readRequest(request), { organisation: username, validity });
  const certificate = readCertificate(pem);
  if (!certificate) throw new Error('a certificate that cannot be read');
  await carryOut(db, recordCertificate, { certificate }, operator({ now }));
  return { key, cert: pem, certificate };
}

/** Revokes a certificate by its serial number. */
export const revokeSerial = (db: Pool, serial: string): Promise<unknown> =>
  carryOut(db, revokeCertificate, { serial }, operator({ reason: { text: 'lost' } }));

/** The two in files, as a server reads them. */
export async function inFiles({ key, cert }: Identity) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'cadastre-test-'));
  const files = {
    tlsKeyFile: path.join(folder, 'server.key'),
    tlsCertificateFile: path.join(folder, 'server.crt'),
  };
  const write = async (identity: Identity) => {
    await writeFile(files.tlsKeyFile, identity.key);
    await writeFile(files.tlsCertificateFile, identity.cert);
  };
  await write({ key, cert });
  return { ...files, write };
}

/** A certificate of a server, signed by an authority, for names and addresses. */
export async function serverIdentity(
  { certificate, key }: Authority,
  names: readonly { readonly type: 'dns' | 'ip'; readonly value: string }[],
): Promise<Identity> {
  const keys = await newKeys();
  const der = key.export({ format: 'der', type: 'pkcs8' }) as Buffer<ArrayBuffer>;
  const signed = await X509CertificateGenerator.create({
    serialNumber: '02',
    publicKey: keys.publicKey,
    signingAlgorithm: ALGORITHM,
    issuer: new X509Certificate(certificate).subjectName,
    subject: [{ CN: ['a server'] }],
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + DAY_MS),
    signingKey: await webcrypto.subtle.importKey('pkcs8', der, ALGORITHM, false, ['sign']),
    extensions: [new SubjectAlternativeNameExtension([...names])],
  });
  return { key: await pemOf(keys.privateKey), cert: signed.toString('pem') };
}
