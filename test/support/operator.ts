import type { OperatorContext } from '../../src/operations/operator-operation.ts';
import { ee } from '../../src/policy/ee.ts';

/** An operator of a test, which needs no reason. */
export const operator = (given: Partial<OperatorContext> = {}): OperatorContext => ({
  actor: 'test',
  now: new Date(),
  policy: ee,
  dryRun: false,
  ...given,
});
