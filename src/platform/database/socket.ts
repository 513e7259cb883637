import net from 'node:net';

const ERROR = 0x45;
const READY = 0x5a;

/**
 * The driver (3.4.9) has three weak spots when a connection is lost, and this socket spares it all of them:
 * a query sent between the error and the close of a socket is only rejected after a close without error, so every
 * close is told as one; a connection that was lost with a query on it takes the refusal of the next one
 * (the database is starting, closed or full) for the answer to that query, so a refusal becomes an error of the socket;
 * and a transaction that hears of the loss sends its rollback to a socket which the driver has let go, so the loss is
 * told first and the close only when that rollback is gone.
 */
export function honestSocket({
  path,
  host,
  port,
}: {
  path?: string | false;
  host: string[];
  port: number[];
}): net.Socket {
  const socket = path ? net.connect(path) : net.connect(port[0] ?? 5432, host[0]);
  const emit = socket.emit.bind(socket) as (name: string | symbol, ...details: unknown[]) => boolean;
  let greeting: Buffer | undefined = Buffer.alloc(0);
  let isTold = false;
  socket.emit = (name: string | symbol, ...details: unknown[]) => {
    if (name === 'error') isTold = true;
    if (name === 'close') {
      const wasReady = greeting === undefined;
      if (wasReady && !isTold)
        emit('error', Object.assign(new Error('connection lost'), { code: 'ECONNRESET' }));
      // The driver writes in the next turn.
      setImmediate(() => setImmediate(() => emit('close', false)));
      return true;
    }
    if (name === 'data' && greeting) {
      greeting = Buffer.concat([greeting, details[0] as Buffer]);
      const refusal = refusalIn(greeting);
      if (refusal instanceof Error) {
        socket.destroy(refusal);
        return true;
      }
      if (refusal === 'ready') greeting = undefined;
    }
    return emit(name, ...details);
  };
  return socket;
}

/** Walks the messages up to the first one that says that queries may come. */
function refusalIn(bytes: Buffer): Error | 'ready' | undefined {
  for (let at = 0; at + 5 <= bytes.length; at += 1 + bytes.readInt32BE(at + 1)) {
    const end = at + 1 + bytes.readInt32BE(at + 1);
    if (bytes[at] === READY) return 'ready';
    if (bytes[at] === ERROR && end <= bytes.length) return refusal(bytes.subarray(at + 5, end));
  }
  return undefined;
}

function refusal(body: Buffer): Error {
  const fields = new Map(
    body
      .toString('utf8')
      .split('\0')
      .map((field) => [field[0], field.slice(1)]),
  );
  return Object.assign(new Error(fields.get('M') ?? 'refused'), { code: fields.get('C') });
}
