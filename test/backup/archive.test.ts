import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Decrypter, Encrypter } from 'age-encryption';
import { afterAll, describe, expect, test } from 'vitest';
import { decrypt, encrypt } from '../../src/backup/age-encryption.ts';
import { type BackupKey, readArchive, writeArchive } from '../../src/backup/archive.ts';
import type { Entry } from '../../src/backup/tar.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'cadastre-archive-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A low work factor, since there are many files. */
const KEY = { bytes: Buffer.from('correct horse battery staple'), workFactor: 10 };
const CHUNK = 64 * 1024 + 16;
/** Random bytes cannot be compressed: the file has several chunks. */
const ENTRIES: readonly Entry[] = [
  { name: 'first.json', content: Buffer.from('{}') },
  { name: 'empty', content: Buffer.alloc(0) },
  { name: 'tables/large/000001', content: randomBytes(300_000) },
  { name: 'tables/block/000001', content: randomBytes(1024) },
];

let made = 0;
async function* stream(entries: readonly Entry[]): AsyncGenerator<Entry> {
  yield* entries;
}
async function write(key: BackupKey): Promise<string> {
  const file = path.join(folder, String(++made));
  await writeArchive(file, stream(ENTRIES), key, new Date('2026-11-16T00:00:00Z'));
  return file;
}
async function read(file: string, key: BackupKey): Promise<Entry[]> {
  const found: Entry[] = [];
  for await (const entry of readArchive(file, key)) found.push(entry);
  return found;
}
function changed(file: string, change: (bytes: Buffer) => Buffer): string {
  const to = path.join(folder, String(++made));
  writeFileSync(to, change(readFileSync(file)));
  return to;
}

describe('an archive', () => {
  test('success: is read back as it was written, and is private', async () => {
    for (const key of [KEY, undefined]) {
      const file = await write(key);
      expect(await read(file, key)).toEqual(ENTRIES);
      expect(statSync(file).mode & 0o777).toBe(0o600);
    }
  });

  test('success: the same content is encrypted differently each time', async () => {
    const [one, two] = [readFileSync(await write(KEY)), readFileSync(await write(KEY))];
    expect(one.includes('first.json')).toBe(false);
    expect(one.subarray(-1000).equals(two.subarray(-1000))).toBe(false);
  });

  test('failure: another key, or none', async () => {
    const file = await write(KEY);
    await expect(read(file, { bytes: Buffer.from('another key entirely') })).rejects.toThrow(
      /key does not open/,
    );
    const entries = readArchive(file, undefined);
    await expect(entries.next()).rejects.toThrow(/set BACKUP_KEY_FILE/);
  });

  test('failure: every changed byte is detected', async () => {
    const file = await write(KEY);
    const { size } = statSync(file);
    for (const at of [0, 30, 60, 90, 150, 200, CHUNK, 2 * CHUNK + 500, size - 20, size - 1]) {
      const flipped = changed(file, (bytes) => {
        bytes[at] = (bytes[at] ?? 0) ^ 1;
        return bytes;
      });
      await expect(read(flipped, KEY), `byte ${at}`).rejects.toThrow(
        /changed|damaged|does not open|no backup/,
      );
    }
  });

  test('failure: a file truncated anywhere, also at a chunk boundary', async () => {
    const file = await write(KEY);
    const { size } = statSync(file);
    const begin = readFileSync(file).indexOf('\n--- ') + 5 + 44 + 16;
    for (const length of [0, 10, 100, begin, begin + CHUNK, begin + 2 * CHUNK, size - CHUNK, size - 1])
      await expect(
        read(
          changed(file, (bytes) => bytes.subarray(0, length)),
          KEY,
        ),
        `${length} bytes`,
      ).rejects.toThrow(/cut off|changed|no backup/);
  });

  test('failure: the encryption itself detects a missing end, whatever the content', async () => {
    async function* pieces(...all: Buffer[]): AsyncGenerator<Buffer> {
      yield* all;
    }
    const collect = async (source: AsyncIterable<Buffer>) => {
      const found: Buffer[] = [];
      for await (const piece of source) found.push(piece);
      return Buffer.concat(found);
    };
    for (const length of [0, 1, CHUNK - 16, 2 * (CHUNK - 16), 2 * (CHUNK - 16) + 1]) {
      const plain = randomBytes(length);
      const sealed = await collect(encrypt(pieces(plain), KEY));
      expect((await collect(decrypt(pieces(sealed), KEY))).equals(plain)).toBe(true);
      const begin = sealed.indexOf('\n--- ') + 5 + 44 + 16;
      for (let end = begin; end < sealed.length; end += CHUNK)
        await expect(collect(decrypt(pieces(sealed.subarray(0, end)), KEY))).rejects.toThrow(/cut off/);
    }
  });

  test('failure: chunks in another order, repeated or added', async () => {
    const file = await write(KEY);
    const begin = readFileSync(file).indexOf('\n--- ') + 5 + 44 + 16;
    const pieces = (bytes: Buffer) => ({
      head: bytes.subarray(0, begin),
      one: bytes.subarray(begin, begin + CHUNK),
      two: bytes.subarray(begin + CHUNK, begin + 2 * CHUNK),
      rest: bytes.subarray(begin + 2 * CHUNK),
    });
    const swapped = changed(file, (bytes) => {
      const { head, one, two, rest } = pieces(bytes);
      return Buffer.concat([head, two, one, rest]);
    });
    const repeated = changed(file, (bytes) => {
      const { head, one, two, rest } = pieces(bytes);
      return Buffer.concat([head, one, one, two, rest]);
    });
    const longer = changed(file, (bytes) => Buffer.concat([bytes, randomBytes(40)]));
    for (const bad of [swapped, repeated, longer]) await expect(read(bad, KEY)).rejects.toThrow(/changed/);
  });

  test('failure: a truncated unencrypted one', async () => {
    const file = await write(undefined);
    const cut = changed(file, (bytes) => bytes.subarray(0, bytes.length - 200));
    await expect(read(cut, undefined)).rejects.toThrow(/cut off/);
  });
});

describe("age's own library", () => {
  const passphrase = KEY.bytes.toString();
  const collect = async (source: AsyncIterable<Uint8Array>) => {
    const found: Uint8Array[] = [];
    for await (const piece of source) found.push(piece);
    return Buffer.concat(found);
  };
  const pieces = async function* (bytes: Buffer) {
    for (let at = 0; at < bytes.length; at += 7_000) yield bytes.subarray(at, at + 7_000);
  };

  test.for([0, 1, 65_535, 65_536, 65_537, 200_000])(
    'success: decrypts our files, and we decrypt its files: %i bytes',
    async (size) => {
      const plain = randomBytes(size);
      const decrypter = new Decrypter();
      decrypter.addPassphrase(passphrase);
      const ours = await collect(encrypt(pieces(plain), KEY));
      expect(plain.equals(await decrypter.decrypt(ours))).toBe(true);
      const encrypter = new Encrypter();
      encrypter.setPassphrase(passphrase);
      encrypter.setScryptWorkFactor(KEY.workFactor);
      const theirs = Buffer.from(await encrypter.encrypt(plain));
      expect(plain.equals(await collect(decrypt(pieces(theirs), KEY)))).toBe(true);
    },
  );

  test('failure: refuses what we refuse, cut at a whole chunk', async () => {
    const cut = (await collect(encrypt(pieces(randomBytes(200_000)), KEY))).subarray(
      0,
      -(200_000 % 65_536) - 16,
    );
    const decrypter = new Decrypter();
    decrypter.addPassphrase(passphrase);
    await expect(decrypter.decrypt(cut)).rejects.toThrow();
    await expect(collect(decrypt(pieces(cut), KEY))).rejects.toThrow('its end is missing');
  });
});
