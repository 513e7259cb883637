import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { familyProcessorTime, processorTime } from '../../bench/machine.ts';

const BUSY_SECONDS = 0.2;
/** Uses CPU time, lets a child do the same, reports that, and waits. */
const PARENT = `
  const busy = 'const { user } = process.cpuUsage(); while (process.cpuUsage().user - user < ${BUSY_SECONDS * 1e6});';
  eval(busy);
  require('node:child_process').spawnSync(process.execPath, ['-e', busy]);
  console.log('ready');
  setInterval(() => {}, 1000);`;

test.runIf(existsSync('/proc'))(
  'success: the CPU time of a process tree includes children that have ended',
  async () => {
    const parent = spawn(process.execPath, ['-e', PARENT], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      await once(parent.stdout, 'data');
      const [own = 0, family = 0] = [processorTime(parent.pid ?? 0), familyProcessorTime(parent.pid ?? 0)];
      expect(own).toBeGreaterThanOrEqual(BUSY_SECONDS);
      expect(family - own).toBeGreaterThanOrEqual(BUSY_SECONDS - 0.02); // two ticks
    } finally {
      parent.kill('SIGKILL');
    }
  },
);
