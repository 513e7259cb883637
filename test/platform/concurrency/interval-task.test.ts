import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { IntervalTask } from '../../../src/platform/concurrency/interval-task.ts';
import { createLog } from '../../../src/platform/logging.ts';

test('success: a failure is logged with the name of the task, and the task is repeated', async () => {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const twice = Promise.withResolvers<void>();
  let runs = 0;
  const task = new IntervalTask('renew leases', 1, createLog('info', stream), async () => {
    runs += 1;
    if (runs === 1) throw new Error('away');
    twice.resolve();
  }).start();
  await twice.promise;
  await task.stop();
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { task: 'renew leases', msg: 'periodic task failed', err: { message: 'away' } },
  ]);
});
