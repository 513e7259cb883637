import type { Reporter, SerializedError, TestModule, TestRunEndReason } from 'vitest/node';
import { writeRunResult } from './run-result.ts';

/** Leaves the names of failed files for run.ts. */
export class ResultReporter implements Reporter {
  onTestRunEnd(
    modules: readonly TestModule[],
    unhandled: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    writeRunResult({
      failed: modules.filter((module) => !module.ok()).map(({ relativeModuleId }) => relativeModuleId),
      unhandled: unhandled.length,
      isComplete: reason !== 'interrupted' && modules.every((module) => module.state() !== 'pending'),
    });
  }
}
