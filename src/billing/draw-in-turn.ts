import { setTimeout as sleep } from 'node:timers/promises';
import { refuse } from '../operations/common-refusals.ts';
import { FairQueue, QueueFull } from '../platform/concurrency/fair-queue.ts';
import { nextTurn } from '../platform/concurrency/event-loop-turns.ts';

/** A document takes some 80 ms of the processor at once: one at a time, and of those who have many one each. */
const drawing = new FairQueue<string>({ atOnce: 1, perKey: 1, maxWaitingPerKey: 20, maxWaitMs: 10_000 });
/** How many times as long as it took the others have the process before the next one. */
const PAUSE_FACTOR = 2;

/** Draws a document when it is its owner's turn; refuses when the owner has too many waiting. */
export function drawInTurn<T>(owner: string, draw: () => Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const work = async () => {
    await nextTurn();
    const startedAt = performance.now();
    await draw().then(resolve, reject);
    await sleep(PAUSE_FACTOR * (performance.now() - startedAt), undefined, { ref: false });
  };
  drawing.run(owner, work).catch(reject);
  return promise.catch((error: unknown) => {
    if (error instanceof QueueFull) return refuse('overload');
    throw error;
  });
}
