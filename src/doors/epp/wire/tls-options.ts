import { constants } from 'node:crypto';
import type { SecureContextOptions } from 'node:tls';
import { SECURE_TRANSPORT } from '../../secure-transport.ts';

export const TLS_OPTIONS: SecureContextOptions = {
  ...SECURE_TRANSPORT,
  // A session lasts for hours, so resumption saves nothing; each connection shows its certificate.
  secureOptions: constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION,
};
