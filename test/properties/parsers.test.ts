import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StepCounter } from '../support/steps.ts';
import { excessOf, LIMITS, requireLinearWork } from './linear-work.ts';
import { parsers } from './parsers.ts';

let counter: StepCounter;
beforeAll(async () => {
  counter = await StepCounter.start();
});
afterAll(() => counter.stop());

describe('the steps of every parser grow no faster than its input, up to the limit', {
  timeout: 300_000,
}, () => {
  test.each(parsers.map((parser) => [parser.name, parser] as const))('success: %s', (_name, parser) =>
    requireLinearWork(counter, parser),
  );

  test.each([
    ['native', (text: string) => new URLSearchParams(text), /ms of the processor/],
    ['of JavaScript', (text: string) => comparedWithAllBefore(text), /steps for/],
  ])('failure: a quadratic one is found: %s', async (_name, parse, reason) => {
    const parser = { ...LIMITS, name: '', maxLength: 200_000, pieces: [], frames: [], parse };
    expect(await excessOf(counter, parser, { start: '', unit: 'a&', end: '' })).toMatch(reason);
  });
});

function comparedWithAllBefore(text: string): number {
  let total = 0;
  for (let at = 0; at < text.length / 40; at += 1)
    for (let before = 0; before < at; before += 1) total += before;
  return total;
}
