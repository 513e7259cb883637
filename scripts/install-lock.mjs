import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const heartbeat = 1000;
const silence = 15_000;

/**
 * Waits until nobody else holds the lock, which is a directory with the holder's process number in it.
 * The holder touches it every second: a number may have passed to another process, or mean one in another
 * container. Undefined when nothing may be written there.
 */
export async function takeInstallLock(directory, say) {
  for (let isFirst = true; ; isFirst = false) {
    try {
      mkdirSync(directory);
      return hold(directory);
    } catch (error) {
      if (['EACCES', 'EPERM', 'EROFS'].includes(error.code)) return undefined;
      if (error.code !== 'EEXIST') throw error;
    }
    const holder = holderOf(directory);
    const inherited = isGone(holder) ? inherit(directory, holder) : undefined;
    if (inherited !== undefined) return inherited;
    if (isFirst) say('Waiting for another installation of the dependencies…');
    await sleep(100);
  }
}

function hold(directory) {
  const pid = join(directory, 'pid');
  writeFileSync(pid, String(process.pid));
  const beating = setInterval(() => utimesSync(pid, new Date(), new Date()), heartbeat);
  beating.unref();
  return {
    release() {
      clearInterval(beating);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Who holds the lock and when they were last heard of; the directory itself stands in until they wrote. */
function holderOf(directory) {
  const pid = join(directory, 'pid');
  const written = statSync(pid, { throwIfNoEntry: false });
  if (written !== undefined) return { pid: numberIn(pid), heard: written.mtimeMs };
  return { heard: statSync(directory, { throwIfNoEntry: false })?.mtimeMs ?? Date.now() };
}

/** Undefined where the holder left between our look and our reading. */
function numberIn(file) {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function isGone({ pid, heard }) {
  return Date.now() - heard > silence || (Boolean(pid) && !isAlive(pid));
}

/** Of several who find the holder gone, the one who makes the inner directory takes over, if it still is so. */
function inherit(directory, gone) {
  const claim = join(directory, 'claim');
  try {
    mkdirSync(claim);
  } catch {
    const made = statSync(claim, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - made > silence) rmSync(claim, { recursive: true, force: true });
    return undefined;
  }
  const isUnchanged = holderOf(directory).pid === gone.pid;
  const lock = isUnchanged ? hold(directory) : undefined;
  rmSync(claim, { recursive: true, force: true });
  return lock;
}

function isAlive(pid) {
  if (pid === process.pid) return false; // the number of a holder that died before us
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
