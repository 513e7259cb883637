import { X509Certificate } from 'node:crypto';
import { TLSSocket } from 'node:tls';
import type { FastifyRequest } from 'fastify';
import { fingerprintOf } from '../../platform/certificates/certificate.ts';
import type { Config } from '../../platform/config/config.ts';
import { addressMatcher } from '../../platform/values/ip-addresses.ts';

/** The fingerprint of a client's certificate, after the client has proved possession of its key. */
export type FingerprintReader = (request: FastifyRequest) => string | undefined;

type Settings = Pick<Config, 'certificates' | 'certificateHeader' | 'trustedProxies'>;

export function fingerprintReader(config: Settings): FingerprintReader {
  if (config.certificates === 'off') return () => undefined;
  return config.certificates === 'direct' ? fromConnection() : fromProxy(config);
}

/** TLS asks for the client certificate once per connection. */
function fromConnection(): FingerprintReader {
  const known = new WeakMap<object, string | null>();
  return ({ raw: { socket } }) => {
    const seen = known.get(socket);
    if (seen !== undefined) return seen ?? undefined;
    const certificate = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
    const fingerprint = certificate && fingerprintOf(certificate);
    known.set(socket, fingerprint ?? null);
    return fingerprint;
  };
}

const MAX_REMEMBERED = 10_000;

/** The certificate header is read only from a trusted proxy; any other client could forge it. */
function fromProxy({ certificateHeader, trustedProxies }: Settings): FingerprintReader {
  const isTrusted = addressMatcher(trustedProxies);
  const name = certificateHeader.toLowerCase();
  const known = new Map<string, string | undefined>();
  return ({ raw: { socket, headers } }) => {
    const text = headers[name];
    if (typeof text !== 'string' || !isTrusted(socket.remoteAddress ?? '')) return undefined;
    if (!known.has(text)) {
      if (known.size >= MAX_REMEMBERED) known.clear();
      known.set(text, fingerprintIn(text));
    }
    return known.get(text);
  };
}

const PEM = /^-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----$/;
/** RFC 9440: the bytes in Base64 between colons. */
const STRUCTURED = /^:([A-Za-z0-9+/=]+):$/;

/**
 * Accepts one certificate as proxies encode it: PEM with escapes, or with spaces for line breaks. Several are refused.
 */
function fingerprintIn(header: string): string | undefined {
  try {
    const text = (header.includes('%') ? decodeURIComponent(header) : header).trim();
    const encoded = (PEM.exec(text) ?? STRUCTURED.exec(text))?.[1];
    return encoded && fingerprintOf(new X509Certificate(Buffer.from(encoded, 'base64')));
  } catch {
    return undefined;
  }
}
