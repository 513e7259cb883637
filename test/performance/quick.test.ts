import os from 'node:os';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { encode } from '../../bench/line.ts';
import type { Operation } from '../../bench/operation.ts';
import { operations } from '../../bench/operations.ts';
import { Bar } from '../../bench/progress.ts';
import { runQuick } from '../../bench/quick/quick.ts';
import { ratioOf, verdict } from '../../bench/quick/ratio.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const silent = { isTTY: false, write: () => true } as unknown as NodeJS.WriteStream;
const tiny = { rounds: 2, seconds: 0.05, warmUp: 0.05, domains: 200 };

function printedOnes() {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  onTestFinished(() => log.mockRestore());
  return () => log.mock.calls.flat().join('\n');
}

describe('two checkouts, alternating', () => {
  test.runIf(process.env.TORTURE)(
    'success: a checkout is compared with itself, and calls that it does not have are skipped and named',
    async () => {
      const printed = printedOnes();
      const calling = (name: string, path: string): Operation => ({
        name,
        kind: 'read',
        requests: ({ alpha: { authorization } }) => {
          const request = encode({ method: 'GET', path, authorization });
          return () => request;
        },
      });
      const chosen = [
        ...operations.filter(({ name }) => ['GET domain', 'GET balance over TLS'].includes(name)),
        calling('a later call', '/registry/v1/nowhere'),
        calling('a wrong call', '/registry/v1/domains?limit=none'),
      ];
      const failed = await runQuick({ ...tiny, folders: [ROOT, ROOT], operations: chosen }, new Bar(silent));
      for (const name of ['GET domain', 'GET balance over TLS'])
        expect(printed()).toMatch(
          new RegExp(
            `^\\| ${name} \\| \\d+ \\| \\d+ \\| \\d+\\.\\d\\d \\| \\d+\\.\\d\\d to \\d+\\.\\d\\d \\|`,
            'm',
          ),
        );
      expect(printed()).toContain('Skipped: a later call: A answers 404');
      expect(printed()).toContain('Skipped: a wrong call: A answers 400');
      expect(failed).toEqual(['a wrong call failed']);
    },
    120_000,
  );

  test('failure: a folder that holds no checkout is named', async () => {
    const folders = [os.tmpdir(), os.tmpdir()] as const;
    expect(await runQuick({ ...tiny, folders, operations: [] }, new Bar(silent))).toEqual([
      `Error: ${os.tmpdir()} is not a checkout of Cadastre`,
      `Error: ${os.tmpdir()} is not a checkout of Cadastre`,
    ]);
  });
});

describe('ratios and their spread', () => {
  const words = { below: 'slower', above: 'faster' };

  test('success: few pairs spread from the least to the greatest', () => {
    expect(ratioOf([1.1, 0.8, 1.2])).toEqual({ middle: 1.1, low: 0.8, high: 1.2 });
    expect(ratioOf([1, 2, 3, 4])).toEqual({ middle: 2.5, low: 1, high: 4 });
  });

  test('success: the extremes of many pairs do not count', () => {
    const twenty = Array.from({ length: 20 }, (_, index) => index + 1);
    expect(ratioOf(twenty)).toEqual({ middle: 10.5, low: 4, high: 17 });
    expect(ratioOf(twenty.slice(0, 8))).toMatchObject({ low: 1, high: 8 });
  });

  test('success: only a spread that excludes 1 is a difference', () => {
    expect(verdict({ middle: 0.9, low: 0.8, high: 0.99 }, words)).toBe('slower');
    expect(verdict({ middle: 1.1, low: 1.01, high: 1.2 }, words)).toBe('faster');
    expect(verdict({ middle: 1.1, low: 1, high: 1.2 }, words)).toBe('');
    expect(verdict(ratioOf([Number.NaN]), words)).toBe('');
  });
});
