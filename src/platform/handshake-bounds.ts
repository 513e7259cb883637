import type { Socket } from 'node:net';

/** A client sends some 2 KB; lists in it take quadratic time. */
const MAX_HELLO_BYTES = 8_192;
/** The client's certificate with an intermediate one. Each signature of a chain is verified, which may take 15 ms. */
const MAX_REST_BYTES = 5_120;

/** Whether a client that has sent so many bytes may send them in a TLS handshake. */
export function handshakeBounds(socket: Socket): (bytes: number) => boolean {
  let helloBytes = 0;
  return (bytes) => {
    // Nothing is answered before the whole ClientHello is there.
    if (socket.bytesWritten > 0) return bytes <= helloBytes + MAX_REST_BYTES;
    helloBytes = bytes;
    return bytes <= MAX_HELLO_BYTES;
  };
}
