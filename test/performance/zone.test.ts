import { expect, test } from 'vitest';
import { Bar } from '../../bench/progress.ts';
import { measureZone } from '../../bench/zone/zone.ts';

const silent = { isTTY: false, write: () => true } as unknown as NodeJS.WriteStream;

/** Correctness is tested elsewhere; the measurement takes five processes and a database of its own. */
test.runIf(process.env.TORTURE)(
  'success: a zone is built, rebuilt, transferred and followed, and each is measured',
  async () => {
    const listener = { bar: new Bar(silent), disturbed: () => {} };
    const figures = await measureZone({ delegations: 2_000, changes: 50 }, listener, ['rebuild']);
    const works = [...new Set(figures.map(({ work }) => work))];
    expect(works).toEqual([
      'first build',
      'cadastre zone rebuild ee',
      'AXFR',
      '50 registrations in a frozen zone, from its thaw',
      '50 registrations',
      'a nameserver of 1000 domains replaced',
    ]);
    expect(figures.filter(({ value }) => !Number.isFinite(value))).toEqual([]);
  },
  120_000,
);
