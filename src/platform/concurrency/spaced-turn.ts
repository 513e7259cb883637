/**
 * Turns of the event loop between two pieces of long work. In each turn one connection of a port is accepted, so that
 * long work in every turn would leave new connections waiting for seconds.
 */
const SPACING = 8;

/** Runs a piece of long work after some turns of the event loop, in which others are served. */
export function runInSpacedTurn(work: () => void, turns = SPACING): void {
  setImmediate(() => {
    if (turns === 1) work();
    else runInSpacedTurn(work, turns - 1);
  });
}
