import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { IntervalTask } from '../../../src/platform/concurrency/interval-task.ts';
import { createLog } from '../../../src/platform/logging.ts';
import { ConnectionLost } from '../../../src/platform/database/database-errors.ts';

/** Runs a task until its failures are over, and returns what was logged. */
async function linesOf(failures: readonly (Error | undefined)[]) {
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
    const failure = failures[runs];
    runs += 1;
    if (failure) throw failure;
    if (runs > failures.length) enough.resolve();
  }).start();
  await enough.promise;
  await task.stop();
  return lines.map((text) => JSON.parse(text));
}

test('success: a failure is logged with the name of the task, once while it lasts, and the task is repeated', async () => {
  const away = () => new Error('away');
  const line = { task: 'renew leases', msg: 'periodic task failed', err: { message: 'away' } };
  // One for the first three, one for the fifth.
  expect(await linesOf([away(), away(), away(), undefined, away()])).toMatchObject([line, line]);
});

test('success: an outage of the database is one failure, whatever its messages are', async () => {
  const coded = (message: string, code: string) => Object.assign(new Error(message), { code });
  const lines = await linesOf([
    coded('terminating connection due to administrator command', '57P01'),
    new ConnectionLost('the connection ended'),
    coded('the database system is starting up', '57P03'),
    coded('could not extend file', '53100'),
  ]);
  expect(lines.map(({ err }) => err.message)).toEqual([
    'terminating connection due to administrator command',
    'could not extend file',
  ]);
});
