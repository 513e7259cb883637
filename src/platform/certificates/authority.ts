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
  PublicKey,
  SubjectAlternativeNameExtension,
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

/** A new key, and its public half as certificates contain it. */
export async function generateKey(): Promise<{ readonly key: KeyObject; readonly publicKey: PublicKey }> {
  const keys = await newKeys();
  const spki = await webcrypto.subtle.exportKey('spki', keys.publicKey);
  return { key: await privateKeyOf(keys), publicKey: new PublicKey(spki) };
}

const newKeys = () => webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);

async function privateKeyOf({ privateKey }: webcrypto.CryptoKeyPair): Promise<KeyObject> {
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', privateKey));
  return createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
}

/** A new self-signed authority. It signs certificates of users and servers and revocation lists, but no other authority. */
export async function createAuthority(name: string, { from, until }: Validity): Promise<Authority> {
  const keys = await newKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [name] }],
    serialNumber: newSerial(),
    notBefore: from,
    notAfter: until,
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate: pem(certificate.toString('pem')), key: await privateKeyOf(keys) };
}

/** A certificate for the authentication of a TLS client only. */
export const signRequest = (
  authority: Authority,
  { commonName, publicKey }: CertificateRequest,
  { organisation, validity, listUrl }: { organisation: string; validity: Validity; listUrl?: string },
): Promise<string> =>
  sign(authority, publicKey, {
    subject: [{ O: [organisation] }, { CN: [commonName] }],
    validity,
    extensions: [
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth]),
      ...(listUrl === undefined ? [] : [new CRLDistributionPointsExtension([listUrl])]),
    ],
  });

export type ServerName = { readonly type: 'dns' | 'ip'; readonly value: string };

/** A certificate of a TLS server with these names; the first is its common name. */
export const signServerCertificate = (
  authority: Authority,
  publicKey: PublicKey,
  {
    names,
    validity,
  }: { readonly names: readonly [ServerName, ...ServerName[]]; readonly validity: Validity },
): Promise<string> =>
  sign(authority, publicKey, {
    subject: [{ CN: [names[0].value] }],
    validity,
    extensions: [
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension([...names]),
    ],
  });

async function sign(
  authority: Authority,
  publicKey: PublicKey,
  {
    subject,
    validity,
    extensions,
  }: {
    readonly subject: { [attribute: string]: string[] }[];
    readonly validity: Validity;
    readonly extensions: readonly Extension[];
  },
): Promise<string> {
  const issuer = new Parsed(authority.certificate);
  const certificate = await X509CertificateGenerator.create({
    serialNumber: newSerial(),
    notBefore: validity.from,
    notAfter: validity.until,
    publicKey,
    issuer: issuer.subjectName,
    subject,
    signingKey: await signingKey(authority),
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      await SubjectKeyIdentifierExtension.create(publicKey),
      await AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      ...extensions,
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
    issuer: issuer.subjectName,
    thisUpdate: validity.from,
    nextUpdate: validity.until,
    signingKey: await signingKey(authority),
    signingAlgorithm: ALGORITHM,
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
