import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TsigKey } from '../../src/doors/dns/tsig.ts';
import { commandIn, debianPackages, type Unpacked } from './debian-packages.ts';
import { findDnsPrograms, runDns } from './dns-programs.ts';
import { freePort, hasIpv6Loopback } from './free-port.ts';
import { BIND, NSD } from './public-servers.ts';
import { onTestFinished } from './this-test.ts';

/** Where the programs of the chain were unpacked; `tools` verify zones and configurations. */
export type ChainPrograms = {
  readonly knot: string;
  readonly nsd: string;
  readonly bind: string;
  readonly tools: string;
};

/** dnssec-verify and named-checkconf of BIND, ldns-verify-zone, and kzonecheck of Knot. */
const findTools = (): Unpacked =>
  debianPackages('trixie', 'ldnsutils', [
    'bind9-utils',
    'knot-dnssecutils',
    'libldns3t64',
    'libpcap0.8t64',
    'libdbus-1-3',
    'bind9-libs',
    'libc6',
    'libgcc-s1',
    'libstdc++6',
    'zlib1g',
    'libzstd1',
    'libknot15',
    'libdnssec9t64',
    'libzscanner4t64',
    'liblmdb0',
    'liburcu8t64',
    'libedit2',
    'libtinfo6',
    'libbsd0',
    'libmd0',
    'libgnutls30t64',
    'libhogweed6t64',
    'libnettle8t64',
    'libgmp10',
    'libidn2-0',
    'libunistring5',
    'libtasn1-6',
    'libp11-kit0',
    'libffi8',
    'libngtcp2-16',
    'libngtcp2-crypto-gnutls8',
    'libnghttp2-14',
    'libcap-ng0',
    'libcap2',
    'libsystemd0',
    'libxdp1',
    'libbpf1',
    'libelf1t64',
    'libmnl0',
    'libfstrm0',
    'libprotobuf-c1',
    'libuv1t64',
    'libjemalloc2',
    'libjson-c5',
    'libxml2',
    'liblzma5',
    'libssl3t64',
    'libgssapi-krb5-2',
    'libkrb5-3',
    'libk5crypto3',
    'libkrb5support0',
    'libcom-err2',
    'libkeyutils1',
    'libmaxminddb0',
  ]);

/** All of them, or why one cannot be had. */
export function findChainPrograms(): ChainPrograms | { readonly reason: string } {
  if (!process.env.TORTURE) return { reason: 'in npm run test:long' };
  if (!hasIpv6Loopback()) return { reason: 'this machine has no IPv6 on loopback' };
  const found = { knot: findDnsPrograms(), nsd: NSD.find(), bind: BIND.find(), tools: findTools() };
  const roots: Record<string, string> = {};
  for (const [name, unpacked] of Object.entries(found)) {
    if ('reason' in unpacked) return unpacked;
    roots[name] = unpacked.root;
  }
  return roots as ChainPrograms;
}

const CONFIGURATIONS = {
  signer: 'knot-signer.conf',
  nsd: 'nsd.conf',
  bind: 'named.conf',
} as const;
export type ChainMember = keyof typeof CONFIGURATIONS;

/** Cadastre, or what stands for it, and the servers behind it, each with a port and a folder. */
export type SignedChain = {
  readonly programs: ChainPrograms;
  readonly folder: string;
  readonly ports: Readonly<Record<ChainMember | 'cadastre', number>>;
  /** Between Cadastre and the signer, and between the signer and the public servers. */
  readonly signerKey: TsigKey;
  readonly publicKey: TsigKey;
};

/** Chooses ports and keys; nothing is started. Its folder goes with the test. */
export async function planChain(
  programs: ChainPrograms,
  cadastrePort: number,
  signerKey: TsigKey,
  signerPort?: number,
): Promise<SignedChain> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cadastre-chain-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [signer, nsd, bind] = [signerPort ?? (await freePort()), await freePort(), await freePort()];
  const publicKey: TsigKey = { name: 'public-2031', algorithm: 'hmac-sha256', secret: randomBytes(32) };
  return { programs, folder, ports: { cadastre: cadastrePort, signer, nsd, bind }, signerKey, publicKey };
}

export const configurationOf = ({ folder }: SignedChain, member: ChainMember): string =>
  path.join(folder, CONFIGURATIONS[member]);

/** A file of deploy/dns with this chain's addresses, keys and folders in the place of those that an operator replaces. */
export function renderConfiguration(chain: SignedChain, member: ChainMember): string {
  const { folder, ports, signerKey, publicKey } = chain;
  const source = fileURLToPath(new URL(`../../deploy/dns/${CONFIGURATIONS[member]}`, import.meta.url));
  const [state, run] = ['state', 'run'].map((each) => path.join(folder, member, each));
  const replacements: Record<string, string> = {
    '192.0.2.10@53': `127.0.0.1@${ports.cadastre}`,
    '192.0.2.53@53': `127.0.0.1@${ports.signer}`,
    '2001:db8::53@53': `::1@${ports.signer}`,
    '2001:db8::53 port 53': `::1 port ${ports.signer}`,
    '192.0.2.53 ': '127.0.0.1 ',
    '192.0.2.101@53': `127.0.0.1@${ports.nsd}`,
    '2001:db8::101@53': `::1@${ports.nsd}`,
    '2001:db8::102@53': `::1@${ports.bind}`,
    'listen-on port 53 { 192.0.2.102; }': `listen-on port ${ports.bind} { 127.0.0.1; }`,
    'listen-on-v6 port 53 { 2001:db8::102; }': `listen-on-v6 port ${ports.bind} { ::1; }`,
    REPLACE_SECRET_OF_SIGNER: signerKey.secret.toString('base64'),
    REPLACE_SECRET_OF_PUBLIC: publicKey.secret.toString('base64'),
    'signer-2031': signerKey.name,
    '/var/lib/knot': String(state),
    '/run/knot': String(run),
    '/var/lib/nsd': String(state),
    '/run/nsd': String(run),
    '/var/cache/bind': String(state),
    '/run/named': String(run),
    // Ordinary processes, whose log is read.
    'username: nsd': 'username: ""',
    'target: syslog': 'target: stdout',
  };
  let text = readFileSync(source, 'utf8');
  for (const [from, to] of Object.entries(replacements)) text = text.replaceAll(from, to);
  const left = /192\.0\.2\.\S*|2001:db8\S*|REPLACE_\w+/.exec(text);
  if (left) throw new Error(`${CONFIGURATIONS[member]} still has ${left[0]}`);
  return text;
}

export type ChainServer = {
  readonly port: number;
  readonly log: () => string;
  /** Its folder stays, so that it can be started again. */
  stop(): Promise<void>;
  kill9(): Promise<void>;
};

const START: Readonly<
  Record<ChainMember, { root: keyof ChainPrograms; program: string; options: string[] }>
> = {
  signer: { root: 'knot', program: 'usr/sbin/knotd', options: ['-c'] },
  nsd: { root: 'nsd', program: 'usr/sbin/nsd', options: ['-d', '-c'] },
  bind: { root: 'bind', program: 'usr/sbin/named', options: ['-g', '-c'] },
};

/** What an operator changes in a configuration besides. */
export type Alteration = (text: string) => string;

/** Writes the configuration, and makes the folders that it names. */
export function writeConfiguration(
  chain: SignedChain,
  member: ChainMember,
  alter: Alteration = (text) => text,
): string {
  for (const each of ['state', 'run'])
    mkdirSync(path.join(chain.folder, member, each), { recursive: true, mode: 0o700 });
  const file = configurationOf(chain, member);
  writeFileSync(file, alter(renderConfiguration(chain, member)));
  return file;
}

/** Starts one server with the configuration that is shipped; ended with the test. */
export function startChainServer(chain: SignedChain, member: ChainMember, alter?: Alteration): ChainServer {
  const file = writeConfiguration(chain, member, alter);
  const { root, program, options } = START[member];
  const [command, ...before] = commandIn(chain.programs[root], program);
  const child = spawn(command, [...before, ...options, file], { stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (log += chunk));
  const ended = once(child, 'close');
  const end = (signal: NodeJS.Signals) => () => endChild(child, ended, signal);
  onTestFinished(end('SIGTERM'));
  return { port: chain.ports[member], log: () => log, stop: end('SIGTERM'), kill9: end('SIGKILL') };
}

async function endChild(child: ChildProcess, ended: Promise<unknown>, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal);
  await ended;
}

/** What a program of Knot prints about the signer, as `keymgr ee ds` or `knotc zone-status`. */
export const askSigner = (chain: SignedChain, program: 'keymgr' | 'knotc', ...options: string[]) =>
  runDns(chain.programs.knot, `usr/sbin/${program}`, ['-c', configurationOf(chain, 'signer'), ...options]);

/** The digest of the key that signs the keys of a zone, for `cadastre zone ds` (SHA-256). */
export async function signerDs(chain: SignedChain, zone: string): Promise<string> {
  const lines = await askSigner(chain, 'keymgr', zone, 'ds');
  const ds = lines.map((line) => /DS (\d+ \d+ 2 [0-9a-f]+)$/i.exec(line)?.[1]).find(Boolean);
  if (ds === undefined) throw new Error(`the signer has no DS of ${zone}: ${lines.join('\n')}`);
  return ds;
}
