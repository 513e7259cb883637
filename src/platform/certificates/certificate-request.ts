import 'reflect-metadata';
import { createPublicKey, type KeyObject } from 'node:crypto';
import { Pkcs10CertificateRequest, type PublicKey } from '@peculiar/x509';

/** A certificate request whose proof of possession of the key was verified. */
export type CertificateRequest = { readonly commonName: string; readonly publicKey: PublicKey };

const COMMON_NAME = '2.5.4.3';
const CURVES = new Set(['prime256v1', 'secp384r1', 'secp521r1']);
const MIN_RSA_BITS = 2048;
const MAX_RSA_BITS = 8192;
/** Far above the size of any request with an accepted key. */
const MAX_REQUEST_CHARACTERS = 10_000;

export async function readRequest(text: string): Promise<CertificateRequest> {
  const { request, names, publicKey, key } = parse(text);
  const [commonName] = names;
  if (!commonName || names.length > 1)
    throw new BadRequest('The subject of the request must have one CN, the username.');
  requireStrongKey(key);
  if (!(await request.verify().catch(() => false)))
    throw new BadRequest('The request is not signed by the key that it is for.');
  return { commonName, publicKey };
}

type ParsedRequest = {
  readonly request: Pkcs10CertificateRequest;
  readonly names: readonly string[];
  readonly publicKey: PublicKey;
  readonly key: KeyObject;
};

/** The package parses the name and the key only when they are used, so that they are used here. */
function parse(text: string): ParsedRequest {
  if (text.length > MAX_REQUEST_CHARACTERS) throw new BadRequest('The request is too long.');
  try {
    const request = new Pkcs10CertificateRequest(text);
    const { subjectName, publicKey } = request;
    const key = createPublicKey({ key: Buffer.from(publicKey.rawData), format: 'der', type: 'spki' });
    return { request, names: subjectName.getField(COMMON_NAME), publicKey, key };
  } catch {
    throw new BadRequest(
      'This is no certificate request (PKCS #10) in PEM, or one whose key cannot be read.',
    );
  }
}

function requireStrongKey({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): void {
  const bits = details?.modulusLength ?? 0;
  if (type === 'rsa' && bits >= MIN_RSA_BITS && bits <= MAX_RSA_BITS) return;
  if (type === 'ec' && CURVES.has(details?.namedCurve ?? '')) return;
  throw new BadRequest(
    `The key must be EC on P-256, P-384 or P-521, or RSA of ${MIN_RSA_BITS} to ${MAX_RSA_BITS} bits.`,
  );
}

/** Why a certificate request is refused, in one sentence. */
export class BadRequest extends Error {
  override name = 'BadRequest';
}
