import type { Attack } from './attack.ts';
import { head, openRaw, PROXY } from './raw-connection.ts';

const PER_SECOND = 3_000;
const EVERY_MS = 10;
const STRANGERS = 300;
const ABORT_AFTER_MS = 3;

/**
 * Strangers who abort their requests behind a proxy, 3,000 a second: the proxy opens a connection for each, and closes it
 * with the client's.
 */
export const abortedRequests: Attack = {
  name: 'aborted requests behind a proxy',
  isBehindProxy: true,
  start: ({ port }) => {
    let sent = 0;
    const call = () => {
      const stranger = sent++ % STRANGERS;
      const socket = openRaw(port, PROXY).resume();
      socket.write(
        head('GET /registry/v1/domains', [
          `X-Forwarded-For: 203.0.${113 + (stranger >> 8)}.${stranger & 255}`,
        ]),
      );
      setTimeout(() => socket.destroy(), ABORT_AFTER_MS);
    };
    const startedAt = performance.now();
    const timer = setInterval(() => {
      const due = ((performance.now() - startedAt) / 1000) * PER_SECOND;
      const most = (2 * PER_SECOND * EVERY_MS) / 1000;
      for (let calls = 0; calls < most && sent < due; calls += 1) call();
    }, EVERY_MS);
    return async () => clearInterval(timer);
  },
};
