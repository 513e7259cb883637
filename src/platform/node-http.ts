import type { Socket } from 'node:net';

/**
 * `node:http` itself, not its ES module: importing that reads each of its exports, and the getter of `WebSocket` loads
 * undici, which costs every process 70 ms and 14 MB. Types are imported from `node:http`.
 */
export const http = process.getBuiltinModule('node:http');

/** Where Node's parser has its listeners. */
const [ON_HEADERS_COMPLETE, ON_BODY, ON_MESSAGE_COMPLETE] = [2, 3, 4];

/**
 * The rest of the bodies that such a socket receives before it is closed is parsed without a word: each piece costs ten
 * times as much otherwise.
 */
export const ignoreBodyUntilClosed = (socket: Socket): void => ignoreUntilClosed(socket, [ON_BODY]);

/**
 * The same for whole requests: the socket may have received thousands with the one after which it is closed, and Node
 * would make each of them, and an error for each.
 */
export const ignoreRequestsUntilClosed = (socket: Socket): void =>
  ignoreUntilClosed(socket, [ON_HEADERS_COMPLETE, ON_BODY, ON_MESSAGE_COMPLETE]);

/** The parser is another connection's later, and must have its listeners again. */
function ignoreUntilClosed(socket: Socket, places: readonly number[]): void {
  const { parser } = socket as Socket & { readonly parser?: Record<number, unknown> | null };
  if (!parser) return;
  for (const place of places) {
    const listener = parser[place];
    if (typeof listener !== 'function') continue;
    parser[place] = null;
    // Before Node's own listener, which gives the parser away.
    socket.prependOnceListener('close', () => {
      parser[place] = listener;
    });
  }
}
