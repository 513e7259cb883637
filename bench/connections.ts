import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import { type Address, encode } from './line.ts';
import { processorTime } from './machine.ts';
import type { Work } from './work.ts';

const AT_ONCE = 4;
const WARM_UP_SECONDS = 2;
const SECONDS = 8;
/** 200 a second. */
const MAX_MS_EACH = 5;

/**
 * Each connection is a full handshake with both certificates, one call, and the end. What one processor can do follows
 * from the processor time of the server; client and database have the other.
 */
export const connections: Work = {
  name: 'new connections with client certificates',
  async run({ secure: { port, pid, identity } }, { alpha }, progress) {
    if (!identity) throw new Error('there is no certificate to show');
    const { authorization } = alpha;
    const request = encode({ method: 'GET', path: '/registry/v1/accounts/balance', authorization });
    const callFor = (seconds: number) => callAnew(port, identity, request, seconds);
    await callFor(WARM_UP_SECONDS);
    const before = processorTime(pid);
    const started = performance.now();
    const count = await callFor(SECONDS);
    const elapsed = (performance.now() - started) / 1000;
    const spent = (processorTime(pid) ?? Number.NaN) - (before ?? Number.NaN);
    progress(
      `${(count / elapsed).toFixed(0)} a second here, ${(count / spent).toFixed(0)} on one processor of its own`,
    );
    return [
      {
        work: this.name,
        what: 'ms of the server each',
        most: MAX_MS_EACH,
        value: (spent * 1000) / count,
      },
    ];
  },
};

type Identity = NonNullable<Address['identity']>;

async function callAnew(port: number, identity: Identity, request: Buffer, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1000;
  let count = 0;
  const callers = Array.from({ length: AT_ONCE }, async () => {
    for (; performance.now() < until; count++) await callOnce(port, identity, request);
  });
  await Promise.all(callers);
  return count;
}

async function callOnce(port: number, { key, cert }: Identity, request: Buffer): Promise<void> {
  const socket: TLSSocket = connect({ port, host: '127.0.0.1', key, cert, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  socket.write(request);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  if (!answer.toString('latin1', 0, 12).endsWith(' 200')) throw new Error(answer.toString());
}
