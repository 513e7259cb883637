import fc from 'fast-check';
import { aroundEach, vi } from 'vitest';
import { runInTest } from './this-test.ts';
import { waitForChange } from './waiting.ts';
import { printWarningsIfFailed } from './warnings.ts';

const FIXED_SEED = 1;

/** Fixed in `npm test`, new in every `npm run test:long`; FUZZ_SEED replays a run. */
export const seed = Number(
  process.env.FUZZ_SEED ?? (process.env.TORTURE ? Date.now() % 2 ** 31 : FIXED_SEED),
);

// A setup file of vitest: so it holds for properties that name no seed, too.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });

// The files of a worker share one `vi`.
vi.waitFor = waitForChange;

aroundEach((runTest, context) => {
  printWarningsIfFailed(context);
  return runInTest(context, runTest);
});

/** Numbers below one that are the same for the same seed. */
export function randomOf(first: number): () => number {
  let state = first;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32;
  };
}
