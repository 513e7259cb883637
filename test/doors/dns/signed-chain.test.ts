import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'vitest';
import { SANDBOX_TSIG } from '../../../src/doors/dns/sandbox-secondaries.ts';
import type { DnsAddress } from '../../../src/doors/sandbox/sandbox-addresses.ts';
import { cadastre, databaseUrl } from '../../support/cadastre.ts';
import { alpha, beta } from '../../support/client.ts';
import { dig, runDns } from '../../support/dns-programs.ts';
import { askDns, typesAt } from '../../support/dns-query.ts';
import { hosts, KEY, Registrant } from '../../support/domains.ts';
import { moveClock } from '../../support/life.ts';
import { freshRegistryForThisTest, type TestRegistry } from '../../support/registry.ts';
import {
  findChainPrograms,
  planChain,
  type SignedChain,
  signerDs,
  startChainServer,
  writeConfiguration,
} from '../../support/signed-chain.ts';
import { expect } from '../../support/this-test.ts';
import { codeOf, take } from '../../support/transfers.ts';
import { validate } from '../../support/validate-answer.ts';

const found = findChainPrograms();
const [reason, isMissing] = 'reason' in found ? [` (${found.reason})`, true] : ['', false];
const ZONES = ['ee', 'com.ee', 'pri.ee', 'fie.ee', 'med.ee'];
/** A second of Knot before its NOTIFY, one of NSD between reloads, and a busy machine. */
const PUBLISHED = { timeout: 20_000, interval: 50 };
const NAMESERVERS = hosts('ns1.example.net', 'ns2.example.net');

/** The sandbox, a signer that pulls from it, and two public servers, all with the configurations that are shipped. */
async function startChain() {
  if ('reason' in found) throw new Error(found.reason);
  const registry = await freshRegistryForThisTest({ dnsPort: 0 });
  const { dns } = (await (await fetch(`${registry.url}/sandbox`)).json()) as { dns: DnsAddress };
  const key = { ...SANDBOX_TSIG, secret: Buffer.from(SANDBOX_TSIG.secret, 'base64') };
  const chain = await planChain(found, dns.port, key);
  const body = JSON.stringify({ host: '127.0.0.1', port: chain.ports.signer });
  const headers = { 'content-type': 'application/json' };
  await fetch(`${registry.url}/sandbox/secondaries`, { method: 'POST', headers, body });
  const signer = startChainServer(chain, 'signer');
  const [nsd, bind] = [startChainServer(chain, 'nsd'), startChainServer(chain, 'bind')];
  for (const zone of ZONES)
    for (const { port } of [nsd, bind])
      await expect.poll(() => typesAt({ port }, zone, 'DNSKEY'), PUBLISHED).toEqual(['DNSKEY', 'RRSIG']);
  return { registry, chain, signer, nsd, bind };
}

const run = ({ databaseName }: TestRegistry, ...args: string[]) =>
  cadastre(args, { env: { DATABASE_URL: databaseUrl(databaseName) } });

describe.skipIf(isMissing)(`the signed chain of deploy/dns${reason}`, () => {
  test('failure: the configurations are refused until their secrets are replaced, and accepted afterwards', async () => {
    if ('reason' in found) return;
    const secret = randomBytes(32);
    const chain = await planChain(found, 53, { name: 'signer-2031', algorithm: 'hmac-sha256', secret });
    const checks = [
      ['signer', 'knot', 'usr/sbin/knotc', (file: string) => ['-c', file, 'conf-check']],
      ['nsd', 'nsd', 'usr/sbin/nsd-checkconf', (file: string) => [file]],
      ['bind', 'tools', 'usr/bin/named-checkconf', (file: string) => [file]],
    ] as const;
    for (const [member, root, program, options] of checks) {
      const file = writeConfiguration(chain, member);
      const check = () => runDns(found[root], program, options(file)).then((lines) => lines.join(), String);
      expect(await check()).toMatch(/^(Configuration is valid)?$/);
      const text = readFileSync(file, 'utf8');
      for (const key of [secret, chain.publicKey.secret].map((each) => each.toString('base64')))
        if (text.includes(key)) {
          writeFileSync(file, text.replace(key, 'REPLACE_SECRET_OF'));
          expect(await check()).toMatch(/base64|secret/);
        }
    }
  });

  test('success: what happens to a domain is public and signed at NSD and BIND', async () => {
    const { registry, chain, nsd, bind, signer } = await startChain();
    const [client, other] = [alpha(registry.url), beta(registry.url)];
    const [mari, name] = [await Registrant.of(client), 'avalik.ee'];
    const at = `/domains/${name}`;
    /** DS with its signature; a referral has NS as well. */
    const SIGNED = { DS: ['DS', 'RRSIG'], NS: ['DS', 'NS', 'RRSIG'] };
    const waitForTypes = async (types: { DS: string[]; NS: string[] }) => {
      for (const { port } of [nsd, bind]) {
        await expect.poll(() => typesAt({ port }, name, 'DS'), PUBLISHED).toEqual(types.DS);
        await expect.poll(() => typesAt({ host: '::1', port }, name, 'NS'), PUBLISHED).toEqual(types.NS);
      }
    };
    const serial = async () =>
      (await dig(chain.programs.knot, '@127.0.0.1', '-p', String(nsd.port), '+short', 'ee', 'SOA'))[0];
    const domain = { name, nameservers_attributes: NAMESERVERS, dnskeys_attributes: [KEY] };
    await mari.register(domain);
    await waitForTypes(SIGNED);

    await client.put(`${at}/statuses/clientHold`);
    await waitForTypes({ DS: [], NS: [] });
    await client.delete(`${at}/statuses/clientHold`);
    await waitForTypes(SIGNED);

    await client.post(`${at}/nameservers`, {
      nameservers: [{ hostname: `ns3.${name}`, ipv4: ['192.0.2.7'], ipv6: ['2001:db8::7'] }],
    });
    for (const { port } of [nsd, bind])
      await expect
        .poll(
          async () => (await askDns({ port }, name, 'NS'))?.additional.map((record) => record.name),
          PUBLISHED,
        )
        .toContain(`ns3.${name}`);
    await client.delete(`${at}/dnssec`, { dns_keys: [KEY] });
    await waitForTypes({ DS: [], NS: ['NS'] });
    await client.post(`${at}/dnssec`, { dns_keys: [KEY] });
    await waitForTypes(SIGNED);

    const before = await serial();
    expect((await take(other, name, await codeOf(client, name))).status).toBe(200);
    // A later change of another zone has passed the whole chain, and this zone has not changed.
    await mari.register({ ...domain, name: 'hiljem.com.ee' });
    await expect.poll(() => typesAt(nsd, 'hiljem.com.ee', 'DS'), PUBLISHED).toEqual(SIGNED.DS);
    expect(await serial()).toBe(before);
    await waitForTypes(SIGNED);

    await other.delete(at, { domain: { delete: { verified: true } } });
    await waitForTypes({ DS: [], NS: [] });
    await mari.register({ ...domain, name: 'aegub.ee' });
    await expect.poll(() => typesAt(nsd, 'aegub.ee', 'DS'), PUBLISHED).toEqual(SIGNED.DS);
    await moveClock(registry, { advance: 'P1Y20D' });
    for (const { port } of [nsd, bind])
      await expect.poll(() => typesAt({ port }, 'aegub.ee', 'NS'), PUBLISHED).toEqual([]);
    expect(signer.log()).toContain('IXFR, incoming');
  });

  test('success: ee has DS records for the zones below, and three programs verify every signed zone', async () => {
    const { registry, chain, nsd, bind } = await startChain();
    const { knot } = chain.programs;
    const mari = await Registrant.of(alpha(registry.url));
    const names = ZONES.map((zone) => `kontroll.${zone}`);
    for (const name of names)
      await mari.register({ name, nameservers_attributes: NAMESERVERS, dnskeys_attributes: [KEY] });
    await mari.register({ name: 'ilma.com.ee', nameservers_attributes: NAMESERVERS });
    for (const name of [...names, 'ilma.com.ee'])
      await expect.poll(() => typesAt(nsd, name, 'NS'), PUBLISHED).toContain('NS');
    expect(await validate(chain, nsd.port, 'kontroll.ee', 'DS')).toContain('; fully validated');
    // No DS yet: for a validator the zone below is insecure.
    expect(await validate(chain, nsd.port, 'kontroll.com.ee', 'DS')).toContain('; unsigned answer');

    for (const zone of ZONES.slice(1))
      expect(await run(registry, 'zone', 'ds', zone, await signerDs(chain, zone))).toMatchObject({
        code: 0,
        stderr: '',
      });
    for (const { port } of [nsd, bind])
      for (const zone of ZONES.slice(1)) {
        await expect.poll(() => typesAt({ port }, zone, 'DS'), PUBLISHED).toEqual(['DS', 'RRSIG']);
        expect(await validate(chain, port, `kontroll.${zone}`, 'DS')).toContain('; fully validated');
      }
    // A delegation without DS is proved by opt-out, and a wrong DS of the zone breaks what is below it.
    expect(await validate(chain, nsd.port, 'ilma.com.ee', 'DS')).toMatch(/unsigned answer|negative response/);
    for (const zone of ZONES) await verifyZone(chain, zone);
    const checked = ['--server', `127.0.0.1:${chain.ports.signer}`, '--key', chain.signerKey.name];
    expect(await run(registry, 'zone', 'check', ...checked)).toMatchObject({ code: 0, stderr: '' });
    expect(await run(registry, 'zone', 'ds', 'com.ee', `12345 13 2 ${'AB'.repeat(32)}`)).toMatchObject({
      code: 0,
    });
    const isWrong = async () =>
      (await dig(knot, '@127.0.0.1', '-p', String(nsd.port), '+short', 'com.ee', 'DS'))
        .join()
        .includes('12345');
    await expect.poll(isWrong, PUBLISHED).toBe(true);
    expect(await validate(chain, nsd.port, 'kontroll.com.ee', 'DS')).toContain('broken trust chain');
  });
});

/** The zone as the public servers receive it, verified by BIND, ldns and Knot. */
async function verifyZone({ programs, folder, ports, publicKey }: SignedChain, zone: string): Promise<void> {
  const key = `${publicKey.algorithm}:${publicKey.name}:${publicKey.secret.toString('base64')}`;
  const from = [
    '@127.0.0.1',
    '-p',
    String(ports.signer),
    '-y',
    key,
    zone,
    'AXFR',
    '+onesoa',
    '+noall',
    '+answer',
  ];
  const lines = (await dig(programs.knot, ...from)).filter((line) => !/\sTSIG\s/.test(line));
  expect(lines.some((line) => /\sNSEC3PARAM\s+1 0 0 -$/.test(line))).toBe(true);
  expect(lines.filter((line) => /\sNSEC3\s+1 1 0 - /.test(line)).length).toBeGreaterThan(1);
  expect(lines.filter((line) => /\sDNSKEY\s+25[67] 3 13 /.test(line)).length).toBeGreaterThan(1);
  const file = path.join(folder, `${zone}.transferred`);
  writeFileSync(file, `${lines.join('\n')}\n`);
  const { tools } = programs;
  expect((await runDns(tools, 'usr/bin/ldns-verify-zone', [file])).join()).toContain(
    'Zone is verified and complete',
  );
  expect(await runDns(tools, 'usr/bin/kzonecheck', ['-o', zone, file])).toEqual([]);
  expect(
    (await runDns(tools, 'usr/bin/dnssec-verify', ['-o', zone, file]).catch(String)).toString(),
  ).toContain('Zone fully signed');
}
