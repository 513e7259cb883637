import { writeFileSync } from 'node:fs';
import { CommandError } from './output.ts';

/** Writes a file that is not there yet. */
export function writeNew(file: string, content: Buffer | string): void {
  try {
    writeFileSync(file, content, { flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(
      code === 'EEXIST' ? `${file} is there already.` : `${file} cannot be written (${code}).`,
    );
  }
}
