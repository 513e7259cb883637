import { describe, expect, test } from 'vitest';
import { KeyedTurns } from '../../../src/platform/concurrency/keyed-turns.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Records its start and end; ends when the test says so. */
function turnsOf(events: string[]) {
  return (name: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const work = async () => {
      events.push(`${name} starts`);
      await promise;
      events.push(`${name} ends`);
      return name;
    };
    return { work, finish: resolve, fail: () => reject(new Error(name)) };
  };
}

describe('keyed turns', () => {
  test('success: one after the other under one key, in the order they came', async () => {
    const events: string[] = [];
    const [a, b] = ['a', 'b'].map(turnsOf(events));
    const turns = new KeyedTurns(5);
    const results = [turns.take('key', a?.work ?? fail), turns.take('key', b?.work ?? fail)];
    b?.finish();
    await settle();
    expect(events).toEqual(['a starts']);
    a?.finish();
    expect(await Promise.all(results)).toEqual(['a', 'b']);
    expect(events).toEqual(['a starts', 'a ends', 'b starts', 'b ends']);
  });

  test('success: other keys do not wait', async () => {
    const events: string[] = [];
    const [a, b] = ['a', 'b'].map(turnsOf(events));
    const turns = new KeyedTurns(5);
    const first = turns.take('one', a?.work ?? fail);
    const second = turns.take('two', b?.work ?? fail);
    await settle();
    expect(events).toEqual(['a starts', 'b starts']);
    a?.finish();
    b?.finish();
    await Promise.all([first, second]);
  });

  test('success: a failure reaches its own caller and the next one runs', async () => {
    const events: string[] = [];
    const broken = turnsOf(events)('broken');
    const turns = new KeyedTurns(5);
    const first = turns.take('key', broken.work);
    const second = turns.take('key', async () => 'next');
    broken.fail();
    await expect(first).rejects.toThrow('broken');
    expect(await second).toBe('next');
  });

  test('failure: beyond the queue limit work is rejected immediately, and only under that key', async () => {
    const { work, finish } = turnsOf([])('slow');
    const turns = new KeyedTurns(2);
    const line = [1, 2, 3].map(() => turns.take('key', work)); // one runs, two wait
    expect(turns.take('key', work)).toBeUndefined();
    expect(turns.take('other', async () => 'welcome')).toBeDefined();
    finish();
    await Promise.all(line);
    await settle();
    expect(await turns.take('key', async () => 'again')).toBe('again');
  });
});

function fail(): never {
  throw new Error('there is no such turn');
}
