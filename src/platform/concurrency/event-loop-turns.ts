import { requireTime } from '../work-scope.ts';
import { runInSpacedTurn } from './spaced-event-loop-turn.ts';

const waiting: (() => void)[] = [];

/**
 * Waits for a turn of the event loop, before which other connections are served. In one turn one piece of long work goes
 * on, in the order of arrival, so that a turn is as short with many such works as with one. Ends work that nobody waits
 * for.
 */
export async function nextTurn(): Promise<void> {
  await new Promise<void>((resume) => {
    waiting.push(resume);
    if (waiting.length === 1) runInSpacedTurn(resumeOne);
  });
  requireTime();
}

function resumeOne(): void {
  waiting.shift()?.();
  if (waiting.length > 0) runInSpacedTurn(resumeOne);
}

/** Like `map`, for items of which so many take a few milliseconds at most; more of them are distributed over turns. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  itemsPerTurn: number,
  map: (item: Item) => Result,
): Promise<Result[]> {
  if (items.length <= itemsPerTurn) return items.map((item) => map(item));
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += itemsPerTurn) {
    await nextTurn();
    for (const item of items.slice(from, from + itemsPerTurn)) results.push(map(item));
  }
  return results;
}
