import { expect, test } from 'vitest';
import { drawInTurn } from '../../src/billing/draw-in-turn.ts';
import { Refused } from '../../src/operations/refusal.ts';

test('success: one document at a time, the owners in rotation; failure: an owner with too many waiting', async () => {
  const drawn: string[] = [];
  let underWay = 0;
  const draw = (owner: string) =>
    drawInTurn(owner, async () => {
      expect(++underWay).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      drawn.push(owner);
    });
  const many = Array.from({ length: 22 }, () => draw('many'));
  const outcomes = Promise.allSettled([...many, draw('one')]);
  await many[2];
  expect(drawn.slice(0, 3)).toEqual(['many', 'one', 'many']);
  const refused = (await outcomes).flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(refused).toEqual([expect.any(Refused)]);
  expect(drawn).toHaveLength(22);
});

test('failure: what cannot be drawn fails by itself', async () => {
  const failing = drawInTurn('one', () => Promise.reject(new Error('no font')));
  await expect(failing).rejects.toThrow('no font');
  expect(await drawInTurn('one', async () => 'drawn')).toBe('drawn');
});
