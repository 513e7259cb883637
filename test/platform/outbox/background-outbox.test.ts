import { describe, expect, test } from 'vitest';
import { BackgroundOutbox } from '../../../src/platform/outbox/background-outbox.ts';
import type { Outbox } from '../../../src/platform/outbox/outbox.ts';

const start = new Date('2027-01-01T00:00:00Z');

/** An outbox of these items, which records every call. */
function backgroundOf(
  items: readonly string[],
  send: (item: string, stopped?: AbortSignal) => Promise<void>,
  maxConcurrent = 2,
) {
  const left = [...items];
  const done: string[] = [];
  const outbox: Outbox<string> = {
    claim: async (_now, underWay) => left.splice(0, maxConcurrent - underWay.length),
    send,
    nextAttempt: (_item, _error, now) => now,
    markSent: async (item) => {
      if (item === 'unrecorded') throw new Error('no database');
      done.push(`${item} sent`);
    },
    markFailed: async (item) => void done.push(`${item} failed`),
    report: () => {},
  };
  const unrecorded = (item: string, error: unknown) => void done.push(`${item}: ${error}`);
  return { background: new BackgroundOutbox(outbox, { maxConcurrent, unrecorded }), done };
}

/** An attempt that ends when it is cut off. */
const hang = (_item: string, stopped?: AbortSignal): Promise<void> =>
  new Promise((_, reject) => stopped?.addEventListener('abort', () => reject(stopped.reason)));

describe('a run', () => {
  test('success: ends when all that is due was sent, no more at once than allowed', async () => {
    let [atOnce, most] = [0, 0];
    const { background, done } = backgroundOf(['a', 'b', 'c', 'd', 'e'], async () => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await Promise.resolve();
      atOnce -= 1;
    });
    await background.run(start);
    expect(done).toEqual(['a sent', 'b sent', 'c sent', 'd sent', 'e sent']);
    expect(most).toBe(2);
  });

  test('success: leaves an attempt that hangs to the next run, and sends the others', async () => {
    const { background, done } = backgroundOf(['slow', 'a', 'b'], (item, stopped) =>
      item === 'slow' ? hang(item, stopped) : Promise.resolve(),
    );
    await background.run(start);
    await background.run(start);
    expect(done).toEqual(['a sent', 'b sent']);
    await background.stop();
    expect(done).toEqual(['a sent', 'b sent']);
  });

  test('failure: what cannot be recorded is reported, and the others are sent', async () => {
    const { background, done } = backgroundOf(['unrecorded', 'a'], async () => {});
    await background.run(start);
    expect(done.sort()).toEqual(['a sent', 'unrecorded: Error: no database']);
  });
});
