import { describe, expect, test } from 'vitest';
import { type EndedRun, runRepeatingFailed } from './repeat-failed.ts';

const green: EndedRun = { failed: [], unhandled: 0, isComplete: true, code: 0 };
const red = (...failed: string[]): EndedRun => ({ ...green, failed, code: 1 });

/** Runs the gate on what vitest leaves, run by run; `runs` are the files that each was told to run. */
async function gate(...results: (EndedRun | undefined)[]) {
  const runs: (readonly string[])[] = [];
  const verdict = await runRepeatingFailed(async (files) => {
    runs.push(files);
    return results[runs.length - 1];
  });
  return { ...verdict, runs };
}

describe('files that failed', () => {
  test('success: without one nothing is repeated', async () => {
    expect(await gate(green)).toEqual({ isGreen: true, unstable: [], runs: [[]] });
  });

  test('success: each is run once more, alone, and named as unstable if it passes', async () => {
    const [one, other] = ['test/app/epp.test.ts', 'test/docs/epp.test.ts'];
    expect(await gate(red(one, other), green, green)).toEqual({
      isGreen: true,
      unstable: [one, other],
      runs: [[], [one], [other]],
    });
  });

  test('failure: one that fails alone too', async () => {
    const [one, other] = ['test/app/epp.test.ts', 'test/docs/epp.test.ts'];
    expect(await gate(red(one, other), green, red(other))).toEqual({
      isGreen: false,
      unstable: [one],
      runs: [[], [one], [other]],
    });
  });

  test.each([
    'test/races/domains.test.ts',
    'test/properties/model/money.test.ts',
    'test/torture/cluster.test.ts',
    'test/start/outliving.test.ts',
  ])('failure: races, models, kills and torture are never repeated (%s)', async (file) => {
    expect(await gate(red('test/app/epp.test.ts', file), green, green)).toEqual({
      isGreen: false,
      unstable: [],
      reason: `never repeated: ${file}`,
      runs: [[]],
    });
  });

  test('failure: so many that it is no chance', async () => {
    const files = Array.from({ length: 6 }, (_, index) => `test/app/${index}.test.ts`);
    expect(await gate(red(...files))).toMatchObject({ isGreen: false, reason: '6 files failed', runs: [[]] });
  });

  test.each([
    [undefined, 'vitest ended without a result'],
    [{ ...red('test/app/epp.test.ts'), isComplete: false }, 'not every file was run'],
    [{ ...red('test/app/epp.test.ts'), unhandled: 1 }, 'an error outside of any test belongs to no file'],
    [{ ...green, code: 1 }, 'vitest ended with 1'],
  ])('failure: a run that failed in another way (%#)', async (result, reason) => {
    expect(await gate(result)).toMatchObject({ isGreen: false, reason, runs: [[]] });
  });

  test('failure: a repetition that ends without a result', async () => {
    expect(await gate(red('test/app/epp.test.ts'), undefined)).toMatchObject({ isGreen: false });
  });
});
