import { describe, test } from 'vitest';
import { typesAt } from '../support/dns-query.ts';
import {
  checkSigner,
  createKey,
  PUBLISHED,
  SIGNED,
  startProductionChain,
} from '../support/production-chain.ts';
import {
  askSigner,
  findChainPrograms,
  type SignedChain,
  writeConfiguration,
} from '../support/signed-chain.ts';
import { expect } from '../support/this-test.ts';
import { validate } from '../support/validate-answer.ts';

const found = findChainPrograms();
const [reason, isMissing] = 'reason' in found ? [` (${found.reason})`, true] : ['', false];
const HOSTS = ['ns1.example.net', 'ns2.example.net'];
const LIMIT_MS = 300_000;

/** Hours become seconds; everything else is the shipped configuration. */
const inSeconds = (text: string) =>
  text.replace('propagation-delay: 1h', 'propagation-delay: 1s\n    dnskey-ttl: 2s\n    zone-max-ttl: 2s');

type Key = { readonly tag: string; readonly kind: string; readonly times: string };
const keysOf = async (chain: SignedChain, zone: string): Promise<Key[]> =>
  (await askSigner(chain, 'keymgr', zone, 'list')).map((line) => {
    const [, tag = '', kind = '', , ...times] = line.split(/\s+/);
    return { tag, kind, times: times.join(' ') };
  });
const ksksOf = async (chain: SignedChain, zone: string) =>
  (await keysOf(chain, zone)).filter(({ kind }) => kind === 'KSK');
/** The DS of one of the keys, as `cadastre zone ds` takes it. */
async function dsOf(chain: SignedChain, zone: string, tag: string): Promise<string> {
  const lines = await askSigner(chain, 'keymgr', zone, 'ds', tag);
  return lines.map((line) => / DS (\d+ \d+ 2 [0-9a-f]+)$/i.exec(line)?.[1]).find(Boolean) ?? '';
}

describe.skipIf(isMissing)(`keys of docs/operate/dns-keys.md${reason}`, { timeout: LIMIT_MS }, () => {
  test('success: the key between Cadastre and the signer is replaced while changes are published', async () => {
    if ('reason' in found) return;
    const { run, chain, domains, nsd, key } = await startProductionChain(found);
    const isPublic = async (name: string) => (await typesAt(nsd, name, 'NS')).includes('NS');
    const next = await createKey(run, 'signer-2032');
    expect((await askSigner(chain, 'keymgr', '-t', 'public-2032', 'hmac-sha256')).join()).toMatch(
      /id: public-2032.*secret: \S{44}/,
    );
    await domains.create('enne.ee', HOSTS);
    await expect.poll(() => isPublic('enne.ee'), PUBLISHED).toBe(true);
    const renewed = { ...chain, signerKey: next };
    writeConfiguration(renewed, 'signer');
    expect(await askSigner(chain, 'knotc', 'reload')).toEqual(['Reloaded']);
    expect(await askSigner(chain, 'knotc', '-b', 'zone-refresh')).toEqual(['OK']);
    expect(await run('dns', 'key', 'revoke', key.name, '--yes', '--reason', 'replaced')).toMatchObject({
      code: 0,
    });
    await domains.create('parast.ee', HOSTS);
    await expect.poll(() => isPublic('parast.ee'), PUBLISHED).toBe(true);
    expect(await checkSigner(run, renewed)).toMatchObject({ code: 0, stderr: '' });
    expect((await run('dns', 'key', 'list')).stdout).toMatch(
      /signer-2032 +signer +hmac-sha256 +valid.*signer-2031 +signer +hmac-sha256 +revoked/s,
    );
  });

  test('success: the KSK of a zone below ee is replaced, its DS by a command, and every answer validates meanwhile', async () => {
    if ('reason' in found) return;
    const { run, chain, domains, nsd } = await startProductionChain(found, inSeconds);
    await domains.create('kett.com.ee', HOSTS);
    await domains.setKey('kett.com.ee', 257);
    const [first] = await ksksOf(chain, 'com.ee');
    const setDs = async (tag: string) => {
      expect(await run('zone', 'ds', 'com.ee', await dsOf(chain, 'com.ee', tag))).toMatchObject({ code: 0 });
      await expect
        .poll(async () => (await run('zone', 'show', 'com.ee')).stdout, PUBLISHED)
        .toContain(` ${tag} 13 2 `);
    };
    const validated = async () =>
      (await validate(chain, nsd.port, 'kett.com.ee', 'DS')).includes('; fully validated');
    await setDs(first?.tag ?? '');
    await expect.poll(() => typesAt(nsd, 'com.ee', 'DS'), PUBLISHED).toEqual(SIGNED);
    await expect.poll(validated, PUBLISHED).toBe(true);
    expect(await askSigner(chain, 'knotc', '-b', 'zone-ksk-submitted', 'com.ee')).toEqual(['OK']);
    expect((await ksksOf(chain, 'com.ee'))[0]?.times).toContain('active=');

    expect(await askSigner(chain, 'knotc', '-b', 'zone-key-rollover', 'com.ee', 'ksk')).toEqual(['OK']);
    const fresh = async () => (await ksksOf(chain, 'com.ee')).find(({ tag }) => tag !== first?.tag);
    await expect.poll(async () => (await fresh())?.times, PUBLISHED).toContain('ready=');
    expect(await validated()).toBe(true);
    await setDs((await fresh())?.tag ?? '');
    await expect.poll(validated, PUBLISHED).toBe(true);
    expect(await askSigner(chain, 'knotc', '-b', 'zone-ksk-submitted', 'com.ee')).toEqual(['OK']);
    await expect.poll(async () => (await ksksOf(chain, 'com.ee')).length, PUBLISHED).toBe(1);
    expect((await ksksOf(chain, 'com.ee'))[0]).toMatchObject({ times: expect.stringContaining('active=') });
    await expect.poll(validated, PUBLISHED).toBe(true);

    const zsks = async () => (await keysOf(chain, 'com.ee')).filter(({ kind }) => kind === 'ZSK');
    const [zsk] = await zsks();
    expect(await askSigner(chain, 'knotc', '-b', 'zone-key-rollover', 'com.ee', 'zsk')).toEqual(['OK']);
    await expect.poll(async () => (await zsks()).every(({ tag }) => tag !== zsk?.tag), PUBLISHED).toBe(true);
    await expect.poll(validated, PUBLISHED).toBe(true);
    expect(await checkSigner(run, chain, 'com.ee')).toMatchObject({ code: 0, stderr: '' });
  });
});
