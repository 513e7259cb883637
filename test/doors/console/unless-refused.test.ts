import { expect, test } from 'vitest';
import { unlessRefused } from '../../../src/doors/console/unless-refused.ts';
import { refuse } from '../../../src/registry/registry-refusals.ts';

test('success: what was read', async () => {
  expect(await unlessRefused('unavailable', async () => 7)).toBe(7);
});

test('success: nothing instead of a refusal of this kind', async () => {
  expect(await unlessRefused('unavailable', async () => refuse('overload'))).toBeUndefined();
});

test('failure: any other refusal, and any fault', async () => {
  await expect(unlessRefused('missing', async () => refuse('overload'))).rejects.toThrow();
  const fault = new Error('a fault');
  await expect(unlessRefused('missing', () => Promise.reject(fault))).rejects.toBe(fault);
});
