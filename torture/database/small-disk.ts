import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';

const MEGABYTE = Buffer.alloc(1024 * 1024, 1);
const PAGE = MEGABYTE.subarray(0, 4096);

/** A file system of a few hundred megabytes, in memory, that can be filled to its last page. */
export class SmallDisk {
  readonly directory: string;

  private constructor(directory: string) {
    this.directory = directory;
  }

  /** Throws where this process may not mount. */
  static mount(directory: string, megabytes: number, mode: number): SmallDisk {
    mkdirSync(directory, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'cadastre-torture', directory], {
      stdio: 'pipe',
    });
    chmodSync(directory, mode);
    return new SmallDisk(directory);
  }

  get #filler(): string {
    return path.join(this.directory, 'filler');
  }

  fill(): void {
    const file = openSync(this.#filler, 'a');
    try {
      for (const piece of [MEGABYTE, PAGE]) while (isWritten(file, piece));
    } finally {
      closeSync(file);
    }
  }

  free(): void {
    rmSync(this.#filler, { force: true });
  }

  unmount(): void {
    // A lazy unmount: open files are released with their process.
    execFileSync('umount', ['-l', this.directory], { stdio: 'pipe' });
  }
}

function isWritten(file: number, piece: Buffer): boolean {
  try {
    return writeSync(file, piece) === piece.length;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false;
    throw error;
  }
}

/** Why nothing can be mounted here, or undefined where it can be. */
export function whyNoMount(trial: string): string | undefined {
  if (process.platform !== 'linux') return 'a small tmpfs needs Linux';
  try {
    SmallDisk.mount(trial, 1, 0o700).unmount();
    return undefined;
  } catch (error) {
    const { stderr } = error as { stderr?: Buffer };
    return `no tmpfs can be mounted here: ${String(stderr ?? error).trim()}`;
  }
}
