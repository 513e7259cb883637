import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { rootCertificates } from 'node:tls';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { readArchive, sha256, writeArchive } from '../../src/backup/archive.ts';
import type { Entry } from '../../src/backup/tar.ts';
import { COPY_MIGRATION } from '../../src/platform/installation-copy.ts';
import { listUnfinished } from '../../src/platform/recorded-checks.ts';
import { migrate } from '../../src/platform/migrations/migrate.ts';
import { programSchema } from '../../src/platform/migrations/migration.ts';
import {
  cadastre,
  type Environment,
  emptyDatabase,
  openProductionDatabase,
  type ProductionDatabase,
  startProcess,
} from '../support/cadastre.ts';
import { sql } from '../support/sql.ts';
import { expect, onTestFinished } from '../support/this-test.ts';

const KEY = 'a key of more than sixteen characters';

const makeFolder = (): string => mkdtempSync(path.join(os.tmpdir(), 'cadastre-backup-'));

function keyIn(folder: string, text = KEY, mode = 0o600): string {
  const file = path.join(folder, 'key');
  writeFileSync(file, `${text}\n`, { mode });
  return file;
}

/** An installation with an authority's key, TLS files and a secret setting beside it. */
async function installation() {
  const folder = makeFolder();
  const database = await openProductionDatabase();
  await database.sql.run(sql`
    insert into blocked_names (name, reason, created_at)
    select 'n' || n || '.ee', E'tab\t, line\n, backslash \\ and õ', now() from generate_series(1, 100) as n`);
  mkdirSync(path.join(folder, 'ca'));
  writeFileSync(path.join(folder, 'ca/0123456789abcdef.key'), 'the key of the authority');
  for (const name of ['tls.key', 'tls.crt', 'epp.key', 'epp.crt'])
    writeFileSync(path.join(folder, name), name);
  writeFileSync(path.join(folder, 'standby-ca.pem'), rootCertificates[0] ?? '');
  const env: Environment = {
    DATABASE_URL: database.url,
    BACKUP_KEY_FILE: keyIn(folder),
    CA_FOLDER: path.join(folder, 'ca'),
    TLS_KEY_FILE: path.join(folder, 'tls.key'),
    TLS_CERTIFICATE_FILE: path.join(folder, 'tls.crt'),
    EPP_TLS_KEY_FILE: path.join(folder, 'epp.key'),
    EPP_TLS_CERTIFICATE_FILE: path.join(folder, 'epp.crt'),
    DATABASE_REPLICA_URL: `${database.url}&sslrootcert=${encodeURIComponent(path.join(folder, 'standby-ca.pem'))}`,
    PROVIDER_SECRET: `it's "quoted"`,
  };
  const end = async () => {
    rmSync(folder, { recursive: true });
    await database.drop();
  };
  return { folder, database, env, end };
}
type Installation = Awaited<ReturnType<typeof installation>>;
async function installationForThisTest(): Promise<Installation> {
  const made = await installation();
  onTestFinished(made.end);
  return made;
}

const recordedIn = ({ sql: db }: ProductionDatabase) =>
  db.rows(sql`
    select kind, succeeded, succeeded_at, detail from operator_checks where kind not like '% begun'`);
const unfinishedIn = async ({ sql: db }: Pick<ProductionDatabase, 'sql'>) =>
  (await listUnfinished(db)).map(({ kind }) => kind);
const backUp = (env: Environment, output: string, ...options: string[]) =>
  cadastre(['backup', 'create', output, ...options], { env });

/** One backup for all tests that only read it. */
let backedUp: Installation & { readonly file: string };
beforeAll(async () => {
  const made = await installation();
  const file = path.join(made.folder, 'backup.age');
  expect(await backUp(made.env, file)).toMatchObject({ code: 0, stderr: '' });
  backedUp = { ...made, file };
});
afterAll(() => backedUp.end());

const restore = (env: Environment, { url }: ProductionDatabase, file: string, ...options: string[]) =>
  cadastre(['restore', file, ...options], { env: { ...env, DATABASE_URL: url } });

/** Rewrites the entries of a backup with its own key, like an attacker who has it. */
async function rewrite(
  file: string,
  change: (entry: Entry) => Entry | undefined,
  added?: Entry,
): Promise<string> {
  const key = { bytes: Buffer.from(KEY) };
  const to = `${file}.${randomUUID()}`;
  async function* changed(): AsyncGenerator<Entry> {
    for await (const entry of readArchive(file, key)) {
      if (added && entry.name === 'summary.json') yield added;
      const kept = change(entry);
      if (kept) yield kept;
    }
  }
  await writeArchive(to, changed(), key, new Date());
  return to;
}

async function isEmpty({ sql: db }: ProductionDatabase): Promise<boolean> {
  return (await db.rows(sql`select from pg_tables where schemaname = 'public'`)).length === 0;
}

describe.concurrent('cadastre backup', () => {
  test('success: a backup is private, encrypted and complete, and lists its contents', async () => {
    const { folder, env, database } = await installationForThisTest();
    const made = await backUp(env, folder, '--json');
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const { file, ...facts } = JSON.parse(made.stdout);
    expect(path.basename(file)).toMatch(/^cadastre-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tar\.gz\.age$/);
    expect(facts).toMatchObject({ kind: 'production', engine: 'copy' });
    expect(facts.files).toEqual(
      expect.arrayContaining(
        [
          'settings.env',
          'tls/key.pem',
          'tls/certificate.pem',
          'epp/key.pem',
          'epp/certificate.pem',
          'tls/authority-of-DATABASE_REPLICA_URL.pem',
          'ca/0123456789abcdef.key',
          'policy/ee.ts',
        ].map((name) => `files/${name}`),
      ),
    );
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file).includes('blocked_names')).toBe(false);
    expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([]);
    expect(await recordedIn(database)).toEqual([
      { kind: 'backup', succeeded: true, succeeded_at: new Date(facts.dataAt), detail: file },
    ]);
    const verified = await cadastre(['backup', 'verify', file, '--json'], { env });
    expect(JSON.parse(verified.stdout)).toEqual({ file, ...facts });
    // Of a folder it is the newest one.
    const newest = await cadastre(['backup', 'verify', folder, '--json'], { env });
    expect(JSON.parse(newest.stdout)).toEqual({ file, ...facts });
  });

  test('success: a restored copy has every row, and the files are as they were', async () => {
    const { env, database, file, folder } = backedUp;
    const copy = await emptyDatabase();
    const files = path.join(folder, 'restored');
    const restored = await restore(env, copy, file, '--files', files);
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    expect(restored.stdout).toContain(
      'cadastre staging on, or cadastre recovery repair and cadastre recovery confirm',
    );
    const names = sql`select * from blocked_names order by name`;
    expect(await copy.sql.rows(names)).toEqual(await database.sql.rows(names));
    expect(readFileSync(path.join(files, 'ca/0123456789abcdef.key'), 'utf8')).toBe(
      'the key of the authority',
    );
    expect(readFileSync(path.join(files, 'epp/key.pem'), 'utf8')).toBe('epp.key');
    expect(readFileSync(path.join(files, 'settings.env'), 'utf8')).toContain(
      'PROVIDER_SECRET=`it\'s "quoted"`',
    );
    expect(statSync(path.join(files, 'tls/key.pem')).mode & 0o777).toBe(0o600);
    expect(await copy.sql.one(sql`select copy_state, copy_reason from installation`)).toMatchObject({
      copy_state: 'unconfirmed',
      copy_reason: expect.stringContaining(database.name),
    });
    const recovery = await cadastre(['recovery', 'show', '--json'], { env: { DATABASE_URL: copy.url } });
    const verified = await cadastre(['backup', 'verify', file, '--json'], { env });
    expect(JSON.parse(recovery.stdout).recoveryPoint).toBe(JSON.parse(verified.stdout).dataAt);
  });

  test('success: identity values continue after those of the original', async () => {
    const { folder, env, database } = await installationForThisTest();
    const add = sql<{ id: number }>`
      insert into mails (recipient, subject, text, html, created_at, next_attempt_at, try_until)
      values ('a@example.ee', 's', 't', 'h', now(), now(), now()) returning id`;
    for (let count = 0; count < 3; count++) await database.sql.one(add);
    await database.sql.run(sql`delete from mails where id > 1`);
    const file = path.join(folder, 'backup.age');
    await backUp(env, file);
    const copy = await emptyDatabase();
    expect((await restore(env, copy, file)).code).toBe(0);
    expect((await copy.sql.one(add)).id).toBe(4);
  });

  test('success: a backup of the schema before the copy mark is restored at its version, with the mark', async () => {
    const { env, folder } = backedUp;
    const [older, copy] = [await emptyDatabase(), await emptyDatabase()];
    const migrations = programSchema().migrations.filter(({ version }) => version < COPY_MIGRATION);
    await migrate(older.sql, 'production', new Date(), migrations);
    const file = path.join(folder, 'older.age');
    // The database that is too old for a record of its checks is backed up all the same.
    expect(await backUp({ ...env, DATABASE_URL: older.url }, file)).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        /^The result was not recorded, .* \(relation "operator_checks" does not exist\)/,
      ),
    });
    // As while another database of the server is analyzed.
    const restored = await older.sql.begin(async (db) => {
      await db.run(sql`lock table pg_database in share update exclusive mode`);
      return restore(env, copy, file);
    });
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    expect(
      await copy.sql.one(sql`
        select copy_state as state, (select max(version) from schema_migrations) as version from installation`),
    ).toEqual({ state: 'unconfirmed', version: COPY_MIGRATION });
  });

  test('failure: without a key nothing is written, unless unencrypted output is requested', async () => {
    const { folder, env } = await installationForThisTest();
    const { BACKUP_KEY_FILE: _, ...without } = env;
    const file = path.join(folder, 'plain.tar.gz');
    expect(await backUp(without, file)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('BACKUP_KEY_FILE is not set'),
    });
    expect(existsSync(file)).toBe(false);
    expect(await backUp(without, file, '--plaintext', '--database-only')).toMatchObject({ code: 0 });
    expect(execFileSync('tar', ['tzf', file], { encoding: 'utf8' })).toMatch(
      /^manifest\.json\n.*summary\.json\n$/s,
    );
    expect(await cadastre(['backup', 'verify', file], { env: {} })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^The backup is whole: .*\nfile /),
    });
  });

  test('failure: a key that is short, world-readable or missing', async () => {
    const { folder, env } = await installationForThisTest();
    const tried = async (file: string) => (await backUp({ ...env, BACKUP_KEY_FILE: file }, folder)).stderr;
    expect(await tried(path.join(folder, 'none'))).toContain('cannot be read (ENOENT)');
    rmSync(path.join(folder, 'key'));
    expect(await tried(keyIn(folder, 'short'))).toContain('fewer than 16 characters');
    rmSync(path.join(folder, 'key'));
    expect(await tried(keyIn(folder, KEY, 0o644))).toContain('chmod 600');
  });

  test('failure: an existing file is not overwritten, and an unreadable one is named', async () => {
    const { env, file } = backedUp;
    const before = readFileSync(file);
    expect((await backUp(env, file)).stderr).toContain('is there already');
    expect(readFileSync(file).equals(before)).toBe(true);
    const missing = await backUp({ ...env, TLS_KEY_FILE: '/nowhere.key' }, `${file}.2`);
    expect(missing.stderr).toContain('/nowhere.key cannot be read (ENOENT)');
    expect((await backUp(env, `${file}.3`, '--engine', 'zip')).stderr).toContain(
      '--engine is pg_dump or copy',
    );
    expect((await backUp(env, `${file}.4`, '--engine', 'pg_dump')).stderr).toContain(
      'must be of version 18 or later',
    );
  });

  test('failure: a folder that does not exist, and a file in place of one', async () => {
    const { env, file, folder } = backedUp;
    const missing = path.join(folder, 'backups/');
    expect((await backUp(env, missing)).stderr).toContain(`There is no folder ${missing}.\n`);
    expect((await backUp(env, path.join(file, 'backup.age'))).stderr).toContain(`${file} is no folder.\n`);
    expect((await cadastre(['backup', 'verify', missing], { env })).stderr).toContain(
      `${missing} cannot be read (ENOENT).`,
    );
  });

  test('failure: a database that is no installation', async () => {
    const { env, folder } = await installationForThisTest();
    const { url } = await emptyDatabase();
    const tried = await backUp({ ...env, DATABASE_URL: url }, folder);
    expect(tried).toMatchObject({ code: 1, stderr: expect.stringContaining('no schema of Cadastre') });
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('failure: a folder that is not there', async () => {
    const { env, database } = await installationForThisTest();
    const { code, stderr } = await backUp(env, '/nowhere/backup.age');
    expect([code, stderr]).toEqual([1, '/nowhere cannot be written to (ENOENT).\n']);
    const detail = '/nowhere cannot be written to (ENOENT).';
    expect(await recordedIn(database)).toEqual([
      { kind: 'backup', succeeded: false, succeeded_at: null, detail },
    ]);
  });

  test('failure: a full disk leaves no file', async ({ skip }) => {
    const { env, folder, database } = await installationForThisTest();
    const disk = path.join(folder, 'disk');
    mkdirSync(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk], { stdio: 'pipe' });
    } catch {
      skip('no file system can be mounted here');
    }
    onTestFinished(() => void execFileSync('umount', [disk]));
    await database.sql.run(sql`
      insert into blocked_names (name, reason, created_at)
      select md5(n::text) || '.ee', md5(random()::text), now() from generate_series(1, 5000) as n`);
    const tried = await backUp(env, disk);
    expect(tried).toMatchObject({ code: 1, stderr: expect.stringContaining('no space left') });
    expect(readdirSync(disk)).toEqual([]);
  });

  test('failure: a killed backup leaves no file under its final name', async () => {
    const { env, folder, database } = await installationForThisTest();
    // The backup waits for this lock with its file half written.
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const { promise: locked, resolve: isLocked } = Promise.withResolvers<void>();
    const holding = database.sql.begin(async (db) => {
      await db.script('lock table domains in access exclusive mode');
      isLocked();
      await over;
    });
    await locked;
    const file = path.join(folder, 'backup.age');
    const { kill } = startProcess(['backup', 'create', file], env);
    await expect.poll(() => readdirSync(folder).filter((name) => name.endsWith('.partial'))).toHaveLength(1);
    await kill();
    end();
    await holding;
    expect(existsSync(file)).toBe(false);
    // Its beginning has no end, until the next one has.
    expect(await unfinishedIn(database)).toEqual(['backup']);
    expect(await backUp(env, file)).toMatchObject({ code: 0 });
    expect(await unfinishedIn(database)).toEqual([]);
    // The rows of a backup were read before its end was recorded.
    const copy = await emptyDatabase();
    expect(await restore(env, copy, file)).toMatchObject({ code: 0 });
    expect(await unfinishedIn(copy)).toEqual([]);
  });
});

describe.concurrent('cadastre backup drill', () => {
  const DATED_AHEAD = 'cadastre-2099-01-01T00-00-00Z.tar.gz.age';
  const drill = (env: Environment, place: string) => cadastre(['backup', 'drill', place, '--json'], { env });

  test('success: the newest backup of a folder is restored and verified, and the database is empty again', async () => {
    const { env, database, folder } = await installationForThisTest();
    const made = JSON.parse((await backUp(env, folder, '--json')).stdout);
    const others = ['cadastre-2020-01-01T00-00-00Z.tar.gz.age', DATED_AHEAD, 'other.tar.gz.age'];
    for (const name of others) writeFileSync(path.join(folder, name), 'no backup');
    const copy = await emptyDatabase();
    const drilled = await drill({ ...env, DRILL_DATABASE_URL: copy.url }, folder);
    expect(drilled).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(drilled.stdout)).toMatchObject({ file: made.file, rows: made.rows });
    expect(await isEmpty(copy)).toBe(true);
    const told = await cadastre(['backup', 'drill', folder], {
      env: { ...env, DRILL_DATABASE_URL: copy.url },
    });
    expect(told.stdout).toMatch(
      new RegExp(
        `^The drill has succeeded: ${made.rows} rows of \\d+ tables were restored and verified, and .* is empty again\\.\n`,
      ),
    );
    const begun = await database.sql.rows(sql`select from operator_checks where kind = 'restore begun'`);
    expect([begun.length, await unfinishedIn(database)]).toEqual([1, []]);
    expect(await recordedIn(database)).toContainEqual({
      kind: 'restore',
      succeeded: true,
      succeeded_at: expect.any(Date),
      detail: `${made.file}, as of ${made.dataAt}`,
    });
  });

  test('failure: a server that is read-only, as a standby is', async () => {
    const { env, file } = backedUp;
    const copy = await emptyDatabase();
    await copy.sql.script(`alter database ${copy.name} set default_transaction_read_only = on`);
    expect(await drill({ ...env, DRILL_DATABASE_URL: copy.url }, file)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'DRILL_DATABASE_URL leads to a standby, or to another server that is read-only: a drill needs one that takes writes.\n',
    });
  });

  test('failure: a database that is not empty, or none; a folder without a backup; a damaged one', async () => {
    const { env, database, folder } = await installationForThisTest();
    const copy = await emptyDatabase();
    const withDrill = { ...env, DRILL_DATABASE_URL: copy.url };
    const tried = [
      await drill({ ...env, DRILL_DATABASE_URL: database.url }, backedUp.file),
      await drill(env, backedUp.file),
      await drill(withDrill, folder),
      await drill(withDrill, '/nowhere'),
      await drill(withDrill, keyIn(folder)),
    ];
    writeFileSync(path.join(folder, DATED_AHEAD), 'no backup');
    tried.push(await drill(withDrill, folder));
    expect(tried.map(({ code, stderr }) => [code, stderr.trim()])).toEqual([
      [1, expect.stringContaining('not empty')],
      [1, 'DRILL_DATABASE_URL must be set to an empty database of its own.'],
      [1, `There is no backup in ${folder}.`],
      [1, 'The backup /nowhere cannot be read (ENOENT).'],
      [1, expect.stringContaining('no backup of Cadastre')],
      [1, `Every backup in ${folder} is dated at a time that is still to come; name the file.`],
    ]);
    expect(await recordedIn(database)).toMatchObject([
      { kind: 'restore', succeeded: false, succeeded_at: null },
    ]);
    expect(await isEmpty(copy)).toBe(true);
  });
});

describe.concurrent('cadastre restore', () => {
  test('failure: a database that is not empty is unchanged', async () => {
    const { env, database, file } = backedUp;
    expect(await restore(env, database, file)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not empty'),
    });
    const { url, sql: db } = await emptyDatabase();
    await db.script('create table theirs (id int)');
    expect((await restore(env, { url, sql: db, name: '' }, file)).stderr).toContain('not empty');
    expect(await db.rows(sql`select tablename from pg_tables where schemaname = 'public'`)).toEqual([
      { tablename: 'theirs' },
    ]);
  });

  test('failure: a wrong key, a truncated or changed file, and one that is no backup', async () => {
    const { env, file, folder } = backedUp;
    const copy = await emptyDatabase();
    const bytes = readFileSync(file);
    const written = (name: string, content: Buffer) => {
      const to = path.join(folder, name);
      writeFileSync(to, content);
      return to;
    };
    const flipped = Buffer.from(bytes);
    flipped[bytes.length - 300] = (flipped[bytes.length - 300] ?? 0) ^ 1;
    const otherKey = path.join(folder, 'other');
    writeFileSync(otherKey, 'another key of enough characters', { mode: 0o600 });
    const tried = [
      await restore({ ...env, BACKUP_KEY_FILE: otherKey }, copy, file),
      await restore(env, copy, written('cut', bytes.subarray(0, bytes.length - 1000))),
      await restore(env, copy, written('flipped', flipped)),
      await restore(env, copy, written('text', Buffer.from('hello'))),
      await restore(env, copy, path.join(folder, 'none')),
    ];
    expect(tried.map(({ code, stderr }) => [code, stderr.trim()])).toEqual([
      [1, expect.stringContaining('key does not open')],
      [1, expect.stringMatching(/changed|cut off/)],
      [1, expect.stringContaining('changed or damaged')],
      [1, expect.stringContaining('no backup of Cadastre')],
      [1, expect.stringContaining('cannot be read (ENOENT)')],
    ]);
    const verify = (name: string) => cadastre(['backup', 'verify', path.join(folder, name)], { env });
    for (const name of ['cut', 'flipped', 'text', 'none']) expect((await verify(name)).code).toBe(1);
    const tryOut = await restore(env, copy, file, '--dry-run', '--json');
    expect(JSON.parse(tryOut.stdout)).toMatchObject({ dryRun: true, kind: 'production', pending: [] });
    const told = await restore(env, copy, file, '--dry-run');
    expect(told.stdout).toMatch(
      /^Dry run: nothing was changed\. The backup is whole and the database is empty: \d+ rows of \d+ tables, as of \S+, would be restored, and then verified\.\n$/,
    );
    expect(await isEmpty(copy)).toBe(true);
  });

  test('failure: rows that differ from those backed up, even with the right key', async () => {
    const { env, file } = backedUp;
    const copy = await emptyDatabase();
    const other = await rewrite(file, (entry) =>
      entry.name === 'tables/blocked_names/000001'
        ? { ...entry, content: Buffer.from(entry.content.toString().replace('n1.ee', 'x1.ee')) }
        : entry,
    );
    expect((await restore(env, copy, other)).stderr).toContain(
      'blocked_names/000001 is not as it was written',
    );
    const fewer = await rewrite(file, (entry) => (entry.name === 'summary.json' ? undefined : entry));
    expect((await restore(env, copy, fewer)).stderr).toContain('its end is missing');
    expect(await isEmpty(copy)).toBe(true);
  });

  test('failure: a fault found only after loading leaves the database empty too', async () => {
    const { env, file } = backedUp;
    const copy = await emptyDatabase();
    const name = 'tables/allowed_addresses/000001';
    const content = Buffer.from(
      '999\t10.0.0.0/8\tof a registrar that is not there\t2026-01-01 00:00:00+00\n',
    );
    const orphan = await rewrite(
      file,
      (entry) => {
        if (entry.name !== 'summary.json') return entry;
        const summary = JSON.parse(entry.content.toString());
        summary.tables.allowed_addresses = { rows: 1, bytes: content.length, sha256: sha256(content) };
        summary.entries[name] = sha256(content);
        return { ...entry, content: Buffer.from(JSON.stringify(summary)) };
      },
      { name, content },
    );
    expect(await restore(env, copy, orphan)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('violates foreign key constraint'),
    });
    expect(await isEmpty(copy)).toBe(true);
  });

  test('failure: a backup of a newer version', async () => {
    const { env, database, folder } = await installationForThisTest();
    await database.sql.run(sql`
      insert into schema_migrations (version, name, checksum, applied_at) values (9999, 'later', 'x', now())`);
    const later = path.join(folder, 'later.age');
    expect((await backUp(env, later)).code).toBe(0);
    const copy = await emptyDatabase();
    expect((await restore(env, copy, later)).stderr).toContain(
      'migration 9999, which this version does not know',
    );
    expect(await isEmpty(copy)).toBe(true);
  });

  test('failure: a folder with an earlier file is refused before anything is restored', async () => {
    const { env, file } = backedUp;
    const files = makeFolder();
    onTestFinished(() => rmSync(files, { recursive: true }));
    mkdirSync(path.join(files, 'epp'));
    const earlier = path.join(files, 'epp/key.pem');
    writeFileSync(earlier, 'earlier');
    const copy = await emptyDatabase();
    for (const option of [['--dry-run'], ['--files-only'], []])
      expect(await restore(env, copy, file, '--files', files, ...option)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: `${earlier} is there already, and files are never overwritten: name another folder with --files. Nothing was restored.\n`,
      });
    expect((await restore(env, copy, file, '--files', earlier)).stderr).toContain(
      'cannot be written (ENOTDIR). Nothing was restored.',
    );
    expect(await isEmpty(copy)).toBe(true);
    expect(readdirSync(files)).toEqual(['epp']);
  });

  test('success: only the files, without a database', async () => {
    const { env, file, folder } = backedUp;
    const { DATABASE_URL: _, ...rest } = env;
    const files = path.join(folder, 'files');
    expect(await cadastre(['restore', file, '--files-only'], { env: rest })).toMatchObject({ code: 1 });
    expect(await cadastre(['restore', file, '--files-only', '--files', files], { env: rest })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('settings.env'),
    });
    expect(await cadastre(['restore', file], { env: rest })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('DATABASE_URL must be set'),
    });
  });
});
