import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { TransferSlots } from '../../../src/doors/dns/transfer-slots.ts';

/** Transfers that the test ends, in the order in which they began. */
function transfers(max: number) {
  const slots = new TransferSlots(max);
  const running = new Map<string, () => void>();
  const begun: string[] = [];
  const begin = (secondary: string, name: string) =>
    slots.run(secondary, async () => {
      begun.push(name);
      await new Promise<void>((end) => running.set(name, end));
      running.delete(name);
    });
  const end = async (name: string) => {
    running.get(name)?.();
    await nextTurn();
  };
  return { slots, begun, begin, end };
}

test('success: one per secondary, and those that wait take turns by secondary', async () => {
  const { begun, begin, end } = transfers(2);
  const all = [
    ...['a1', 'a2', 'a3', 'a4'].map((name) => begin('a', name)),
    ...['b1', 'c1', 'c2'].map((name) => begin(name.slice(0, 1), name)),
  ];
  expect(begun).toEqual(['a1', 'b1']);
  await end('b1');
  expect(begun).toEqual(['a1', 'b1', 'c1']);
  await end('a1');
  await end('c1');
  await end('a2');
  expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
  for (const name of ['c2', 'a3', 'a4']) await end(name);
  await Promise.all(all);
  expect(begun).toHaveLength(7);
});

test('success: a transfer that fails frees its slot', async () => {
  const { slots, begun, begin, end } = transfers(1);
  const failing = slots.run('a', () => Promise.reject(new Error('cut')));
  const next = begin('a', 'a2');
  await expect(failing).rejects.toThrow('cut');
  await nextTurn();
  expect(begun).toEqual(['a2']);
  await end('a2');
  await next;
});
