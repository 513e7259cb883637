import type { Attack } from './attack.ts';
import { importHead } from './import-requests.ts';
import { holdOpen, openRaw } from './raw-connection.ts';

const CONNECTIONS = 20;
const REOPEN_AFTER_MS = 2_000;
const ALL_BUT_THE_END = Buffer.alloc(16 * 1024 * 1024 - 1, ' ');

/** A service sends twenty imports of 16 MiB at once, and of each all but the last byte. */
export const unfinishedImports: Attack = {
  name: 'unfinished imports',
  start: ({ port, credentials: { billingService } = {} }) =>
    holdOpen(
      CONNECTIONS,
      () => {
        const socket = openRaw(port).resume();
        socket.write(importHead(ALL_BUT_THE_END.length + 1, billingService));
        socket.write(ALL_BUT_THE_END);
        return socket;
      },
      REOPEN_AFTER_MS,
    ),
};
