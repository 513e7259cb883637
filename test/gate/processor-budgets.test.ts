import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { checkBudgets, timeByFolder } from './processor-budgets.ts';
import { preparingMachine, processorTimeMs } from './processor-time.ts';

describe('budgets of processor time', () => {
  test('success: up to twice five seconds, or twice what is listed', () => {
    const times = [
      { file: 'test/app/new.test.ts', ms: 10_000 },
      { file: 'test/docs/readme-tour.test.ts', ms: 20_000 },
    ];
    expect(checkBudgets(times)).toEqual([]);
  });

  test('failure: more than that', () => {
    expect(checkBudgets([{ file: 'test/app/new.test.ts', ms: 10_001 }])).toEqual([
      'test/app/new.test.ts took 10.0 s of the processor; its budget is 5 s',
    ]);
  });

  test('success: what a machine does once counts for no file', () => {
    const busy = () => {
      const until = processorTimeMs() + 60;
      for (let rounds = 0; processorTimeMs() < until && rounds < 1e7; rounds++);
      return 'done';
    };
    const start = performance.now();
    const before = processorTimeMs();
    expect(
      preparingMachine(() => execFileSync('sh', ['-c', 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done'])),
    ).toBeDefined();
    const prepared = performance.now() - start;
    expect(processorTimeMs() - before).toBeLessThan(prepared / 2);
    expect(busy()).toBe('done');
    expect(processorTimeMs() - before).toBeGreaterThanOrEqual(60);
  });

  test('success: folders are added up, the largest first', () => {
    const times = [
      { file: 'test/gate/a.test.ts', ms: 1 },
      { file: 'test/doors/epp/a.test.ts', ms: 2 },
      { file: 'test/doors/b.test.ts', ms: 3 },
    ];
    expect(timeByFolder(times)).toEqual([
      ['test/doors', 5],
      ['test/gate', 1],
    ]);
  });
});
