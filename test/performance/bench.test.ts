import { readFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import { runBenchmark } from '../../bench/benchmark.ts';
import { compared } from '../../bench/compare.ts';
import { Histogram } from '../../bench/histogram.ts';
import { operations } from '../../bench/operations.ts';
import { Bar } from '../../bench/progress.ts';
import { misses } from '../../bench/report.ts';
import { relativeTargets, targets } from '../../bench/targets.ts';

/** One of each kind: a read, a write, a mixture over TLS, a command of EPP. */
const TRIED = ['GET domain', 'reserve a name', 'mixed over TLS, 16 connections', 'EPP domain create'];
const REPORT = new URL('../../bench/report.json', import.meta.url);

function captureOutput() {
  let output = '';
  const out = new Writable({
    write(chunk, _encoding, done) {
      output += chunk;
      done();
    },
  });
  return { out: out as NodeJS.WriteStream, output: () => output };
}

test('success: the benchmark measures each kind of operation', async () => {
  const { out, output } = captureOutput();
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    const chosen = operations.filter(({ name }) => TRIED.includes(name));
    expect(chosen).toHaveLength(TRIED.length);
    await runBenchmark(
      { domains: 1_000, seconds: 0.05, operations: chosen, works: [], whole: false },
      new Bar(out),
    );
    const table = String(log.mock.calls[0]?.[0]);
    for (const name of TRIED)
      expect(table).toMatch(new RegExp(`^${name} .*\\d+ +\\d+ +\\d+\\.\\d %.*\\d+\\.\\d\\d`, 'm'));
    expect(table).toMatch(/held \d+ MB/);
    expect(output()).toContain('100 %  loading domains');
  } finally {
    log.mockRestore();
  }
}, 120_000);

describe('the evaluation of the benchmark', () => {
  const round = { perSecond: 100, p50: 1, p99: 2, serverMicros: 1, databaseMicros: 1, elsewhere: 0 };
  const row = {
    operation: 'GET balance',
    kind: 'read' as const,
    sockets: 16,
    sql: undefined,
    elsewhere: 0,
    restCall: undefined,
    baseline: { ...round, perSecond: 400 },
    product: round,
    share: 0.25,
    atHalf: round,
    baselineAtHalf: round,
  };
  const figure = { work: 'a work', what: 'seconds', value: 3, most: 3 };

  test('success: a value at its bound is not a miss', () => {
    expect(misses({ rows: [row], works: [figure], memory: 250e6 })).toEqual([]);
  });

  test('failure: throughput, latency, figures of works and memory beyond their bounds are reported', () => {
    const slow = { ...row, share: 0.24, atHalf: { ...round, p99: 10.1 } };
    expect(misses({ rows: [slow], works: [{ ...figure, value: 3.1 }], memory: 251e6 })).toEqual([
      'GET balance reaches 24.0 % of the baseline, and must reach 25.0 %',
      `GET balance: p99 of 10.1 ms at half load, and may take 10 ms (the baseline took ${round.p99.toFixed(1)} ms)`,
      'a work: 3.1 seconds, and may be 3 at the most',
      'The serving process held 251 MB at the most while the operations ran; it may hold 250 MB.',
    ]);
  });

  test('failure: a latency is reported with that of the baseline where the baseline is slow too', () => {
    const baselineAtHalf = { ...round, p99: 40 };
    const of = (p99: number) =>
      misses({ rows: [{ ...row, baselineAtHalf, atHalf: { ...round, p99 } }], works: [], memory: 0 });
    expect(of(10)).toEqual([]);
    expect(of(11)).toEqual([
      'GET balance: p99 of 11.0 ms at half load, and may take 10 ms (the baseline took 40.0 ms)',
    ]);
  });

  test('failure: a throughput that is too low relative to another operation is reported', () => {
    const rows = (share: number) => [
      { ...row, operation: 'GET domain', share: 0.5 },
      { ...row, operation: 'RDAP domain', share },
    ];
    expect(misses({ rows: rows(0.4), works: [], memory: 0 })).toEqual([]);
    expect(misses({ rows: rows(0.39), works: [], memory: 0 })).toEqual([
      'RDAP domain reaches 78.0 % of the share of GET domain, and must reach 80.0 %',
    ]);
    expect(misses({ rows: rows(0.39).slice(1), works: [], memory: 0 })).toEqual([]);
  });

  test('success: every target is about an existing operation', () => {
    const names = operations.map(({ name }) => name);
    expect(targets.filter(({ operation }) => !names.includes(operation))).toEqual([]);
    const compared = relativeTargets.flatMap(({ operation, of }) => [operation, of]);
    expect(compared.filter((name) => !names.includes(name))).toEqual([]);
  });

  test('success: a quantile is accurate to two per cent', () => {
    const latencies = new Histogram();
    for (let ms = 1; ms <= 1_000; ms++) latencies.add(ms);
    expect(latencies.quantile(0.5) / 500).toBeCloseTo(1, 1);
    expect(latencies.quantile(0.99) / 990).toBeCloseTo(1, 1);
  });

  test('success: two reports are compared side by side', () => {
    const report = JSON.parse(readFileSync(REPORT, 'utf8'));
    const twice = {
      results: report.results.map((result: typeof row) => ({
        ...result,
        product: { ...result.product, perSecond: result.product.perSecond * 2 },
      })),
    };
    const lines = compared(report, twice).split('\n');
    expect(lines).toHaveLength(report.results.length + 1);
    expect(lines[1]).toContain('+100 %');
  });
});
