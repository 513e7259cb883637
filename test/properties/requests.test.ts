import { afterAll, beforeAll, describe, test } from 'vitest';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { StepCounter } from '../support/steps.ts';
import { requireLinearWork } from './linear-work.ts';
import { requestParsers } from './requests.ts';

let registry: TestRegistry;
let counter: StepCounter;
beforeAll(async () => {
  registry = await startRegistry();
  counter = await StepCounter.start();
});
afterAll(async () => {
  await counter.stop();
  await registry.stop();
});

describe('the steps of every request grow no faster than its parts', { timeout: 300_000 }, () => {
  const parsers = requestParsers(() => registry.url);
  test.each(parsers.map((parser) => [parser.name, parser] as const))('success: %s', (_name, parser) =>
    requireLinearWork(counter, parser),
  );
});
