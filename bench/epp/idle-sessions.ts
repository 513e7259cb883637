import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Line } from '../line.ts';
import { EPP_LOGIN, startSecureServer } from '../secure-pair.ts';
import type { MemoryQuestion } from '../secure-server.ts';
import type { Work } from '../work.ts';

const SESSIONS = 1_000;
const WARM_UP_SESSIONS = 50;
const AT_ONCE = 10;
const MAX_MEGABYTES = 60;

/** Logged in and silent, in a process that has served some before: what is counted is the sessions' memory alone. */
export const idleSessions: Work = {
  name: '1,000 idle EPP sessions',
  async run({ database, secure: { identity } }, _world, progress) {
    const { child, eppPort: port } = await startSecureServer(database, ['--expose-gc']);
    const open = (count: number) => openMany(count, () => Line.open({ port, identity, eppLogin: EPP_LOGIN }));
    try {
      for (const line of await open(WARM_UP_SESSIONS)) line.close();
      const before = await memoryOf(child);
      const lines = await open(SESSIONS);
      const after = await memoryOf(child);
      for (const line of lines) line.close();
      progress(`${(before / 1e6).toFixed(0)} MB before, ${(after / 1e6).toFixed(0)} MB with them`);
      return [
        { work: this.name, what: 'MB of the server', value: (after - before) / 1e6, most: MAX_MEGABYTES },
      ];
    } finally {
      child.kill();
    }
  },
};

async function memoryOf(child: ChildProcess): Promise<number> {
  child.send('memory' satisfies MemoryQuestion);
  const [bytes] = (await once(child, 'message')) as [number];
  return bytes;
}

async function openMany(count: number, open: () => Promise<Line>): Promise<Line[]> {
  const lines: Line[] = [];
  while (lines.length < count) lines.push(...(await Promise.all(Array.from({ length: AT_ONCE }, open))));
  return lines;
}
