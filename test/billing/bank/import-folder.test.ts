import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { importFolder } from '../../../src/billing/bank/import-folder.ts';
import { createLog } from '../../../src/platform/logging.ts';
import { ALPHA_REFERENCE, openBank } from '../../support/bank.ts';
import { Payer } from '../../support/billing.ts';
import { camt } from '../../support/camt.ts';
import { startFreshRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let bank: Awaited<ReturnType<typeof openBank>>;
let folder: string;
const watched = mkdtempSync(path.join(os.tmpdir(), 'cadastre-watched-'));
beforeAll(async () => {
  registry = await startFreshRegistry({ bankStatementFolder: watched });
  bank = await openBank(registry);
});
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'cadastre-folder-'));
  return () => rmSync(folder, { recursive: true });
});
afterAll(async () => {
  await bank.close();
  await registry.stop();
  rmSync(watched, { recursive: true });
});

const look = () => importFolder({ folder, bank, log: createLog('silent', new PassThrough()) }, new Date());
const listed = (place = '') => readdirSync(path.join(folder, place)).filter((name) => name.includes('.'));
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
function put(name: string, content: string | Buffer, minutes = 1, place = folder): void {
  const file = path.join(place, name);
  writeFileSync(file, content);
  utimesSync(file, minutesAgo(minutes), minutesAgo(minutes));
}
let references = 0;
const statement = () =>
  camt([{ amount: '12.40', referenceNumber: ALPHA_REFERENCE, reference: `FOLDER-${++references}` }]);
const booked = async () => {
  const [row] = await registry.sql.rows(sql`
    select count(*)::int as count from bank_entries where status = 'booked' and entry_reference like 'FOLDER-%'`);
  return row?.count as number;
};

test('success: a statement is imported and archived, and the same file name may come again', async () => {
  const before = await booked();
  put('statement.xml', statement());
  await look();
  put('statement.xml', statement());
  await look();
  expect(await booked()).toBe(before + 2);
  expect(listed()).toEqual([]);
  expect(listed('done')).toHaveLength(2);
});

test('success: files still being written, truncated files and files of other names are left alone', async () => {
  const before = await booked();
  const whole = statement();
  put('fresh.xml', whole, 0);
  put('half.xml', whole.subarray(0, 300));
  put('.hidden.xml', whole);
  put('statement.xml.part', whole);
  mkdirSync(path.join(folder, 'folder.xml'));
  symlinkSync('/etc/hostname', path.join(folder, 'link.xml'));
  await look();
  expect(await booked()).toBe(before);
  expect(listed().sort()).toEqual([
    '.hidden.xml',
    'folder.xml',
    'fresh.xml',
    'half.xml',
    'link.xml',
    'statement.xml.part',
  ]);
  put('half.xml', whole);
  await look();
  expect(await booked()).toBe(before + 1);
});

test('failure: an unreadable file is set aside with its reason, and the others are imported', async () => {
  const before = await booked();
  put('a-half.xml', '<Document', 11);
  put('b-foreign.xml', camt([{ amount: '1.00' }], { account: 'EE471000001020145685' }));
  put('c-large.xml', Buffer.alloc(21 * 1024 * 1024), 11);
  put('d-good.xml', statement());
  await look();
  expect(await booked()).toBe(before + 1);
  expect(listed()).toEqual([]);
  const reasons = listed('failed')
    .filter((name) => name.endsWith('.txt'))
    .map((name) => readFileSync(path.join(folder, 'failed', name), 'utf8'));
  expect(reasons.sort()).toEqual([
    expect.stringMatching(/^It is larger than 20 MiB/),
    expect.stringMatching(/^It is no XML/),
    expect.stringMatching(/^It tells of the account EE471000001020145685, which is not ours/),
  ]);
  expect(listed('failed')).toHaveLength(6);
});

test('success: several workers at once, and a file that a killed worker had claimed', async () => {
  const before = await booked();
  for (let file = 0; file < 6; file++) put(`${file}.xml`, statement());
  mkdirSync(path.join(folder, 'taken'));
  put('left-behind.xml', statement(), 1, path.join(folder, 'taken'));
  await Promise.all(Array.from({ length: 4 }, look));
  expect(await booked()).toBe(before + 7);
  expect(listed('done')).toHaveLength(7);
  expect(listed('taken')).toEqual([]);
});

test('success: the worker polls the folder every minute', async () => {
  const before = await booked();
  put('statement.xml', statement(), 1, watched);
  await new Payer(registry.url).advance('PT2M');
  expect(await booked()).toBe(before + 1);
});
