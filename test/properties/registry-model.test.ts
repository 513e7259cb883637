import fc from 'fast-check';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { seed } from '../support/seed.ts';
import { runSequence, sequences } from './model/sequence.ts';
import { World } from './model/world.ts';

const SEQUENCES = process.env.TORTURE ? 5_000 : 12;
const LIMIT_MS = process.env.TORTURE ? 7_200_000 : 300_000;

let world: World;
beforeAll(async () => {
  process.stderr.write(`sequences with FUZZ_SEED=${seed}\n`);
  world = await World.start();
});
afterAll(() => world.stop());

describe(`the registry against its model, FUZZ_SEED=${seed}`, { timeout: LIMIT_MS }, () => {
  test('success: for any sequence of calls every answer and every state is that of the model', async () => {
    const property = fc.asyncProperty(sequences, ([start, commands]) => runSequence(world, start, commands));
    await fc.assert(property, { seed, numRuns: SEQUENCES });
  });
});
