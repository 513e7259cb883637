import type { Attack } from './attack.ts';
import { holdOpen, openRaw, postHead } from './raw-connection.ts';

const CONNECTIONS = 1_050;
/** Of the kinds that are read there, or there would be an answer before the body. */
const HEADS = [
  postHead('/confirm/abc', 1_000, ['Content-Type: application/x-www-form-urlencoded']),
  postHead('/nowhere', 1_000, ['Content-Type: application/json']),
];

/** More connections than requests may be under way, each of which announces a body and sends one byte of it. */
export const slowBodies: Attack = {
  name: 'slow bodies',
  start: ({ port }) =>
    holdOpen(CONNECTIONS, (index) => {
      const socket = openRaw(port).resume();
      socket.write(`${HEADS[index % HEADS.length]}a`);
      return socket;
    }),
};
