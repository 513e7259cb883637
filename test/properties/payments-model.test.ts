import fc from 'fast-check';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { seed } from '../support/seed.ts';
import { runSequence, sequences } from './payments/sequence.ts';
import { PaymentWorld } from './payments/world.ts';

/** FUZZ_RUNS says how many sequences, to replay some. */
const SEQUENCES = Number(process.env.FUZZ_RUNS ?? (process.env.TORTURE ? 10_000 : 25));
/** This long before the timeout a failure is no longer shrunk, but reported as it is. */
const REPORT_MARGIN_MS = 60_000;
const LIMIT_MS = process.env.TORTURE ? 7_200_000 : 300_000;

let world: PaymentWorld;
beforeAll(async () => {
  process.stderr.write(`payments with FUZZ_SEED=${seed}\n`);
  world = await PaymentWorld.start();
});
afterAll(() => world.stop());

describe(`books that follow the provider, FUZZ_SEED=${seed}`, { timeout: LIMIT_MS }, () => {
  test('success: whatever payers, the provider, operators and injected faults do, every cent is where the rules put it', async () => {
    const property = fc.asyncProperty(sequences, ([bulk, sequence]) => runSequence(world, bulk, sequence));
    const interruptAfterTimeLimit = LIMIT_MS - REPORT_MARGIN_MS;
    await fc.assert(property, { seed, numRuns: SEQUENCES, interruptAfterTimeLimit });
  });
});
