import type { Socket } from 'node:net';

/**
 * `node:http` itself, not its ES module: importing that reads each of its exports, and the getter of `WebSocket` loads
 * undici, which costs every process 70 ms and 14 MB. Types are imported from `node:http`.
 */
export const http = process.getBuiltinModule('node:http');

/** Where Node's parser has its listener to pieces of bodies. */
const ON_BODY = 3;

/**
 * The rest of what such a socket receives before it is closed is parsed without a word: each piece of a body costs ten
 * times as much otherwise. The parser is another connection's later, and must tell that one of its pieces.
 */
export function ignoreBodyUntilClosed(socket: Socket): void {
  const { parser } = socket as Socket & { readonly parser?: Record<number, unknown> | null };
  const listener = parser?.[ON_BODY];
  if (!parser || typeof listener !== 'function') return;
  parser[ON_BODY] = null;
  // Before Node's own listener, which gives the parser away.
  socket.prependOnceListener('close', () => {
    parser[ON_BODY] = listener;
  });
}
