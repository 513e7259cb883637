import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket, type TLSSocketOptions } from 'node:tls';

/**
 * The stream below a TLS socket of a server, which the server was given. Node has no other name for it; addresses and
 * ports do not identify it, since a client may use one port of its own for connections to several addresses of ours.
 */
export function streamBelow(socket: TLSSocket): Duplex {
  const { _parent: socketBelow, _handle: handle } = socket as TLSSocket & {
    readonly _parent?: Socket;
    readonly _handle?: { readonly _parentWrap?: { readonly stream?: Duplex } };
  };
  const stream = socketBelow ?? handle?._parentWrap?.stream;
  if (!stream) throw new Error('a TLS socket of a server without the stream below it');
  return stream;
}

/** The server's side of TLS over a stream. It emits `secure` after the handshake, and an error if that failed. */
export function secureServerSide(stream: Duplex, options: TLSSocketOptions): TLSSocket {
  const socket = new TLSSocket(stream, { ...options, isServer: true });
  // Of a socket that belongs to no server Node tells an error after the handshake only so.
  socket.on('_tlsError', (error: Error) => socket.destroy(error));
  return socket;
}
