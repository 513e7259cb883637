import 'reflect-metadata';
import { createPrivateKey, type KeyObject, randomBytes, webcrypto } from 'node:crypto';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  CRLDistributionPointsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  X509Certificate as Parsed,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
  X509CrlGenerator,
} from '@peculiar/x509';
import type { CertificateRequest } from './certificate-request.ts';

/** A certificate with its signing key. */
export type Authority = { readonly certificate: string; readonly key: KeyObject };
export type Validity = { readonly from: Date; readonly until: Date };

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const CRL_NUMBER = '2.5.29.20';

/** A new self-signed authority. It signs user certificates and revocation lists, but no other authority. */
export async function createAuthority(name: string, { from, until }: Validity): Promise<Authority> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    ...{ name: [{ CN: [name] }], serialNumber: newSerial(), notBefore: from, notAfter: until, keys },
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  return {
    certificate: pem(certificate.toString('pem')),
    key: createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' }),
  };
}

/** A certificate for the authentication of a TLS client only. */
export async function signRequest(
  authority: Authority,
  { commonName, publicKey }: CertificateRequest,
  { organisation, validity, listUrl }: { organisation: string; validity: Validity; listUrl?: string },
): Promise<string> {
  const issuer = new Parsed(authority.certificate);
  const certificate = await X509CertificateGenerator.create({
    ...{ serialNumber: newSerial(), notBefore: validity.from, notAfter: validity.until, publicKey },
    ...{ issuer: issuer.subjectName, subject: [{ O: [organisation] }, { CN: [commonName] }] },
    ...{ signingKey: await signingKey(authority), signingAlgorithm: ALGORITHM },
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth]),
      await SubjectKeyIdentifierExtension.create(publicKey),
      await AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      ...(listUrl === undefined ? [] : [new CRLDistributionPointsExtension([listUrl])]),
    ],
  });
  return pem(certificate.toString('pem'));
}

export type Revoked = { readonly serial: string; readonly at: Date };

/** The revocation list of an authority, in DER. */
export async function signRevocations(
  authority: Authority,
  { number, validity, revoked }: { number: number; validity: Validity; revoked: readonly Revoked[] },
): Promise<Buffer> {
  const issuer = new Parsed(authority.certificate);
  const list = await X509CrlGenerator.create({
    ...{ issuer: issuer.subjectName, thisUpdate: validity.from, nextUpdate: validity.until },
    ...{ signingKey: await signingKey(authority), signingAlgorithm: ALGORITHM },
    extensions: [
      await AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      new Extension(CRL_NUMBER, false, integerInDer(number)),
    ],
    entries: revoked.map(({ serial, at }) => ({ serialNumber: serial, revocationDate: at })),
  });
  return Buffer.from(list.rawData);
}

function signingKey({ key }: Authority): Promise<webcrypto.CryptoKey> {
  const pkcs8 = key.export({ format: 'der', type: 'pkcs8' });
  return webcrypto.subtle.importKey('pkcs8', pkcs8, ALGORITHM, false, ['sign']);
}

/** Random, positive and of constant length. */
function newSerial(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes.toString('hex');
}

function integerInDer(value: number): Uint8Array<ArrayBuffer> {
  const digits = value.toString(16);
  const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
  const positive = (bytes[0] ?? 0) < 0x80 ? [...bytes] : [0, ...bytes];
  return new Uint8Array([0x02, positive.length, ...positive]);
}

const pem = (text: string): string => `${text.trim()}\n`;
