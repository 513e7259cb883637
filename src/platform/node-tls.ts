import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/**
 * The socket below a TLS socket of a server. Node has no other name for it; addresses and ports do not identify it, since
 * a client may use one port of its own for connections to several addresses of ours.
 */
export function rawSocketOf(socket: TLSSocket): Socket {
  const { _parent: raw } = socket as TLSSocket & { readonly _parent?: Socket };
  if (!raw) throw new Error('a TLS socket of a server without the socket below it');
  return raw;
}
