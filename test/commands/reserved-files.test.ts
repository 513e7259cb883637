import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { csvLine, readCsvLine } from '../../src/commands/terminal/files.ts';
import { cadastre, type DroppableDatabase, openProductionDatabase } from '../support/cadastre.ts';
import { sql } from '../support/sql.ts';

let database: DroppableDatabase;
const run = (...args: string[]) => cadastre(['reserved', ...args], { env: { DATABASE_URL: database.url } });
beforeAll(async () => {
  database = await openProductionDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.sql.run(sql`truncate reserved_names`);
  await database.sql.run(sql`delete from history`);
});

function fileWith(text: string): string {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'cadastre-names-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = path.join(directory, 'names.csv');
  writeFileSync(file, text);
  return file;
}
const load = (text: string, ...more: string[]) => run('import', fileWith(text), ...more);
const stored = () =>
  database.sql.rows(sql<{ name: string; code: string; expiresAt: Date | null }>`
    select name, code, expires_at as "expiresAt" from reserved_names order by name`);

const FILE = [
  'name,code,expires_at',
  'üks.ee,first-code,',
  'kaks.ee,"second, ""quoted"" code",2100-01-01T00:00:00.000Z',
  'KOLM.com.ee,,2100-01-01T02:00:00+02:00',
].join('\n');

describe('cadastre reserved import and export', () => {
  test('success: an exported file equals the imported one with --codes, and has codes only then', async () => {
    expect(await load(FILE, '--reason', 'from the old registry')).toEqual({
      code: 0,
      stdout: '3 names are reserved.\n',
      stderr: '',
    });
    const [kaks, kolm, uks] = await stored();
    expect(kaks).toMatchObject({ name: 'kaks.ee', code: 'second, "quoted" code' });
    expect(kolm).toMatchObject({ name: 'kolm.com.ee', expiresAt: new Date('2100-01-01') });
    expect(kolm?.code).toMatch(/^[0-9a-f]{32}$/);
    expect(uks).toEqual({ name: 'üks.ee', code: 'first-code', expiresAt: null });
    const history = await database.sql.rows(
      sql`select operation, reason, to_jsonb(h)::text as row from history h`,
    );
    expect(history.map(({ operation, reason }) => [operation, reason])).toEqual(
      Array.from({ length: 3 }, () => ['reserve', 'from the old registry']),
    );
    expect(JSON.stringify(history)).not.toContain('first-code');

    expect((await run('export')).stdout).toBe(
      'name,expires_at\nkaks.ee,2100-01-01T00:00:00.000Z\nkolm.com.ee,2100-01-01T00:00:00.000Z\nüks.ee,\n',
    );
    const exported = (await run('export', '--codes')).stdout;
    expect(exported).toBe(
      `name,code,expires_at\nkaks.ee,"second, ""quoted"" code",2100-01-01T00:00:00.000Z\nkolm.com.ee,${kolm?.code},2100-01-01T00:00:00.000Z\nüks.ee,first-code,\n`,
    );
    expect((await run('export', '--for-good')).stdout).toBe('name,expires_at\nüks.ee,\n');
    expect((await load(exported)).stdout).toBe('0 names are reserved; 3 were before.\n');
    expect((await load(FILE)).stdout).toBe('0 names are reserved; 3 were before.\n');
  });

  test('success: columns in another order, some left out, a byte order mark and the line ends of Windows', async () => {
    expect((await load('\ufeffexpires_at,name\r\n,neli.ee\r\n\r\n')).stdout).toBe('1 names are reserved.\n');
    expect(await stored()).toMatchObject([{ name: 'neli.ee', expiresAt: null }]);
  });

  test('success: an expired reservation is replaced', async () => {
    await database.sql.run(
      sql`insert into reserved_names (name, code, expires_at, created_at) values ('viis.ee', 'old', '2020-01-02', '2020-01-01')`,
    );
    expect((await load('name,code\nviis.ee,new')).code).toBe(0);
    expect(await stored()).toEqual([{ name: 'viis.ee', code: 'new', expiresAt: null }]);
  });

  test('failure: a name that is otherwise reserved, or registered; nothing of the file is imported', async () => {
    await load('name,code\nkuus.ee,the-code');
    const { code, stderr } = await load('name,code\nseitse.ee,x\nkuus.ee,another');
    expect([code, stderr]).toEqual([1, 'kuus.ee is reserved already.\nNothing was reserved.\n']);
    expect(await stored()).toMatchObject([{ name: 'kuus.ee', code: 'the-code' }]);
  });

  test.each([
    ['no head', 'kaheksa.ee,code,\n', /^The first line of the file must name its columns/],
    ['a strange column', 'name,password\nkaheksa.ee,x\n', /^The first line/],
    ['nothing at all', '', /^The first line/],
    [
      'too few fields',
      'name,code\nkaheksa.ee\n',
      /^Line 2: it does not have 2 fields\.\nNothing was reserved\.\n$/,
    ],
    [
      'a quotation mark that is not closed',
      'name,code\nkaheksa.ee,"x\n',
      /^Line 2: a quotation mark is not closed\.\n/,
    ],
    [
      'a quotation mark inside a field',
      'name,code\nkaheksa.ee,x"y"\n',
      /^Line 2: a quotation mark stands inside a field: quote the whole field, and double the marks in it\.\n/,
    ],
    ['a heading with an open quotation mark', 'name,"code\n', /^Line 1: a quotation mark is not closed\.\n/],
    ['a name of another zone', 'name\nfoo.com\n', /^Line 2: foo\.com is no name of our zones\./],
    ['no time', 'name,expires_at\nkaheksa.ee,tomorrow\n', /^Line 2: tomorrow is no time /],
    [
      'a time that is over',
      'name,expires_at\nkaheksa.ee,2020-01-01T00:00:00Z\n',
      /^Line 2: 2020\S+ is over\./,
    ],
    ['a name twice', 'name\nkaheksa.ee\nKaheksa.ee\n', /^kaheksa\.ee is there twice\./],
    [
      '30 mistakes',
      `name\n${'foo.com\n'.repeat(30)}`,
      /^(Line \d+: [^\n]+\n){20}… and 10 more\.\nNothing was/,
    ],
  ])('failure: %s ends with 1, and nothing is reserved', async (_what, text, sentence) => {
    const outcome = await load(text);
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toMatch(sentence);
    expect(await stored()).toEqual([]);
  });

  test('failure: a file that is not there', async () => {
    expect(await run('import', '/no/such/file.csv')).toEqual({
      code: 1,
      stdout: '',
      stderr: '/no/such/file.csv cannot be read (ENOENT).\n',
    });
  });
});

describe('lines of comma-separated values', () => {
  test.each([
    ['', ['']],
    ['a', ['a']],
    [',a,', ['', 'a', '']],
    ['"a,b","c""d"', ['a,b', 'c"d']],
    ['"",""', ['', '']],
  ])('success: %j is read, and written so that it is read again', (line, fields) => {
    expect(readCsvLine(line)).toEqual(fields);
    expect(readCsvLine(csvLine(fields))).toEqual(fields);
  });

  test.each(['"a', 'a"', 'a"b"', '"a"b', '"a""'])('failure: %j is no line', (line) => {
    expect(readCsvLine(line)).toBeUndefined();
  });
});
