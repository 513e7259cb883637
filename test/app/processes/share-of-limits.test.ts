import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { forwardLines } from '../../../src/app/processes/forward-lines.ts';
import { shareOf } from '../../../src/app/processes/share-of-limits.ts';
import { SharedRateLimits } from '../../../src/app/processes/shared-rate-limits.ts';
import { readConfig } from '../../../src/platform/config/config.ts';

test('success: connections and limits are divided, rounded up; rates are not', () => {
  const config = readConfig('production', {});
  expect(shareOf(config, 1)).toEqual(config);
  expect(shareOf(config, 5)).toEqual({
    ...config,
    readConnections: 1,
    listConnections: 1,
    writeConnections: 3,
    maxRequestsInFlight: 200,
    maxRequestsPerAddress: 50,
    maxConnectionsPerAddress: 100,
    failuresPerMinute: 6,
  });
});

test('success: the counts of one process apply in the other, and are not reported back', async () => {
  const reports: string[] = [];
  const other = new SharedRateLimits((counts) => void reports.push(JSON.stringify(counts)));
  const one = new SharedRateLimits((counts) => other.add(counts));
  const [here, there] = [one.limiter('requests', 3), other.limiter('requests', 3)];
  here.take('alpha', 2);
  here.take('beta');
  await expect.poll(() => there.peek('alpha').remaining).toBe(1);
  expect(there.take('alpha').allowed).toBe(true);
  expect(there.take('alpha').allowed).toBe(false);
  expect(there.peek('beta').remaining).toBe(2);
  await expect.poll(() => reports).toEqual(['[["requests","alpha",2]]']);
  one.stop();
  other.stop();
});

test('success: lines of two streams stay whole, and the last one is terminated', async () => {
  const [one, other, both] = [new PassThrough(), new PassThrough(), new PassThrough()];
  forwardLines(one, both);
  forwardLines(other, both);
  one.write('first ');
  other.write('second\nthi');
  one.write('line\n');
  other.end('rd');
  await expect.poll(() => both.readableLength).toBe('second\nfirst line\nthird\n'.length);
  both.end();
  expect(await text(both)).toBe('second\nfirst line\nthird\n');
});
