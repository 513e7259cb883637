import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { carryOut } from '../../src/operations/operator-operation.ts';
import { createAuthority, signRequest } from '../../src/platform/certificates/authority.ts';
import { readRequest } from '../../src/platform/certificates/certificate-request.ts';
import { createRegistrar } from '../../src/registry/registrars/create-registrar.ts';
import { createUser } from '../../src/registry/users/create-user.ts';
import { cadastre, type DroppableDatabase, openProductionDatabase, startServe } from '../support/cadastre.ts';
import { askFor, inFiles, selfSigned } from '../support/certificates.ts';
import { operator } from '../support/operator.ts';
import { secureClient } from '../support/secure-server.ts';
import { sql } from '../support/sql.ts';
import { NOTICED } from '../support/waiting.ts';

const PASSWORD = 'a long enough password';
const SECRET = 'a passphrase of the operators';

let database: DroppableDatabase;
let home: string;
const run = (args: readonly string[], stdin = '', env: Record<string, string> = {}) =>
  cadastre(args, {
    env: { DATABASE_URL: database.url, CADASTRE_HOME: home, CA_KEY_PASSPHRASE: SECRET, ...env },
    stdin,
  });
beforeAll(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), 'cadastre-test-'));
  database = await openProductionDatabase();
  const registrar = { code: 'GAMMA', name: 'Gamma Registrar' };
  await carryOut(database.sql, createRegistrar, registrar, operator());
  const user = { username: 'gamma', registrar: 'GAMMA', roles: ['epp' as const], password: PASSWORD };
  await carryOut(database.sql, createUser, user, operator());
});
afterAll(async () => {
  await database.drop();
  await rm(home, { recursive: true });
});

async function sign(username: string) {
  const { key, request } = await askFor(username);
  return { key, ...(await run(['cert', 'sign', '-'], request)) };
}
const serials = async () =>
  JSON.parse((await run(['cert', 'list', '--json'])).stdout).map(({ serial }: { serial: string }) => serial);

describe('cadastre ca and cert', () => {
  test('failure: nothing is signed without an authority', async () => {
    expect(await sign('gamma')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^There is no authority of our own yet/),
    });
    expect((await run(['ca', 'crl'])).stderr).toMatch(/^There is no authority of our own/);
  });

  test('success: an authority, its key encrypted in a separate file, and only one that signs', async () => {
    expect(await run(['ca', 'init', '--name', 'Test registry'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Authority 1 signs/),
    });
    const [file = ''] = await readdir(path.join(home, 'ca'));
    expect((await stat(path.join(home, 'ca', file))).mode & 0o777).toBe(0o600);
    expect(await readFile(path.join(home, 'ca', file), 'utf8')).toContain('ENCRYPTED PRIVATE KEY');
    expect((await run(['ca', 'init'])).stderr).toBe('Authority 1 signs already; --replace makes another.\n');
    expect((await run(['ca', 'init', '--replace', '--name', ' '])).stderr).toBe(
      'An authority needs a name that is not empty.\n',
    );
    const dry = await run(['ca', 'init', '--replace', '--dry-run', '--json']);
    expect(JSON.parse(dry.stdout)).toMatchObject({ name: 'Cadastre registrar access', dryRun: true });
    expect(await readdir(path.join(home, 'ca'))).toEqual([file]);
    expect((await run(['ca', 'certificate', '1'])).stdout).toMatch(/^-----BEGIN CERTIFICATE-----/);
    expect((await run(['ca', 'list'])).stdout).toMatch(/^1 +Test registry +[0-9a-f]{64} +\S+ +signs +0/m);
  });

  test('success: a request becomes a certificate, is listed, shown and revoked', async () => {
    const { code, stdout } = await sign('gamma');
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----\n$/),
    });
    const [serial = ''] = await serials();
    expect((await run(['cert', 'list', '--user', 'gamma'])).stdout).toMatch(
      new RegExp(`^${serial} +gamma +GAMMA +valid`, 'm'),
    );
    expect((await run(['cert', 'show', serial])).stdout).toBe(stdout);
    expect(await run(['cert', 'revoke', serial])).toMatchObject({ code: 2 });
    expect((await run(['cert', 'revoke', serial, '--reason', 'lost', '--dry-run'])).stdout).toMatch(
      /^Dry run: nothing was changed\. It would say:\nCertificate .* is revoked/,
    );
    expect((await run(['cert', 'revoke', serial, '--yes', '--reason', ' '])).stderr).toBe(
      '--reason must not be empty: it is kept.\n',
    );
    expect(
      await run(['cert', 'revoke', serial, '--yes', '--reason', 'lost', '--case', '2-26-90']),
    ).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/is revoked/),
    });
    expect((await run(['cert', 'revoke', serial, '--yes', '--reason', 'lost'])).stderr).toBe(
      `There is no certificate ${serial} that is still good.\n`,
    );
    expect((await run(['ca', 'crl', '--case', '2-26-90'])).stdout).toMatch(
      /^The list of authority 1 holds until /,
    );
    expect((await run(['history', '--case', '2-26-90'])).stdout.split('\n\n')).toEqual([
      expect.stringMatching(/ revoke certificate, by operator:.+\n {4}user gamma\n {4}why: lost/),
      expect.stringMatching(/ sign revocation list, by operator:.+\n {4}authority Test registry\n/),
    ]);
    expect((await run(['history', 'Test registry'])).stdout).toMatch(/ create, by operator:/);
  });

  test.each<[string, () => Promise<string>, RegExp]>([
    [
      'a request for an unknown user',
      async () => (await askFor('nobody')).request,
      /^There is no user nobody/,
    ],
    ['no certificate request', async () => 'hello', /^This is no certificate request/],
  ])('failure: %s ends with 1 and one sentence', async (_name, request, sentence) => {
    expect(await run(['cert', 'sign', '-'], await request())).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(sentence),
    });
  });

  test('failure: a missing file, a key with another passphrase, a key in another place', async () => {
    expect((await run(['cert', 'sign', '/nowhere.csr'])).stderr).toBe(
      '/nowhere.csr cannot be read (ENOENT).\n',
    );
    const { request } = await askFor('gamma');
    expect((await run(['cert', 'sign', '-'], request, { CA_KEY_PASSPHRASE: 'another' })).stderr).toMatch(
      /cannot be opened; CA_KEY_PASSPHRASE/,
    );
    expect((await run(['cert', 'sign', '-'], request, { CA_FOLDER: '/nowhere' })).stderr).toMatch(
      /^The key of authority 1 is not here/,
    );
  });

  test("success: another's authority is trusted, its certificates recorded, and it is retired", async () => {
    const file = path.join(home, 'other.pem');
    await writeFile(file, (await selfSigned('Other')).cert);
    expect((await run(['ca', 'trust', file])).stdout).toMatch(/^Authority \d+ is trusted: Other/);
    expect((await run(['ca', 'trust', file])).stderr).toBe(
      'This authority is known already; see cadastre ca list.\n',
    );
    const request = path.join(home, 'request.csr');
    await writeFile(request, (await askFor('gamma')).request);
    for (const command of [
      ['ca', 'trust'],
      ['cert', 'add'],
    ])
      expect((await run([...command, request])).stderr).toBe(`${request} holds no certificate in PEM.\n`);
    expect((await run(['cert', 'add', file])).stderr).toMatch(/^No authority that we trust has signed/);
    expect((await run(['cert', 'show', 'none'])).stderr).toBe('There is no certificate none.\n');
    const { id } = JSON.parse((await run(['ca', 'list', '--json'])).stdout).at(-1);
    expect((await run(['ca', 'retire', String(id), '--yes'])).stdout).toBe(`Authority ${id} is retired.\n`);
    expect((await run(['ca', 'retire', String(id), '--yes'])).stderr).toBe(
      `There is no authority ${id} that is trusted.\n`,
    );
    expect((await run(['ca', 'retire', 'x', '--yes'])).stderr).toMatch(
      /^An authority is named by its number/,
    );
    expect((await run(['ca', 'certificate', '999'])).stderr).toBe('There is no authority 999.\n');
  });

  test("success: a certificate of another's authority is put on record", async () => {
    const validity = { from: new Date(Date.now() - 60_000), until: new Date(Date.now() + 3_600_000) };
    const epp = await createAuthority('EPP', validity);
    const asked = await readRequest((await askFor('gamma')).request);
    const details = { organisation: 'GAMMA', validity, listUrl: 'http://epp.example/crl' };
    const [authority, certificate] = [path.join(home, 'epp.pem'), path.join(home, 'gamma.pem')];
    await writeFile(authority, epp.certificate);
    await writeFile(certificate, await signRequest(epp, asked, details));
    expect(await run(['ca', 'trust', authority])).toMatchObject({ code: 0 });
    expect(await run(['cert', 'add', certificate])).toMatchObject({
      code: 0,
      stdout: `User gamma may come in with it until ${new Date(Math.floor(validity.until.getTime() / 1000) * 1000).toISOString()}.\n`,
    });
    const serial = (await serials())[0];
    expect(await run(['cert', 'revoke', serial, '--yes', '--reason', 'a test'])).toMatchObject({ code: 0 });
  });

  test('success: two servers over TLS, and a revocation that both apply within seconds', async () => {
    const { tlsKeyFile, tlsCertificateFile } = await inFiles(await selfSigned('localhost'));
    const env = {
      CERTIFICATES: 'direct',
      TLS_KEY_FILE: tlsKeyFile,
      TLS_CERTIFICATE_FILE: tlsCertificateFile,
    };
    const { key, stdout: cert } = await sign('gamma');
    const servers = await Promise.all([startServe(database.url, env), startServe(database.url, env)]);
    const clients = servers.map(({ url }) => secureClient(url, { key, cert }, `gamma:${PASSWORD}`));
    const statuses = () =>
      Promise.all(clients.map(async (client) => (await client.get('/registry/v1/accounts/balance')).status));
    expect(await statuses()).toEqual([200, 200]);
    await run(['cert', 'revoke', (await serials()).at(-1), '--yes', '--reason', 'lost']);
    await expect.poll(statuses, NOTICED).toEqual([401, 401]);
    for (const client of clients) client.close();
    expect(await Promise.all(servers.map((server) => server.stop()))).toEqual([0, 0]);
  });

  test('success: another authority takes over, and the old one stays trusted', async () => {
    expect((await run(['ca', 'init', '--replace'])).stdout).toMatch(/signs certificates until/);
    const statuses = JSON.parse((await run(['ca', 'list', '--json'])).stdout).map(
      ({ status }: { status: string }) => status,
    );
    expect(statuses).toEqual(['trusted', 'retired', 'trusted', 'signs']);
  });

  test.each<[Record<string, string>, RegExp]>([
    [{ CERTIFICATES: 'direct' }, /CERTIFICATES=direct needs TLS_KEY_FILE/],
    [{ CERTIFICATES: 'proxy' }, /CERTIFICATES=proxy needs TRUSTED_PROXIES/],
    [{ TLS_KEY_FILE: '/a.key' }, /TLS_KEY_FILE and TLS_CERTIFICATE_FILE must be set together/],
    [{ CERTIFICATES: 'maybe' }, /CERTIFICATES must be one of off, direct, proxy/],
  ])('failure: settings that do not fit: %o', async (env, sentence) => {
    const outcome = await cadastre(['serve'], {
      env: { DATABASE_URL: database.url, ...env },
    });
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringMatching(sentence) });
  });
});

describe('cadastre ip', () => {
  const ip = (...args: string[]) => run(['ip', ...args]);

  test('success: allow, list, test and remove', async () => {
    expect((await ip('add', 'GAMMA', '203.0.113.9/24', '--note', 'office')).stdout).toBe(
      'The users of GAMMA may come from 203.0.113.9/24.\n',
    );
    expect((await ip('list', 'GAMMA')).stdout).toMatch(/^GAMMA +203\.0\.113\.0\/24 +office/m);
    expect(await ip('test', 'GAMMA', '203.0.113.7')).toMatchObject({
      code: 0,
      stdout: '203.0.113.7 is allowed: 203.0.113.0/24 has it.\n',
    });
    expect(await ip('test', 'GAMMA', '::ffff:198.51.100.1')).toMatchObject({
      code: 1,
      stderr: '198.51.100.1 is refused: none of the ranges of GAMMA has it: 203.0.113.0/24.\n',
    });
    expect((await ip('remove', 'GAMMA', '203.0.113.0/24')).stdout).toMatch(
      /It is empty now: any address may come/,
    );
    expect((await ip('list', '--json')).stdout).toBe('[]\n');
  });

  test.each([
    ['no range', ['add', 'GAMMA', '203.0.113.0/33'], /is neither an address nor a CIDR range/],
    ['no registrar', ['add', 'NOBODY', '203.0.113.1'], /no such registrar/],
    [
      'a range that is not there',
      ['remove', 'GAMMA', '203.0.113.1'],
      /has no range 203.0.113.1\/32 on the list/,
    ],
    ['no address', ['test', 'GAMMA', 'home'], /is no IP address/],
    ['testing an unknown registrar', ['test', 'NOBODY', '203.0.113.1'], /There is no registrar NOBODY/],
  ])('failure: %s', async (_name, args, sentence) => {
    expect(await ip(...args)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(sentence) });
  });

  test('success: requests of the console wait, are signed or refused, once', async () => {
    const enter = async (username: string) => {
      const { request } = await askFor(username);
      const { id } = await database.sql.one(sql<{ id: number }>`
        insert into certificate_requests (user_id, request, requested_by, created_at)
        select id, ${request}, 'person:anna', now() from api_users where username = ${username} returning id`);
      return String(id);
    };
    // The person who made the requests was removed, so the registrar gets the mails.
    await database.sql.run(sql`update registrars set email = 'office@gamma.example' where code = 'GAMMA'`);
    const mails = () =>
      database.sql.rows(sql<{ subject: string; text: string }>`
        select subject, text from mails where recipient = 'office@gamma.example' order by id`);
    for (const serial of await serials()) await run(['cert', 'revoke', serial, '--yes', '--reason', 'test']);
    const signed = await enter('gamma');
    expect(JSON.parse((await run(['cert', 'requests', '--json'])).stdout)).toMatchObject([{ user: 'gamma' }]);
    const sign = () => run(['cert', 'sign-request', signed]);
    expect((await run(['cert', 'sign-request', signed, '--dry-run'])).code).toBe(0);
    expect(await mails()).toEqual([]);
    expect((await sign()).stdout).toMatch(/^Request \d+ is signed: user gamma may come in with it until /);
    expect((await sign()).stderr).toBe(`No request ${signed} waits; see cadastre cert requests.\n`);
    const refused = await enter('gamma');
    const refuse = (id: string, ...more: string[]) =>
      run(['cert', 'refuse-request', id, '--yes', '--reason', 'closed', ...more], '', {
        PUBLIC_URL: 'https://registry.example',
      });
    expect((await refuse(refused, '--dry-run')).code).toBe(0);
    expect(await mails()).toHaveLength(1);
    expect([(await refuse(refused)).code, (await refuse(refused)).code]).toEqual([0, 1]);
    const [first, second] = await mails();
    expect(first?.subject).toMatch(/ user gamma was signed$/);
    expect(second?.subject).toMatch(/ user gamma was refused$/);
    expect(second?.text).toContain('\nhttps://registry.example/console/access/users/gamma\n');
    expect(second?.text).toContain('The reason: closed\n');
    // With a text for the registrar the other stays with the registry.
    expect((await refuse(await enter('gamma'), '--for-registrar', 'it is not yours')).code).toBe(0);
    const told = (await mails()).at(-1)?.text ?? '';
    expect([told.includes('The reason: it is not yours\n'), told.includes('closed')]).toEqual([true, false]);
    const rows = JSON.parse((await run(['history', 'gamma', '--json'])).stdout);
    expect(rows.at(-1)).toMatchObject({
      operation: 'refuse certificate request',
      reason: 'closed',
      reasonForRegistrar: 'it is not yours',
    });
  });
});
