import { describe, expect, test } from 'vitest';
import { sql } from '../../../src/platform/sql/statement.ts';
import { ee } from '../../../src/policy/ee.ts';
import { findNameserver } from '../../../src/registry/lookup/find-nameserver.ts';
import { parseDomainName } from '../../../src/registry/names/name.ts';
import { freshCode } from '../../support/contacts.ts';
import { coreForThisFile } from '../../support/core.ts';
import { setStatuses } from '../../support/statuses.ts';

const core = coreForThisFile();
const find = (text: string) => findNameserver(core.database.reads, text, { policy: ee });

async function register(name: string, ...hosts: [string, ...string[]][]): Promise<void> {
  const parsed = parseDomainName(name, ee);
  if (!parsed) throw new Error(`${name} is no name`);
  const nameservers = hosts.map(([hostname, ...addresses]) => ({
    hostname,
    ipv4: addresses.filter((each) => each.includes('.')),
    ipv6: addresses.filter((each) => each.includes(':')),
  }));
  await core.domain(await core.context('alpha'), { name: parsed, nameservers });
}

const hold = (name: string, statuses: object) => setStatuses(core.database.writes, name, statuses);

describe('the look-up of a nameserver', () => {
  test('success: a subordinate host has its glue, in any spelling', async () => {
    const name = `${freshCode()}õ.ee`;
    const host = `ns1.${name}`;
    await register(name, [host, '8.8.8.8', '2001:4860:4860::8888'], ['ns.elsewhere.net']);
    const found = await find(`${host.toUpperCase()}.`);
    expect(found).toEqual({
      hostname: host,
      asciiHostname: expect.stringMatching(/^ns1\.xn--.*\.ee$/),
      ipv4: ['8.8.8.8'],
      ipv6: ['2001:4860:4860::8888'],
    });
    expect(await find(found?.asciiHostname ?? '')).toEqual(found);
  });

  test('success: addresses that only other domains have sent are not published', async () => {
    const [owner, user] = [`${freshCode()}.ee`, `${freshCode()}.com.ee`];
    await register(user, [`ns1.${owner}`, '8.8.4.4'], [`ns.${freshCode()}.net`, '9.9.9.9']);
    expect(await find(`ns1.${owner}`)).toMatchObject({ ipv4: [], ipv6: [] });
    await register(owner, [`ns1.${owner}`, '8.8.8.8'], ['ns.elsewhere.net']);
    expect(await find(`ns1.${owner}`)).toMatchObject({ ipv4: ['8.8.8.8'] });
  });

  test('failure: a host is unknown while every domain of it is held', async () => {
    const [host, one, other] = [`ns.${freshCode()}.net`, `${freshCode()}.ee`, `${freshCode()}.ee`];
    for (const name of [one, other]) await register(name, [host], ['ns.elsewhere.net']);
    await hold(one, { clientHold: '' });
    expect(await find(host)).toMatchObject({ hostname: host, ipv4: [], ipv6: [] });
    await hold(other, { serverHold: '', expired: '' });
    expect(await find(host)).toBeUndefined();
  });

  test('success: the work for a host with many held domains is bounded; the newest of them count, and its own domain', async () => {
    const [own, old, young] = [freshCode(), freshCode(), freshCode()].map((code) => `${code}.ee`);
    const host = `ns1.${own}`;
    await register(old ?? '', [host], ['ns.elsewhere.net']);
    await core.database.writes.run(sql`
      with held as (
        insert into domains (name, zone, registrar_id, registrant_id, transfer_code, created_at, updated_at, expire_time, statuses)
        select n || d.name, d.zone, d.registrar_id, d.registrant_id, d.transfer_code, d.created_at, d.updated_at, d.expire_time, '{"clientHold": ""}'
        from domains d, generate_series(1, 1000) as n where d.name = ${old ?? ''} returning id)
      insert into domain_nameservers (domain_id, hostname, ipv4, ipv6) select id, ${host}, '{}', '{}' from held`);
    expect(await find(host)).toBeUndefined();
    await register(young ?? '', [host], ['ns.elsewhere.net']);
    expect(await find(host)).toMatchObject({ hostname: host });
    await hold(young ?? '', { clientHold: '' });
    expect(await find(host)).toBeUndefined();
    await register(own ?? '', [host, '8.8.8.8'], ['ns.elsewhere.net']);
    expect(await find(host)).toMatchObject({ ipv4: ['8.8.8.8'] });
  });

  test('failure: glue is not shown while its domain is held, though another uses the host', async () => {
    const [owner, user] = [`${freshCode()}.ee`, `${freshCode()}.ee`];
    await register(owner, [`ns1.${owner}`, '8.8.8.8'], ['ns.elsewhere.net']);
    await register(user, [`ns1.${owner}`], ['ns.elsewhere.net']);
    await hold(owner, { clientHold: '' });
    expect(await find(`ns1.${owner}`)).toMatchObject({ ipv4: [] });
  });

  test('failure: hosts of no domain, and malformed hostnames', async () => {
    for (const text of [
      `ns.${freshCode()}.ee`,
      'ee',
      'localhost',
      '192.0.2.1',
      '',
      '..',
      '\0',
      'a'.repeat(3_000),
    ])
      expect(await find(text)).toBeUndefined();
  });
});
