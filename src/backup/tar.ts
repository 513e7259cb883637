import { BackupError } from './backup-error.ts';

/** A file of an archive. Large ones are divided into parts, so that each fits in memory. */
export type Entry = { readonly name: string; readonly content: Buffer };

const BLOCK = 512;
const MAX_NAME_LENGTH = 100;
const MAX_ENTRY_BYTES = 64 * 1024 * 1024;

/** The POSIX ustar format, which every tar reads. */
export async function* writeTar(entries: AsyncIterable<Entry>, at: Date): AsyncGenerator<Buffer> {
  for await (const { name, content } of entries) {
    yield headerOf(name, content.length, at);
    yield content;
    const rest = content.length % BLOCK;
    if (rest > 0) yield Buffer.alloc(BLOCK - rest);
  }
  yield Buffer.alloc(2 * BLOCK);
}

export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<Entry> {
  const reader = new Reader(source);
  for (;;) {
    const header = await reader.take(BLOCK);
    if (header.every((byte) => byte === 0)) break;
    const { name, size } = readHeader(header);
    if (size > MAX_ENTRY_BYTES) throw damaged();
    const content = await reader.take(size);
    await reader.take((BLOCK - (size % BLOCK)) % BLOCK);
    yield { name, content };
  }
  // To the end of the file: what is behind the archive proves that the file is whole.
  await reader.drain();
}

function headerOf(name: string, size: number, at: Date): Buffer {
  if (Buffer.byteLength(name) >= MAX_NAME_LENGTH)
    throw new BackupError(`The name ${name} is too long for an archive.`);
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, from: number, length: number) =>
    header.write(value.toString(8).padStart(length - 1, '0'), from, 'latin1');
  header.write(name, 0);
  octal(0o600, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(Math.floor(at.getTime() / 1000), 136, 12);
  header.write('        0', 148, 'latin1');
  header.write('ustar\u000000', 257, 'latin1');
  octal(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  return header;
}

function readHeader(header: Buffer): { name: string; size: number } {
  const text = (from: number, length: number) => {
    const field = header.subarray(from, from + length);
    const end = field.indexOf(0);
    return field
      .subarray(0, end === -1 ? length : end)
      .toString('utf8')
      .trim();
  };
  const sum = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte), 0);
  const size = Number.parseInt(text(124, 12), 8);
  if (Number.parseInt(text(148, 8), 8) !== sum || !Number.isSafeInteger(size)) throw damaged();
  return { name: text(0, MAX_NAME_LENGTH), size };
}

class Reader {
  readonly #source: AsyncIterator<Uint8Array>;
  #parts: Uint8Array[] = [];
  #length = 0;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async take(bytes: number): Promise<Buffer> {
    while (this.#length < bytes) {
      const { value, done } = await this.#source.next();
      if (done) throw new BackupError('The backup is cut off: its end is missing.');
      this.#parts.push(value);
      this.#length += value.length;
    }
    const whole = Buffer.concat(this.#parts);
    this.#parts = bytes === whole.length ? [] : [whole.subarray(bytes)];
    this.#length -= bytes;
    return whole.subarray(0, bytes);
  }

  async drain(): Promise<void> {
    while (!(await this.#source.next()).done);
  }
}

const damaged = () => new BackupError('The backup is damaged: it is no archive of ours.');
