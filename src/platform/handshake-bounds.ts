import type { Socket } from 'node:net';

/** A client sends some 2 KB; lists in it take quadratic time. */
const MAX_HELLO_BYTES = 8_192;
/** The client's certificate with an intermediate one. Each signature of a chain is verified, which may take 15 ms. */
const MAX_REST_BYTES = 5_120;
/** What follows a ClientHello without a certificate has some 150 bytes. */
const MAX_BYTES_WITHOUT_CERTIFICATE = 512;
/** A handshake can make nothing of more, and it would be kept until its turn. */
const MAX_RECEIVED_BEFORE_ANSWER = 16_384;

/** How many bytes of a client may be received and handed on before its TLS handshake is complete. */
export function handshakeBounds(socket: Socket) {
  let helloBytes = 0;
  // Nothing is answered before the whole ClientHello is there.
  const isAnswered = () => socket.bytesWritten > 0;
  return {
    mayReceive: (bytes: number): boolean => isAnswered() || bytes <= MAX_RECEIVED_BEFORE_ANSWER,
    mayCarryCertificate: (bytes: number): boolean =>
      isAnswered() && bytes > helloBytes + MAX_BYTES_WITHOUT_CERTIFICATE,
    mayHandOn: (bytes: number): boolean => {
      if (isAnswered()) return bytes <= helloBytes + MAX_REST_BYTES;
      helloBytes = bytes;
      return bytes <= MAX_HELLO_BYTES;
    },
  };
}
