import { lstat, readFile } from 'node:fs/promises';
import { UnreadableStatement } from './line.ts';

const LARGEST_BYTES = 20 * 1024 * 1024;

/** The bytes of a statement; no bank's day fills more than this, and whatever does is not even read. */
export async function readStatementFile(file: string): Promise<Buffer> {
  const { size } = await lstat(file);
  if (size > LARGEST_BYTES)
    throw new UnreadableStatement(`It is larger than ${LARGEST_BYTES / 1024 / 1024} MiB.`);
  return readFile(file);
}
