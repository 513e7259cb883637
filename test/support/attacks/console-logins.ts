import type { Attack } from './attack.ts';
import { addressOf, callAtRate, postHead } from './raw-connection.ts';

/** Each has its own limit. */
const ADDRESSES = 80;
const PER_SECOND = 40;

/** Wrong logins at the console from many addresses, for a few people. */
export const consoleLogins: Attack = {
  name: 'console logins',
  start: ({ port }) =>
    callAtRate(
      port,
      PER_SECOND,
      (index) => {
        const body = `email=${encodeURIComponent(`person-${index % 3}@registrar.example`)}&password=wrong-${index}`;
        const form = 'Content-Type: application/x-www-form-urlencoded';
        return postHead('/console/login', body.length, [form, 'Connection: close']) + body;
      },
      (index) => addressOf(index % ADDRESSES),
    ),
};
