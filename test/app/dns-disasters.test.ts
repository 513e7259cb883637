import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, test } from 'vitest';
import { findLagging } from '../../src/registry/secondaries/secondary-lag.ts';
import { isLaterSerial } from '../../src/registry/zones/serial.ts';
import { readSerial } from '../../src/registry/zones/zone-store.ts';
import { emptyDatabase, startServe, startWork } from '../support/cadastre.ts';
import { typesAt } from '../support/dns-query.ts';
import {
  checkSigner,
  commandsOn,
  loseSigner,
  PUBLISHED,
  SIGNED,
  serialAt,
  startProductionChain,
} from '../support/production-chain.ts';
import {
  askSigner,
  findChainPrograms,
  signerDs,
  startChainServer,
  writeConfiguration,
} from '../support/signed-chain.ts';
import { sql } from '../support/sql.ts';
import { expect, onTestFinished } from '../support/this-test.ts';
import { validate } from '../support/validate-answer.ts';
import { linesOf, publish } from '../support/zones.ts';

const found = findChainPrograms();
const [reason, isMissing] = 'reason' in found ? [` (${found.reason})`, true] : ['', false];
const HOSTS = ['ns1.example.net', 'ns2.example.net'];
const ZONES = ['ee', 'com.ee', 'pri.ee', 'fie.ee', 'med.ee'];
const LIMIT_MS = 300_000;
const VALIDATED = '; fully validated';

async function start() {
  if ('reason' in found) throw new Error(found.reason);
  const production = await startProductionChain(found);
  const { domains, nsd } = production;
  /** A signed delegation that the public can see. */
  const publishSigned = async (name: string) => {
    await domains.create(name, HOSTS);
    await domains.setKey(name, 257);
    await expect.poll(() => typesAt(nsd, name, 'DS'), PUBLISHED).toEqual(SIGNED);
  };
  const isPublic = async (name: string) => (await typesAt(nsd, name, 'NS')).includes('NS');
  return { ...production, publishSigned, isPublic };
}

/** With the delegation of com.ee signed, and signatures renewed so often that the signer's serials are ahead of ours. */
async function startSigned() {
  const production = await start();
  const { run, chain, nsd, publishSigned } = production;
  const ds = await signerDs(chain, 'com.ee');
  expect(await run('zone', 'ds', 'com.ee', ds)).toMatchObject({ code: 0 });
  await publishSigned('enne.com.ee');
  await expect.poll(() => typesAt(nsd, 'com.ee', 'DS'), PUBLISHED).toEqual(SIGNED);
  expect(await validate(chain, nsd.port, 'enne.com.ee', 'DS')).toContain(VALIDATED);
  await askSigner(chain, 'knotc', '-b', 'zone-sign', 'com.ee');
  return { ...production, ds };
}

describe.skipIf(isMissing)(`disasters of the DNS${reason}`, { timeout: LIMIT_MS }, () => {
  test('success: a signer lost with its keys is rebuilt from scratch; the public servers keep the old zones until they may change', async () => {
    const { run, chain, signer, nsd, domains, ds, isPublic } = await startSigned();
    await signer.kill9();
    loseSigner(chain);
    const before = await serialAt(chain, nsd.port, 'com.ee');
    await domains.create('vahepeal.ee', HOSTS);
    // Public servers may not transfer yet: the parent still publishes the DS of the lost keys.
    const heldBack = (text: string) => text.replace('acl: [ cadastre, public ]', 'acl: [ cadastre ]');
    startChainServer(chain, 'signer', heldBack);
    await expect
      .poll(() => typesAt({ port: chain.ports.signer }, 'vahepeal.ee', 'NS'), PUBLISHED)
      .toContain('NS');
    expect(await checkSigner(run, chain)).toMatchObject({ code: 0, stderr: '' });
    expect(await isPublic('vahepeal.ee')).toBe(false);
    expect(await validate(chain, nsd.port, 'enne.com.ee', 'DS')).toContain(VALIDATED);

    for (const zone of ZONES.slice(1))
      expect(await run('zone', 'ds', zone, await signerDs(chain, zone))).toMatchObject({ code: 0 });
    expect(await signerDs(chain, 'com.ee')).not.toBe(ds);
    writeConfiguration(chain, 'signer');
    expect(await askSigner(chain, 'knotc', 'reload')).toEqual(['Reloaded']);
    // Its first serials are ours, and those of the lost signer may be later; from now on they are the time.
    expect(await askSigner(chain, 'knotc', '-b', 'zone-sign')).toEqual(['OK']);
    await expect.poll(() => isPublic('vahepeal.ee'), PUBLISHED).toBe(true);
    const hasFollowed = async () => isLaterSerial(await serialAt(chain, nsd.port, 'com.ee'), before);
    await expect.poll(hasFollowed, PUBLISHED).toBe(true);
    const validated = () => validate(chain, nsd.port, 'enne.com.ee', 'DS');
    await expect.poll(validated, PUBLISHED).toContain(VALIDATED);
    for (const zone of ZONES) expect(await checkSigner(run, chain, zone)).toMatchObject({ code: 0 });
  });

  test('success: with a backup of its keys a lost signer is restored, and no DS changes', async () => {
    const { run, chain, signer, nsd, domains, ds, isPublic } = await startSigned();
    const backup = path.join(chain.folder, 'backup');
    expect(await askSigner(chain, 'knotc', '-b', 'zone-backup', '+backupdir', backup)).toEqual(['OK']);
    for (let count = 0; count < 3; count++) await askSigner(chain, 'knotc', '-b', 'zone-sign');
    await domains.create('parast.ee', HOSTS);
    await expect.poll(() => isPublic('parast.ee'), PUBLISHED).toBe(true);
    const [before, keys] = [await serialAt(chain, nsd.port), await askSigner(chain, 'keymgr', 'ee', 'list')];
    await signer.kill9();
    loseSigner(chain);
    await domains.create('vahepeal.ee', HOSTS);

    const state = path.join(chain.folder, 'signer/state');
    mkdirSync(state, { recursive: true });
    cpSync(path.join(backup, 'keys'), path.join(state, 'keys'), { recursive: true });
    startChainServer(chain, 'signer');
    await expect
      .poll(() => typesAt({ port: chain.ports.signer }, 'vahepeal.ee', 'NS'), PUBLISHED)
      .toContain('NS');
    // It may have the serial of the lost one for another content.
    expect(await askSigner(chain, 'knotc', '-b', 'zone-sign')).toEqual(['OK']);
    await expect.poll(() => isPublic('vahepeal.ee'), PUBLISHED).toBe(true);
    expect(isLaterSerial(await serialAt(chain, nsd.port), before)).toBe(true);
    expect(await askSigner(chain, 'keymgr', 'ee', 'list')).toEqual(keys);
    expect(await signerDs(chain, 'com.ee')).toBe(ds);
    expect(await validate(chain, nsd.port, 'enne.com.ee', 'DS')).toContain(VALIDATED);
    for (const zone of ZONES) expect(await checkSigner(run, chain, zone)).toMatchObject({ code: 0 });
  });

  test('success: a signer a thousand serials behind transfers the differences, and the whole zone if they were deleted', async () => {
    const { db, run, chain, signer, domains, isPublic, publishSigned } = await start();
    await publishSigned('enne.ee');
    await signer.stop();
    const first = await readSerial(db, 'ee');
    // Some are published together, by the worker.
    for (let count = 0; count < 1_100; count++) {
      if (count % 5 === 4) await domains.remove(`tuhat${count - 2}.ee`);
      else await domains.create(`tuhat${count}.ee`, HOSTS);
      await publish(db, 'ee');
    }
    const [lag] = (await findLagging(db, 0)).filter(({ zone }) => zone === 'ee');
    expect(lag).toMatchObject({ secondary: 'signer', has: first });
    expect(lag?.behind).toBeGreaterThan(1_000);
    const again = startChainServer(chain, 'signer');
    const begin = performance.now();
    await expect.poll(() => isPublic('tuhat1098.ee'), PUBLISHED).toBe(true);
    process.stderr.write(
      `${lag?.behind} serials were public ${Math.round(performance.now() - begin)} ms after the start of the signer\n`,
    );
    expect(await checkSigner(run, chain)).toMatchObject({ code: 0, stderr: '' });
    expect(again.log()).toMatch(/\[ee\.\] IXFR, incoming, .* finished/);
    expect(again.log()).not.toMatch(/\[ee\.\] AXFR, incoming/);

    await again.stop();
    await domains.create('kustutatud.ee', HOSTS);
    await publish(db, 'ee');
    await db.run(sql`update zone_serials set published_at = published_at - interval '8 days'`);
    await domains.create('uus.ee', HOSTS);
    await publish(db, 'ee');
    expect((await run('job', 'run', 'delete old zone serials')).code).toBe(0);
    const last = startChainServer(chain, 'signer');
    await expect.poll(() => isPublic('uus.ee'), PUBLISHED).toBe(true);
    expect(await isPublic('kustutatud.ee')).toBe(true);
    expect(await checkSigner(run, chain)).toMatchObject({ code: 0, stderr: '' });
    expect(last.log()).toMatch(/\[ee\.\] AXFR, incoming/);
  });

  test('success: a database restored to an earlier time: the serial continues, and the signer follows automatically', async () => {
    const { url, run, db, chain, server, worker, domains, nsd, isPublic, publishSigned } = await start();
    const folder = mkdtempSync(path.join(os.tmpdir(), 'cadastre-disaster-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const keyFile = path.join(folder, 'backup.key');
    writeFileSync(keyFile, 'a key of more than sixteen characters\n', { mode: 0o600 });
    await publishSigned('eile.ee');
    const file = path.join(folder, 'registry.age');
    const withKey = { BACKUP_KEY_FILE: keyFile };
    expect(await commandsOn({ DATABASE_URL: url, ...withKey })('backup', 'create', file)).toMatchObject({
      code: 0,
    });
    await domains.remove('eile.ee');
    for (let count = 0; count < 30; count++) {
      await domains.create(`kadunud${count}.ee`, HOSTS);
      await publish(db, 'ee');
    }
    await expect.poll(() => isPublic('kadunud29.ee'), PUBLISHED).toBe(true);
    expect(await isPublic('eile.ee')).toBe(false);
    const [serial, served] = [(await readSerial(db, 'ee')) ?? 0, await serialAt(chain, nsd.port)];
    await Promise.all([server.stop(), worker.stop()]);

    const copy = await emptyDatabase();
    const env = { DATABASE_URL: copy.url, ...withKey };
    const onCopy = commandsOn(env);
    expect(await onCopy('restore', file)).toMatchObject({ code: 0, stderr: '' });
    expect(isLaterSerial(serial, (await readSerial(copy.sql, 'ee')) ?? 0)).toBe(true);
    const repaired = await onCopy('recovery', 'repair', '--yes', '--reason', 'the disk was lost');
    expect(repaired).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('5 zones have higher serials'),
    });
    expect(isLaterSerial((await readSerial(copy.sql, 'ee')) ?? 0, serial)).toBe(true);
    expect(await onCopy('recovery', 'confirm', '--yes')).toMatchObject({ code: 0 });
    const restored = await startServe(copy.url, { DNS_PORT: String(chain.ports.cadastre) });
    onTestFinished(() => restored.stop());
    await startWork(copy.url);
    await expect.poll(() => isPublic('eile.ee'), PUBLISHED).toBe(true);
    expect(await isPublic('kadunud29.ee')).toBe(false);
    expect(await linesOf(copy.sql, 'ee')).toContain(`eile.ee. 3600 IN NS ${HOSTS[0]}.`);
    expect(await onCopy('zone', 'check')).toMatchObject({ code: 0, stderr: '' });
    expect(await checkSigner(onCopy, chain)).toMatchObject({ code: 0, stderr: '' });
    expect(isLaterSerial(await serialAt(chain, nsd.port), served)).toBe(true);
    // The secondaries and their keys are those of the backup.
    expect(await run('dns', 'secondary', 'list')).toMatchObject({ code: 0 });
  });

  test('success: a signer with a later serial than ours transfers nothing, until the zone is raised above it', async () => {
    const { db, run, chain, domains, isPublic, publishSigned } = await start();
    await publishSigned('enne.ee');
    const serial = (await readSerial(db, 'ee')) ?? 0;
    const wrong = serial + 500_000;
    expect(await run('zone', 'raise', 'ee', '--above', String(wrong - 1), '--yes')).toMatchObject({
      code: 0,
    });
    const signerHas = async () => (await findLagging(db, -60)).find(({ zone }) => zone === 'ee')?.has;
    const known = () =>
      db.one(sql<{ serial: number }>`select serial from dns_secondary_serials where zone = 'ee'`);
    await expect.poll(async () => (await known()).serial, PUBLISHED).toBe(wrong);
    // Like a database restored without cadastre recovery repair.
    await db.run(sql`delete from zone_serials where zone = 'ee' and serial = ${wrong}`);
    await db.run(sql`update zones set serial = ${serial} where zone = 'ee'`);
    await domains.create('ootab.ee', HOSTS);
    await expect.poll(() => readSerial(db, 'ee'), PUBLISHED).not.toBe(serial);
    await askSigner(chain, 'knotc', '-b', 'zone-refresh', 'ee').catch(() => []);
    expect(await isPublic('ootab.ee')).toBe(false);
    expect((await checkSigner(run, chain)).code).toBe(1);
    expect(await signerHas()).toBe(wrong);
    await db.run(sql`update zone_serials set published_at = published_at - interval '1 hour'`);
    await db.run(sql`update dns_secondaries set created_at = created_at - interval '1 hour'`);
    const advice = `cadastre zone raise ee --above ${wrong}`;
    expect((await run('doctor')).stdout).toContain(advice);
    expect(await run(...advice.split(' ').slice(1), '--yes', '--reason', 'disaster')).toMatchObject({
      code: 0,
    });
    await expect.poll(() => isPublic('ootab.ee'), PUBLISHED).toBe(true);
    expect(await checkSigner(run, chain)).toMatchObject({ code: 0, stderr: '' });
  });
});
