import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { GatheredFailures } from '../../src/platform/gathered-failures.ts';
import { createLog } from '../../src/platform/logging.ts';

function gather() {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return {
    failures: new GatheredFailures(createLog('info', stream), 'run due jobs'),
    logged: () => lines.map((line) => JSON.parse(line)),
  };
}

test('success: failures of several lanes with one message are one line, and another message is another', async () => {
  const { failures, logged } = gather();
  failures.add({ error: new Error('away'), jobs: ['deliver mails'], repeated: 0 });
  failures.add({ error: new Error('full'), jobs: ['publish zones'], repeated: 0 });
  failures.add({ error: new Error('away'), jobs: ['poll payments', 'refund payments'], repeated: 3 });
  expect(logged()).toEqual([]);
  await expect.poll(() => logged().length, { timeout: 5_000 }).toBe(2);
  const line = { level: 40, task: 'run due jobs', msg: 'periodic task failed' };
  expect(logged()).toMatchObject([
    {
      ...line,
      err: { message: 'away' },
      lanes: 2,
      jobs: ['deliver mails', 'poll payments', 'refund payments'],
      repeated: 3,
    },
    { ...line, err: { message: 'full' }, lanes: 1, jobs: ['publish zones'] },
  ]);
});

test('success: a process that ends logs what it has gathered, once', () => {
  const { failures, logged } = gather();
  failures.add({ error: new Error('away'), jobs: ['deliver mails'], repeated: 0 });
  failures.flush();
  failures.flush();
  expect(logged()).toMatchObject([{ lanes: 1, jobs: ['deliver mails'] }]);
});
