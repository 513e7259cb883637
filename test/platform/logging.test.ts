import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createHome } from '../../src/platform/config/private-files.ts';
import { openLog } from '../../src/platform/logging.ts';

const modeOf = (place: string): string => (statSync(place).mode & 0o777).toString(8);
const FULL = 60 * 1024 * 1024;

describe('permissions of the log', () => {
  let home: string;
  let logs: string;
  let file: string;
  beforeEach(() => {
    const before = process.umask(0o022);
    home = path.join(mkdtempSync(path.join(os.tmpdir(), 'cadastre-test-')), 'home');
    logs = path.join(home, 'logs');
    file = path.join(logs, 'cadastre.log');
    onTestFinished(() => {
      process.umask(before);
      rmSync(path.dirname(home), { recursive: true });
    });
  });

  async function write() {
    const { log, flush } = openLog('info', file);
    log.info('a line');
    const size = async () => {
      await flush();
      return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    };
    await expect.poll(size, { timeout: 30_000 }).toBeGreaterThan(0);
  }

  test('success: readable by its owner only', async () => {
    createHome(home);
    await write();
    expect([modeOf(logs), modeOf(file)]).toEqual(['700', '600']);
    // As root the database traverses it under another account.
    expect(modeOf(home)).toBe(process.getuid?.() === 0 ? '711' : '700');
  });

  test('success: files of an earlier version lose the permissions of others, rotated ones too', async () => {
    mkdirSync(logs, { recursive: true });
    writeFileSync(file, '');
    truncateSync(file, FULL);
    writeFileSync(`${file}.1`, 'old');
    for (const open of [file, `${file}.1`]) chmodSync(open, 0o644);
    await write();
    expect([modeOf(logs), modeOf(file), modeOf(`${file}.1`)]).toEqual(['700', '600', '600']);
    expect([statSync(`${file}.1`).size, modeOf(home)]).toEqual([FULL, '755']);
  });

  test('failure: a symbolic link is not followed to change its target', async () => {
    const elsewhere = path.join(path.dirname(home), 'elsewhere');
    mkdirSync(elsewhere);
    mkdirSync(home);
    symlinkSync(elsewhere, logs);
    await write();
    expect(modeOf(elsewhere)).toBe('755');
  });
});
