import { rmSync } from 'node:fs';
import path from 'node:path';
import type { TsigKey } from '../../src/doors/dns/tsig.ts';
import { cadastre, type Environment, startServe, startWork } from './cadastre.ts';
import { dig } from './dns-programs.ts';
import { typesAt } from './dns-query.ts';
import { freePort } from './free-port.ts';
import { seededProduction } from './seeded-production.ts';
import {
  type Alteration,
  type ChainPrograms,
  planChain,
  type SignedChain,
  startChainServer,
} from './signed-chain.ts';
import { expect, onTestFinished } from './this-test.ts';
import { DomainTables } from './zones.ts';

/** A second of Knot before its NOTIFY, one of NSD between reloads, and a busy machine. */
export const PUBLISHED = { timeout: 30_000, interval: 100 };
/** What a server has of a signed delegation, and of a name that is not delegated. */
export const SIGNED = ['DS', 'RRSIG'];

/** A registry in production with a signer and one public server, set up by the commands of docs/operate/dns.md. */
export async function startProductionChain(programs: ChainPrograms, alterSigner?: Alteration) {
  const { url, sql: db } = await seededProduction();
  const run = commandsOn({ DATABASE_URL: url });
  const [port, signerPort] = [await freePort(), await freePort()];
  await run('dns', 'secondary', 'add', 'signer', '127.0.0.1', '--port', String(signerPort));
  const key = await createKey(run, 'signer-2031');
  const server = await startServe(url, { DNS_PORT: String(port) });
  onTestFinished(() => server.stop());
  const worker = await startWork(url);
  const chain = await planChain(programs, port, key, signerPort);
  const signer = startChainServer(chain, 'signer', alterSigner);
  const nsd = startChainServer(chain, 'nsd');
  await expect.poll(() => typesAt(nsd, 'ee', 'DNSKEY'), PUBLISHED).toEqual(['DNSKEY', 'RRSIG']);
  await expect.poll(() => typesAt(nsd, 'com.ee', 'DNSKEY'), PUBLISHED).toEqual(['DNSKEY', 'RRSIG']);
  return { url, db, run, server, worker, chain, signer, nsd, key, domains: new DomainTables(db) };
}

type Run = ReturnType<typeof commandsOn>;
export const commandsOn =
  (env: Environment) =>
  (...args: string[]) =>
    cadastre(args, { env });

export async function createKey(run: Run, name: string): Promise<TsigKey> {
  const { stdout } = await run('dns', 'key', 'create', name, '--secondary', 'signer', '--json');
  const { secret } = JSON.parse(stdout) as { secret: string };
  return { name, algorithm: 'hmac-sha256', secret: Buffer.from(secret, 'base64') };
}

export async function serialAt(chain: SignedChain, port: number, zone = 'ee'): Promise<number> {
  const [soa = ''] = await dig(
    chain.programs.knot,
    '@127.0.0.1',
    '-p',
    String(port),
    '+short',
    '+timeout=1',
    zone,
    'SOA',
  ).catch(() => []);
  return Number(soa.split(' ')[2]);
}

/** Compares what the signer has with what is published; the signer lets the key transfer. */
export const checkSigner = (run: Run, { ports, signerKey }: SignedChain, zone = 'ee') =>
  run('zone', 'check', zone, '--server', `127.0.0.1:${ports.signer}`, '--key', signerKey.name);

/** Everything that the machine of the signer had. */
export const loseSigner = ({ folder }: SignedChain): void =>
  rmSync(path.join(folder, 'signer'), { recursive: true });
