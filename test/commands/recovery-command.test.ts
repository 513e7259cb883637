import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, inject, test } from 'vitest';
import { describeRestored } from '../../src/platform/installation-copy.ts';
import { cadastre, databaseUrl, type ProductionDatabase, productionDatabase } from '../support/cadastre.ts';
import { sql } from '../support/sql.ts';
import { expect, onTestFinished } from '../support/this-test.ts';

const POINT = '2026-11-01T03:00:00Z';

const run = (database: ProductionDatabase, ...args: string[]) =>
  cadastre(args, { env: { DATABASE_URL: database.url } });

/** A registry as of the recovery point: one registrar that worked, mails, an authority, a range in use. */
async function takenBack(): Promise<ProductionDatabase> {
  const database = await productionDatabase();
  await database.sql.script(`
    insert into registrars (code, name, website, email, created_at)
    values ('ALPHA', 'Alpha', 'https://a.example', 'a@example.ee', '2026-01-01'), ('BETA', 'Beta', 'https://b.example', null, '2026-01-01');
    insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor, request_id)
    select '${POINT}', 'domain', 1, 'a.ee', 'create', id, 'a', 'known' from registrars where code = 'ALPHA';
    insert into mails (recipient, subject, text, html, created_at, next_attempt_at, try_until, sent_at)
    values ('a@example.ee', 'waits', 't', 'h', '${POINT}', now(), now(), null), ('b@example.ee', 'sent', 't', 'h', '${POINT}', now(), now(), '${POINT}');
    insert into mails (recipient, subject, text, html, created_at, next_attempt_at, try_until)
    values ('c@example.ee', 'later', 't', 'h', now(), now(), now());
    insert into payments (reference, created_at) values ('open', '${POINT}');
    insert into invoice_ranges (name, next_number) values ('regular', 150010);
    insert into authorities (name, certificate, fingerprint, valid_from, valid_until, own, signs, created_at, revocation_list_number)
    values ('own', 'c', repeat('a', 64), '2026-01-01', '2036-01-01', true, true, '2026-01-01', 7);
    insert into zones (zone, serial, published_at, frozen_since, frozen_reason)
    values ('ee', 1793500000, '${POINT}', null, null), ('pri.ee', 1793500000, '${POINT}', '${POINT}', 'wrong import');
    insert into zone_serials (zone, serial, soa, published_at) select zone, serial, '{"data": {}}', '${POINT}' from zones;
    insert into zone_delegation_signers values ('com.ee', 4711, 13, 2, repeat('0A', 32));
    insert into dns_secondaries (name, address, port, created_at) values ('signer', '192.0.2.53', 53, '2026-01-01');
    insert into dns_keys (secondary_id, name, algorithm, secret, created_at, revoked_at)
    select s.id, k.name, 'hmac-sha256', k.secret, '2026-01-01'::timestamptz, k.revoked_at
    from dns_secondaries s, (values ('signer-1', null::bytea, '2026-02-01'::timestamptz), ('signer-2', 'secret', null)) as k(name, secret, revoked_at);`);
  return database;
}

const stateOf = ({ sql: db }: ProductionDatabase) =>
  db.one(sql`
    select (select array_agg(next_number order by name desc) from invoice_ranges) as ranges,
      (select array_agg(subject order by id) from mails where gave_up_at is not null) as held,
      (select revocation_list_number from authorities) as list, (select poll_at is not null from payments) as polled,
      (select count(*)::int from recoveries) as recoveries`);

/** A file of a server's log, for the duration of the test. */
function logFile(content: string | Buffer): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cadastre-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'serve.log');
  writeFileSync(file, content);
  return file;
}

const requestLine = (reqId: string, method: string, status: number, time = '2026-11-01T03:00:05.000Z') =>
  JSON.stringify({
    level: 30,
    time,
    reqId,
    method,
    route: '/registry/v1/domains',
    status,
    user: 'alpha',
    registrar: 'ALPHA',
    msg: 'request',
  });

describe.concurrent('cadastre recovery', () => {
  test('success: shows what was lost, what is repeated, and whom to notify', async () => {
    const database = await takenBack();
    const shown = JSON.parse((await run(database, 'recovery', 'show', '--since', POINT, '--json')).stdout);
    expect(shown).toMatchObject({ recoveryPoint: '2026-11-01T03:00:00.000Z', invoiceNumbers: 100 });
    expect(shown.registrars).toMatchObject([{ registrar: 'ALPHA', email: 'a@example.ee', changes: 1 }]);
    const counts = Object.fromEntries(
      shown.items.map(({ item, count }: { item: string; count: number }) => [item, count]),
    );
    expect(counts).toMatchObject({ 'mails waiting': 1, 'payments open': 1, 'own authorities': 1 });
    const settings = shown.dns.map(({ setting, value }: { setting: string; value: string }) => [
      setting,
      value,
    ]);
    expect(settings).toEqual([
      ['DS of com.ee', `4711 13 2 ${'0A'.repeat(32)}`],
      ...['pri.ee', 'fie.ee', 'med.ee'].map((zone) => [`DS of ${zone}`, '(none)']),
      ['publication of ee', 'goes on'],
      ['publication of com.ee', 'goes on'],
      ['publication of pri.ee', 'frozen: wrong import'],
      ...['fie.ee', 'med.ee'].map((zone) => [`publication of ${zone}`, 'goes on']),
      ['secondary signer', '192.0.2.53 port 53'],
      ['key signer-2', 'valid for signer'],
    ]);
    const { stdout } = await run(database, 'recovery', 'show');
    expect(stdout).toMatch(/^The database is as of 20/);
    expect(stdout).toMatch(/DS of com\.ee +4711 13 2 .+ with the signer: keymgr com\.ee ds/);
    expect((await run(database, 'recovery', 'show', '--since', 'noon')).stderr).toContain(
      '--since is a time',
    );
  });

  test('success: finds acknowledged but lost requests in the logs', async () => {
    const database = await takenBack();
    const epp = (reqId: string, command: string, write: boolean, code: number) =>
      JSON.stringify({
        level: 30,
        time: '2026-11-01T03:00:07.000Z',
        reqId,
        command,
        write,
        code,
        user: 'alpha',
        registrar: 'ALPHA',
        msg: 'EPP command',
      });
    const lines = [
      requestLine('lost-1', 'POST', 200),
      requestLine('lost-2', 'POST', 200, '2026-11-01T03:00:09.000Z'),
      requestLine('known', 'POST', 200),
      requestLine('read', 'GET', 200),
      requestLine('refused', 'POST', 400),
      requestLine('earlier', 'POST', 200, '2026-11-01T02:59:00.000Z'),
      epp('lost-3', 'domain create', true, 1001),
      epp('epp-read', 'domain info', false, 1000),
      epp('epp-refused', 'domain create', true, 2302),
      requestLine('preview', 'POST', 200).replace('/registry/v1/', '/console/'),
      requestLine('login', 'POST', 303)
        .replace('/registry/v1/', '/console/')
        .replace('"registrar":"ALPHA",', ''),
      '{"level":30,"msg":"request", cut o',
    ];
    const file = logFile(lines.join('\n'));
    const shown = await run(database, 'recovery', 'show', '--since', POINT, '--log', file, '--json');
    const { log, lost, lostRequests } = JSON.parse(shown.stdout);
    expect(log).toEqual({ lines: 12, requests: 11 });
    expect(lost).toEqual([
      {
        registrar: 'ALPHA',
        user: 'alpha',
        request: 'POST /registry/v1/domains',
        count: 2,
        first: '2026-11-01T03:00:05.000Z',
        last: '2026-11-01T03:00:09.000Z',
      },
      {
        registrar: 'ALPHA',
        user: 'alpha',
        request: 'EPP domain create',
        count: 1,
        first: '2026-11-01T03:00:07.000Z',
        last: '2026-11-01T03:00:07.000Z',
      },
    ]);
    const ofAlpha = { registrar: 'ALPHA', user: 'alpha' };
    const post = { ...ofAlpha, request: 'POST /registry/v1/domains' };
    expect(lostRequests).toEqual([
      { ...post, id: 'lost-1', time: '2026-11-01T03:00:05.000Z' },
      { ...ofAlpha, request: 'EPP domain create', id: 'lost-3', time: '2026-11-01T03:00:07.000Z' },
      { ...post, id: 'lost-2', time: '2026-11-01T03:00:09.000Z' },
    ]);
    const listed = await run(database, 'recovery', 'show', '--since', POINT, '--log', file, '--requests');
    expect(listed.stdout).toMatch(/ALPHA +alpha +2026-11-01T03:00:07.000Z +EPP domain create +lost-3\n/);
  });

  test('success: reads a journal with its prefixes, and says how much of it was understood', async () => {
    const prefix = 'Nov 01 05:00:05 db1 cadastre[71]: ';
    const file = logFile(`${prefix}started\n${prefix}${requestLine('lost-1', 'POST', 200)}\n`);
    const { stdout, code } = await run(
      await takenBack(),
      'recovery',
      'show',
      '--since',
      POINT,
      '--log',
      file,
    );
    expect(code).toBe(0);
    expect(stdout).toContain('Lines of the logs: 2, of which requests: 1.');
    expect(stdout).toMatch(/ALPHA +alpha +POST \/registry\/v1\/domains +1 /);
  });

  test('failure: a log without a request, as of another process or compressed, or no file', async () => {
    const database = await takenBack();
    const show = (...files: string[]) =>
      run(database, 'recovery', 'show', '--since', POINT, '--log', ...files);
    const good = logFile(requestLine('lost-1', 'POST', 200));
    const work = logFile('{"level":30,"time":"2026-11-01T03:00:05.000Z","msg":"job done"}\n{"level":30}\n');
    const refused = { code: 1, stdout: '' };
    expect(await show(good, work)).toMatchObject({
      ...refused,
      stderr: expect.stringContaining(`None of the 2 lines of ${work} is a request that serve has logged.`),
    });
    for (const content of [gzipSync(requestLine('lost-1', 'POST', 200)), ''])
      expect(await show(logFile(content))).toMatchObject({
        ...refused,
        stderr: expect.stringContaining('is a request that serve has logged.'),
      });
    expect(await show(`${good}.1`)).toMatchObject({
      ...refused,
      stderr: `${good}.1 cannot be read (ENOENT).\n`,
    });
    expect(await run(database, 'recovery', 'show', '--requests')).toMatchObject({
      ...refused,
      stderr: '--requests needs --log with the logs of the servers.\n',
    });
  });

  test('success: without --since the newest row that is not dated ahead, or the time of the restored backup', async () => {
    const database = await takenBack();
    await database.sql.script(`
      delete from mails where subject = 'later';
      delete from jobs;
      insert into history (at, object_kind, object_id, object_name, operation, actor, request_id)
      values (now() + interval '420 days', 'domain', 2, 'b.ee', 'update', 'a', 'ahead');
      insert into mails (recipient, subject, text, html, created_at, next_attempt_at, try_until)
      values ('d@example.ee', 'ahead', 't', 'h', now() + interval '420 days', now(), now())`);
    const recoveryPoint = async (...command: string[]) =>
      JSON.parse((await run(database, 'recovery', ...command, '--json')).stdout).recoveryPoint;
    expect(await recoveryPoint('show')).toBe('2026-11-01T03:00:00.000Z');
    // What operators have done since with the installation says nothing of its data.
    expect((await run(database, 'maintenance', 'on')).code).toBe(0);
    expect(await recoveryPoint('show')).toBe('2026-11-01T03:00:00.000Z');
    const restoredOf = (time: string) =>
      database.sql.run(sql`
        update installation set copy_state = 'unconfirmed', copy_since = now(), copy_reason = ${describeRestored('registry of ee', time)}`);
    await restoredOf('2026-11-01T02:00:00.000Z');
    expect(await recoveryPoint('show')).toBe('2026-11-01T02:00:00.000Z');
    expect(await recoveryPoint('repair', '--dry-run')).toBe('2026-11-01T02:00:00.000Z');
    await restoredOf('2099-01-01T00:00:00.000Z');
    expect(await recoveryPoint('show')).toBe('2026-11-01T03:00:00.000Z');
  });

  test('success: repairs numbers, ids, mails and lists, after a dry run that changes nothing', async () => {
    const database = await takenBack();
    const before = await stateOf(database);
    const repair = ['recovery', 'repair', '--since', POINT, '--ids', '5000', '--reason', 'disk lost'];
    expect(await run(database, ...repair, '--dry-run', '--json')).toMatchObject({ code: 0, stderr: '' });
    expect(await stateOf(database)).toEqual(before);
    expect((await run(database, ...repair)).stderr).toContain('add --yes');
    const done = await run(database, ...repair, '--yes');
    expect(done).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('1 mails are held') });
    expect(await stateOf(database)).toEqual({
      ranges: [150110, 10101],
      held: ['waits'],
      list: 1007,
      polled: true,
      recoveries: 1,
    });
    const { id } = await database.sql.one(sql`
      insert into registrars (code, name, website, created_at) values ('NEW', 'n', 'https://n.example', now()) returning id`);
    expect(id).toBeGreaterThan(5000);
    const { stdout } = await run(database, 'history', 'installation', '--json');
    expect(JSON.parse(stdout)).toMatchObject([
      { operation: 'repair after recovery', reason: 'disk lost', after: { ids: 5000, mailsHeld: 1 } },
    ]);
  });

  test('failure: a login that does not own the schema, unless that of the owner is set too', async () => {
    const database = await takenBack();
    const login = `serve_${database.name}`;
    await database.sql.script(`create role ${login} login; grant cadastre_app to ${login}`);
    onTestFinished(() => database.sql.script(`drop owned by ${login}; drop role ${login}`));
    const DATABASE_URL = databaseUrl(database.name, { ...inject('server'), username: login });
    const repair = ['recovery', 'repair', '--since', POINT, '--yes', '--reason', 'disk lost'];
    expect(await cadastre(repair, { env: { DATABASE_URL } })).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^The login of DATABASE_URL does not own the schema \(.+\)\. Set DATABASE_OWNER_URL to the login that does\.\n$/,
      ),
    });
    expect(await stateOf(database)).toMatchObject({ recoveries: 0 });
    const owned = { DATABASE_URL, DATABASE_OWNER_URL: database.url };
    expect(await cadastre(repair, { env: owned })).toMatchObject({ code: 0, stderr: '' });
  });

  test('failure: an invalid count, or more numbers than a range has', async () => {
    const database = await takenBack();
    const repair = (...options: string[]) => run(database, 'recovery', 'repair', '--yes', ...options);
    expect((await repair('--ids', 'many')).stderr).toContain('--ids is a whole number');
    const before = await stateOf(database);
    expect((await repair('--invoice-numbers', '5000')).stderr).toContain(
      'The range deposit of invoice numbers would be used up',
    );
    expect(await stateOf(database)).toEqual(before);
  });
});
