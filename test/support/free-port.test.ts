import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished, test } from 'vitest';
import { freePort } from './free-port.ts';
import { expect } from './this-test.ts';

/** Of the two thousand ports of this worker, from which a program that it starts chooses too. */
const [OF_THE_PROGRAM, OURS] = [300, 100];
const PROGRAM = `
  import { freePort } from '${new URL('free-port.ts', import.meta.url)}';
  const ports = [];
  while (ports.length < ${OF_THE_PROGRAM}) ports.push(await freePort());
  process.once('disconnect', () => {});
  process.send(ports);`;

test.runIf(process.platform === 'linux')(
  'success: no port is given to two processes at a time, though nobody listens on it',
  async () => {
    const program = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const ended = once(program, 'exit');
    onTestFinished(async () => {
      if (program.connected) program.disconnect();
      await ended;
    });
    const [taken] = (await once(program, 'message')) as [number[]];
    const ours = await Promise.all(Array.from({ length: OURS }, freePort));
    expect(new Set([...taken, ...ours]).size).toBe(OF_THE_PROGRAM + OURS);
  },
);
