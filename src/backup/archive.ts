import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { PRIVATE_FILE } from '../platform/config/private-files.ts';
import { decrypt, encrypt, isEncrypted, type Passphrase } from './age-encryption.ts';
import { BackupError } from './backup-error.ts';
import { type Entry, readTar, writeTar } from './tar.ts';

/** The key of a backup; undefined for one that is not encrypted. */
export type BackupKey = Passphrase | undefined;

/** Most of the compression of level 6, in a third of its time. */
const GZIP_LEVEL = 3;
const READ_BYTES = 1024 * 1024;
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

/** Writes entries to a new file that only its owner can read, and waits until the disk has it. */
export async function writeArchive(
  file: string,
  entries: AsyncIterable<Entry>,
  key: BackupKey,
  at: Date,
): Promise<void> {
  const output = createWriteStream(file, { flags: 'wx', mode: PRIVATE_FILE, flush: true });
  const source = Readable.from(writeTar(entries, at), { objectMode: false });
  const gzip = createGzip({ level: GZIP_LEVEL });
  await (key === undefined
    ? pipeline(source, gzip, output)
    : pipeline(source, gzip, (packed: AsyncIterable<Buffer>) => encrypt(packed, key), output));
}

/** The entries of an archive; fails where it was changed, damaged or cut off, at the latest behind the last entry. */
export async function* readArchive(file: string, key: BackupKey): AsyncGenerator<Entry> {
  const beginning = await readBeginning(file);
  const stored = createReadStream(file, { highWaterMark: READ_BYTES });
  const gunzip = createGunzip();
  const unpacked = pipeline(plainOf(stored, beginning, key), gunzip);
  unpacked.catch(() => {});
  try {
    yield* readTar(gunzip);
    await unpacked;
  } catch (error) {
    throw String((error as NodeJS.ErrnoException).code).startsWith('Z_')
      ? new BackupError('The backup is damaged or cut off: it cannot be unpacked.')
      : error;
  } finally {
    stored.destroy();
  }
}

function plainOf(
  stored: AsyncIterable<Buffer>,
  beginning: Buffer,
  key: BackupKey,
): AsyncIterable<Uint8Array> {
  if (isEncrypted(beginning)) {
    if (key) return decrypt(stored, key);
    throw new BackupError('The backup is encrypted: set BACKUP_KEY_FILE to the file of its key.');
  }
  if (beginning.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC)) return stored;
  throw new BackupError('The file is no backup of Cadastre, or its beginning was changed.');
}

async function readBeginning(file: string): Promise<Buffer> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw new BackupError(`The backup ${file} cannot be read (${error.code}).`);
  });
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

export const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');
