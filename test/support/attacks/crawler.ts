import http from 'node:http';
import type { Attack } from './attack.ts';
import { addressOf } from './raw-connection.ts';

/** Each is a network of its own: the limit of one would stop all addresses of it. */
const NETWORKS = process.platform === 'linux' ? 20 : 1;
/** Ten times the look-ups that one address may make by default. */
const PER_SECOND_OF_EACH = 10;
const FREE = Array.from({ length: 50 }, (_, index) => `free-${index}.ee`);

/** Crawlers from many networks that look up names by RDAP, each ten times as often as it may. */
export const crawler: Attack = {
  name: 'crawler',
  start: ({ port: ownPort, publicPort: port = ownPort, names = [] }) => {
    const asked = [...names, ...FREE];
    const crawlers = Array.from({ length: NETWORKS }, (_, network) => {
      const agent = new http.Agent({ keepAlive: true });
      let sent = 0;
      const look = () => {
        const path = `/rdap/domain/${asked[(network + sent++) % asked.length]}`;
        http
          .get({
            host: '127.0.0.1',
            port,
            path,
            agent,
            ...addressOf(network),
          })
          .on('response', (answer) => answer.resume())
          .on('error', () => {});
      };
      const timer = setInterval(look, 1000 / PER_SECOND_OF_EACH);
      return { timer, agent };
    });
    return async () => {
      for (const { timer, agent } of crawlers) {
        clearInterval(timer);
        agent.destroy();
      }
    };
  },
};
