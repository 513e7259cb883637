import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { IntervalTask } from '../../../src/platform/concurrency/interval-task.ts';
import { createLog } from '../../../src/platform/logging.ts';

test('success: a failure is logged with the name of the task, once while it lasts, and the task is repeated', async () => {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const enough = Promise.withResolvers<void>();
  let runs = 0;
  const task = new IntervalTask('renew leases', 1, createLog('info', stream), async () => {
    runs += 1;
    if (runs <= 3 || runs === 5) throw new Error('away');
    if (runs === 6) enough.resolve();
  }).start();
  await enough.promise;
  await task.stop();
  const line = { task: 'renew leases', msg: 'periodic task failed', err: { message: 'away' } };
  // One for the first three, one for the fifth.
  expect(lines.map((text) => JSON.parse(text))).toMatchObject([line, line]);
});
