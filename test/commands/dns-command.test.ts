import { describe, test } from 'vitest';
import { KnownSecondaries } from '../../src/registry/secondaries/known-secondaries.ts';
import { recordSecondarySerial } from '../../src/registry/secondaries/list-secondaries.ts';
import { cadastre, databaseUrl } from '../support/cadastre.ts';
import { registryForThisTest, type TestRegistry } from '../support/registry.ts';
import { expect } from '../support/this-test.ts';

const commandOn =
  ({ databaseName }: TestRegistry) =>
  (...args: string[]) =>
    cadastre(args, { env: { DATABASE_URL: databaseUrl(databaseName) } });

describe('cadastre dns', () => {
  test('success: a secondary gets a key, a second one, and loses the first; secrets are shown once', async () => {
    const registry = await registryForThisTest();
    const run = commandOn(registry);
    const known = new KnownSecondaries(registry.sql);
    const create = (name: string, ...more: string[]) =>
      run('dns', 'key', 'create', name, '--secondary', 'signer', ...more);
    const added = await run('dns', 'secondary', 'add', 'signer', '192.0.2.53', '--port', '5300');
    expect(added).toMatchObject({ code: 0, stderr: '' });
    const dry = await create('first', '--dry-run');
    expect(dry.stdout).toContain('Dry run');
    await known.refresh();
    expect(known.list()).toEqual([]);

    const { secret } = JSON.parse((await create('first', '--json')).stdout) as { secret: string };
    await known.refresh();
    const key = { name: 'first', algorithm: 'hmac-sha256', secret: Buffer.from(secret, 'base64') };
    expect(key.secret).toHaveLength(32);
    expect(known.findKey('first')).toMatchObject({ ...key, secondary: 'signer' });
    const second = await create('second', '--algorithm', 'hmac-sha512');
    expect(second.stdout).toMatch(/not shown again: [A-Za-z0-9+/]{86}==/);
    expect((await create('third')).stderr).toContain('signer has 2 valid keys');

    await known.refresh();
    const notifiedWith = () => known.list().map((each) => `${each.address}:${each.port} ${each.key.name}`);
    expect(notifiedWith()).toEqual(['192.0.2.53:5300 first']);
    known.noteUse('signer', 'second');
    expect(notifiedWith()).toEqual(['192.0.2.53:5300 second']);

    expect((await run('dns', 'key', 'revoke', 'first', '--yes')).code).toBe(0);
    await known.refresh();
    expect(known.findKey('first')).toBeUndefined();
    expect((await create('first')).stderr).toContain('There is, or was, a key first');
    const listed = await run('dns', 'key', 'list');
    expect(listed.stdout).toMatch(/second +signer +hmac-sha512 +valid.*first +signer +hmac-sha256 +revoked/s);
    expect(listed.stdout).not.toContain(secret);
    const history = await run('history', 'first');
    expect(history.stdout).toMatch(/create.*revoke/s);
    expect(history.stdout).not.toContain(secret);
  });

  test('success: what a secondary has is listed, and a removed one has no keys any more', async () => {
    const registry = await registryForThisTest();
    const run = commandOn(registry);
    await run('dns', 'secondary', 'add', 'public', '2001:db8::53');
    await run('dns', 'key', 'create', 'public.key', '--secondary', 'public');
    const report = (serial: number, at: Date) =>
      recordSecondarySerial(registry.sql, { secondary: 'public', zone: 'ee', serial, at });
    await report(7, new Date(2_000_000_000_000));
    await report(6, new Date(1_999_999_999_000));
    const [row] = JSON.parse((await run('dns', 'secondary', 'list', '--json')).stdout) as object[];
    expect(row).toMatchObject({
      name: 'public',
      address: '2001:db8::53',
      port: 53,
      keys: ['public.key'],
      serials: ['ee 7'],
    });
    expect((await run('dns', 'secondary', 'list')).stdout).toMatch(/public .*ee 7/);
    expect((await run('dns', 'secondary', 'remove', 'public')).code).toBe(1);
    expect((await run('dns', 'secondary', 'remove', 'public', '--yes')).code).toBe(0);
    const known = new KnownSecondaries(registry.sql);
    await known.refresh();
    expect(known.findKey('public.key')).toBeUndefined();
    expect((await run('dns', 'secondary', 'add', 'public', '192.0.2.1')).code).toBe(0);
  });

  test.each([
    [['secondary', 'add', 'Signer', '192.0.2.1'], 'lower-case'],
    [['secondary', 'add', 'signer', 'signer.example'], 'no IP address'],
    [['secondary', 'add', 'signer', '192.0.2.1', '--port', '0'], '1 to 65535'],
    [['secondary', 'remove', 'nobody', '--yes'], 'There is no secondary nobody'],
    [['key', 'create', 'a', '--secondary', 'nobody'], 'There is no secondary nobody'],
    [['key', 'revoke', 'nothing', '--yes'], 'There is no key nothing'],
  ])('failure: %j', async (args, complaint) => {
    const { code, stderr } = await commandOn(await registryForThisTest())('dns', ...args);
    expect(code).toBe(1);
    expect(stderr).toContain(complaint);
  });
});
