import { describe, expect, test } from 'vitest';
import { checkBudgets, timeByFolder } from './processor-budgets.ts';

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
