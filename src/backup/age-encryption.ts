import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from 'node:crypto';
import { promisify } from 'node:util';
import { BackupError } from './backup-error.ts';

/**
 * The format of age (age-encryption.org/v1) with a passphrase, so that a backup can be opened without this program:
 * scrypt, then ChaCha20-Poly1305 over chunks whose nonce has their number and a flag on the last one. A chunk that was
 * changed, moved, repeated or cut off is detected.
 */
const VERSION = 'age-encryption.org/v1';
const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const FILE_KEY_BYTES = 16;
const SALT_BYTES = 16;
const NONCE_BYTES = 16;
/** 32 MB and a tenth of a second: a key file is random, unless somebody has thought of a passphrase. */
const SCRYPT_LOG_N = 15;
/** 1 GB; a file that requires more is not ours. */
const MAX_SCRYPT_LOG_N = 20;
const MAX_HEADER_BYTES = 4096;
const HEADER =
  /^(age-encryption\.org\/v1\n-> scrypt ([A-Za-z0-9+/]{22}) (\d{1,2})\n([A-Za-z0-9+/]{43})\n---) ([A-Za-z0-9+/]{43})\n/;
const CIPHER = 'chacha20-poly1305';

/** The work factor is the logarithm of scrypt's N. */
export type Passphrase = { readonly bytes: Buffer; readonly workFactor?: number };

export const isEncrypted = (beginning: Buffer): boolean =>
  beginning.subarray(0, VERSION.length).toString('latin1') === VERSION;

export async function* encrypt(
  source: AsyncIterable<Uint8Array>,
  { bytes, workFactor = SCRYPT_LOG_N }: Passphrase,
): AsyncGenerator<Buffer> {
  const fileKey = randomBytes(FILE_KEY_BYTES);
  const salt = randomBytes(SALT_BYTES);
  const wrapped = seal(await wrappingKey(bytes, salt, workFactor), Buffer.alloc(12), fileKey);
  const head = `${VERSION}\n-> scrypt ${base64(salt)} ${workFactor}\n${base64(wrapped)}\n---`;
  yield Buffer.from(`${head} ${base64(headerMac(fileKey, head))}\n`);
  const nonce = randomBytes(NONCE_BYTES);
  yield nonce;
  const key = payloadKey(fileKey, nonce);
  let counter = 0;
  let chunk: Buffer | undefined;
  for await (const next of chunksOf(source, CHUNK_BYTES)) {
    if (chunk) yield seal(key, chunkNonce(counter++, false), chunk);
    chunk = next;
  }
  yield seal(key, chunkNonce(counter, true), chunk ?? Buffer.alloc(0));
}

export async function* decrypt(
  source: AsyncIterable<Uint8Array>,
  { bytes }: Passphrase,
): AsyncGenerator<Buffer> {
  const pieces = source[Symbol.asyncIterator]();
  const { header, rest } = await readHeader(pieces);
  const [, head = '', salt = '', logN = '', wrapped = '', mac = ''] = header;
  if (Number(logN) > MAX_SCRYPT_LOG_N)
    throw new BackupError(`The backup asks for a scrypt work factor of ${logN}, which is too high.`);
  const wrapping = await wrappingKey(bytes, Buffer.from(salt, 'base64'), Number(logN));
  const fileKey = open(wrapping, Buffer.alloc(12), Buffer.from(wrapped, 'base64'));
  if (!fileKey)
    throw new BackupError('The key does not open this backup: it was made with another one, or changed.');
  if (!timingSafeEqual(headerMac(fileKey, head), Buffer.from(mac, 'base64'))) throw changed();
  yield* decryptPayload(fileKey, joined(rest, pieces));
}

async function* decryptPayload(fileKey: Buffer, source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let key: Buffer | undefined;
  let waiting: Buffer = Buffer.alloc(0);
  let counter = 0;
  for await (const piece of source) {
    waiting = Buffer.concat([waiting, piece]);
    if (!key) {
      if (waiting.length < NONCE_BYTES) continue;
      key = payloadKey(fileKey, waiting.subarray(0, NONCE_BYTES));
      waiting = waiting.subarray(NONCE_BYTES);
    }
    // The last chunk stays, whatever its length: only the end of the file shows that it is the last.
    while (waiting.length > CHUNK_BYTES + TAG_BYTES) {
      yield openChunk(key, counter++, false, waiting.subarray(0, CHUNK_BYTES + TAG_BYTES));
      waiting = waiting.subarray(CHUNK_BYTES + TAG_BYTES);
    }
  }
  if (!key || waiting.length < TAG_BYTES) throw cutOff();
  yield openChunk(key, counter, true, waiting);
}

async function readHeader(pieces: AsyncIterator<Uint8Array>) {
  let read: Buffer = Buffer.alloc(0);
  while (read.length < MAX_HEADER_BYTES) {
    const { value, done } = await pieces.next();
    if (done) break;
    read = Buffer.concat([read, value]);
    const header = HEADER.exec(read.subarray(0, MAX_HEADER_BYTES).toString('latin1'));
    if (header) return { header, rest: read.subarray(header[0].length) };
  }
  throw new BackupError('The file is no backup that is encrypted with a key of ours, or is cut off.');
}

async function* joined(first: Buffer, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

function openChunk(key: Buffer, counter: number, isLast: boolean, sealed: Buffer): Buffer {
  const chunk = open(key, chunkNonce(counter, isLast), sealed);
  if (chunk) return chunk;
  if (isLast && open(key, chunkNonce(counter, false), sealed)) throw cutOff();
  throw changed();
}

const changed = () => new BackupError('The backup was changed or damaged: it does not match its own key.');
const cutOff = () => new BackupError('The backup is cut off: its end is missing.');

/** A file is read back after writing, and twice by a restore. */
const derived = new Map<string, Promise<Buffer>>();
const MAX_DERIVED = 16;

function wrappingKey(passphrase: Buffer, salt: Buffer, logN: number): Promise<Buffer> {
  const of = [passphrase, salt, Buffer.from([logN])].map((part) => part.toString('hex')).join();
  const known = derived.get(of);
  if (known) return known;
  const N = 2 ** logN;
  const salted = Buffer.concat([Buffer.from(`${VERSION}/scrypt`), salt]);
  const key = scryptKey(passphrase, salted, 32, { N, r: 8, p: 1, maxmem: 128 * N * 8 * 2 });
  if (derived.size === MAX_DERIVED) derived.clear();
  derived.set(of, key);
  return key;
}
const scryptKey = promisify<
  Buffer,
  Buffer,
  number,
  { N: number; r: number; p: number; maxmem: number },
  Buffer
>(scrypt);

const derive = (fileKey: Buffer, salt: Buffer, info: string): Buffer =>
  Buffer.from(hkdfSync('sha256', fileKey, salt, info, 32));
const payloadKey = (fileKey: Buffer, nonce: Buffer) => derive(fileKey, nonce, 'payload');
const headerMac = (fileKey: Buffer, head: string) =>
  createHmac('sha256', derive(fileKey, Buffer.alloc(0), 'header'))
    .update(head)
    .digest();

function chunkNonce(counter: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(counter, 5, 6);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

function seal(key: Buffer, nonce: Buffer, plain: Buffer): Buffer {
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function open(key: Buffer, nonce: Buffer, sealed: Buffer): Buffer | undefined {
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
  } catch {
    return undefined;
  }
}

/** Pieces of exactly this size, except for the last. */
export async function* chunksOf(source: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Buffer> {
  let parts: Uint8Array[] = [];
  let length = 0;
  for await (const piece of source) {
    parts.push(piece);
    length += piece.length;
    if (length < bytes) continue;
    const whole = Buffer.concat(parts);
    const end = length - (length % bytes);
    for (let from = 0; from < end; from += bytes) yield whole.subarray(from, from + bytes);
    parts = end === length ? [] : [whole.subarray(end)];
    length -= end;
  }
  if (length > 0) yield Buffer.concat(parts);
}

const base64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');
