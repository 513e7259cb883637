import { setTimeout as sleep } from 'node:timers/promises';
import { sentenceOf } from './failures.ts';
import { isAlive } from './postmaster.ts';

const watchInterval = 200;
const shortestPause = 100;
const longestPause = 10_000;
const soundRun = 60_000;

type Supervision = {
  /** Ends the watch and tells which server is running now. */
  end(): Promise<number>;
};

/**
 * Starts the server again whenever it ends without our word. It is watched by its number, since a server that
 * was taken over is not our child. The watch alone does not keep the process alive.
 */
export function supervise(
  firstPid: number,
  relaunch: () => Promise<number>,
  note: (sentence: string) => void,
): Supervision {
  const ending = new AbortController();
  let pid = firstPid;
  const watching = watch();

  async function watch(): Promise<void> {
    let pause = shortestPause;
    for (;;) {
      const since = Date.now();
      while (isAlive(pid) && !ending.signal.aborted) await rest(watchInterval);
      if (ending.signal.aborted) return;
      note('PostgreSQL ended unexpectedly and is being started again.');
      try {
        pid = await relaunch();
      } catch (error) {
        note(sentenceOf(error));
      }
      await rest(pause);
      pause = Date.now() - since > soundRun ? shortestPause : Math.min(pause * 2, longestPause);
    }
  }

  async function rest(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { ref: false, signal: ending.signal }).catch(() => {});
  }

  return {
    async end() {
      ending.abort();
      await watching;
      return pid;
    },
  };
}
