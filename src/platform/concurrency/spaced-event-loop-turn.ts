import { LISTENERS_OF_PORT } from '../port-listeners.ts';

/**
 * Turns of the event loop between two pieces of long work. In each turn every listener of a port accepts one connection,
 * so that long work in every turn would leave new connections waiting for seconds.
 */
const SPACING = LISTENERS_OF_PORT > 1 ? 2 : 8;

/** Runs a piece of long work after some turns of the event loop, in which others are served. */
export function runInSpacedTurn(work: () => void, turns = SPACING): void {
  setImmediate(() => {
    if (turns === 1) work();
    else runInSpacedTurn(work, turns - 1);
  });
}
