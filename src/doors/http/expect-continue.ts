import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Tells a client that waits for it (`Expect: 100-continue`) to send its body once somebody reads that: not if it is
 * refused before, for its credentials or its size. Such a client may or may not send the body then, so the connection
 * ends with the answer.
 */
export function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  const { shouldKeepAlive } = response;
  const read = request._read.bind(request);
  response.shouldKeepAlive = false;
  request._read = (size) => {
    if (!response.headersSent && hasReader(request)) {
      request._read = read;
      response.shouldKeepAlive = shouldKeepAlive;
      // A body that is there already was sent without waiting.
      if (request.readableLength === 0) response.writeContinue();
    }
    read(size);
  };
}

/** What is refused flows, too, but to nobody. */
const hasReader = (request: IncomingMessage): boolean =>
  request.listenerCount('data') + request.listenerCount('readable') > 0;
