import type { SecureContextOptions } from 'node:tls';

/** RFC 9325: forward secrecy and authenticated encryption only, as all of TLS 1.3 has. */
export const SECURE_TRANSPORT: SecureContextOptions = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_128_GCM_SHA256',
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
  ].join(':'),
  // All clients know one of them. A key of another takes up to fifty times as long, and strangers may ask for one.
  ecdhCurve: 'X25519MLKEM768:X25519:prime256v1',
  honorCipherOrder: true,
};
