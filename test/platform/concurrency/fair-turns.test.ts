import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { FairTurns } from '../../../src/platform/concurrency/fair-turns.ts';

/** Turns by a clock of their own, and work that takes so long by it. */
function clockedTurns(pauseFactor = 0) {
  let now = 0;
  const done: string[] = [];
  const turns = new FairTurns<string>({ msPerTurn: 1, pauseFactor, now: () => now });
  const run = (name: string, ms: number) =>
    turns.run(name.charAt(0), () => {
      done.push(name);
      now += ms;
    });
  const pass = (ms: number) => {
    now += ms;
  };
  return { run, done, pass };
}

test('success: short work runs at once', () => {
  const { run, done } = clockedTurns();
  for (let index = 0; index < 10; index += 1) run('a', 0.1);
  expect(done).toHaveLength(10);
});

test('success: beyond its time in a turn work waits for the time of others, and the keys run in rotation', async () => {
  const { run, done } = clockedTurns();
  for (const name of ['a0', 'a1', 'a2', 'a3', 'b1', 'c1', 'b2']) run(name, 0.5);
  expect(done).toEqual(['a0', 'a1']);
  for (let known = 2; done.length < 7; known = done.length) {
    await nextTurn();
    expect(done.length - known).toBeLessThanOrEqual(2);
  }
  expect(done).toEqual(['a0', 'a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
});

test('success: after a turn work runs at once again, unless other work waits', async () => {
  const { run, done } = clockedTurns();
  run('a0', 1);
  await nextTurn();
  run('a1', 1);
  run('a2', 0);
  run('a3', 0);
  expect(done).toEqual(['a0', 'a1']);
  await nextTurn();
  run('b1', 0);
  expect(done).toEqual(['a0', 'a1']);
  while (done.length < 5) await nextTurn();
  expect(done).toEqual(['a0', 'a1', 'a2', 'b1', 'a3']);
});

test('success: more work that is asked for by work runs in another turn', async () => {
  const turns = new FairTurns<undefined>({ msPerTurn: 1 });
  const done: number[] = [];
  turns.run(undefined, () => {
    turns.run(undefined, () => done.push(2));
    done.push(1);
  });
  expect(done).toEqual([1]);
  while (done.length < 2) await nextTurn();
  expect(done).toEqual([1, 2]);
});

test('success: long work is followed by a pause, where that is asked for', async () => {
  const { run, done, pass } = clockedTurns(4);
  run('a1', 11);
  await nextTurn();
  run('b1', 1);
  expect(done).toEqual(['a1']);
  pass(44);
  while (done.length < 2) await nextTurn();
  run('a2', 11);
  while (done.length < 3) await nextTurn();
  expect(done).toEqual(['a1', 'b1', 'a2']);
  const other = clockedTurns();
  other.run('a1', 11);
  await nextTurn();
  other.run('a2', 1);
  expect(other.done).toEqual(['a1', 'a2']);
});

test('success: where a key pauses alone, others run at once after its long work, and its own work later', async () => {
  const turns = new FairTurns<string>({ msPerTurn: 1, pauseFactor: 4, pausesKeyAlone: true });
  const done: string[] = [];
  const run = (name: string, ms: number) =>
    new Promise<number>((resolve) => {
      turns.run(name.charAt(0), () => {
        done.push(name);
        const until = performance.now() + ms;
        while (performance.now() < until);
        resolve(performance.now());
      });
    });
  const endedAt = await run('a0', 11);
  await nextTurn();
  const others = [run('a1', 0), run('a2', 0), run('b1', 0)];
  expect(done).toEqual(['a0', 'b1']);
  const [resumedAt = 0] = await Promise.all(others);
  expect(done).toEqual(['a0', 'b1', 'a1', 'a2']);
  expect(resumedAt - endedAt).toBeGreaterThan(4 * 10);
});
