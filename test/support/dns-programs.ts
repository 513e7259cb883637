import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { commandIn, debianPackages, type Unpacked } from './debian-packages.ts';
import { freePort } from './free-port.ts';
import { onTestFinished } from './this-test.ts';

/** Knot DNS, its kdig, and the dig of BIND, of Debian 13 with the libraries that they were built with. */
export const findDnsPrograms = (): Unpacked =>
  debianPackages('trixie', 'knot', [
    'knot-dnsutils',
    'bind9-dnsutils',
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
    'liburcu8t64',
  ]);

/** The lines that a program prints, without empty ones. */
export async function runDns(root: string, program: string, options: readonly string[]): Promise<string[]> {
  const [command, ...before] = commandIn(root, program);
  const child = spawn(command, [...before, ...options]);
  const [printed, complaints] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  if (complaints !== '') throw new Error(`${program} complains:\n${complaints}\n${printed}`);
  return printed.split('\n').filter((line) => line !== '');
}

export const dig = (root: string, ...options: string[]): Promise<string[]> =>
  runDns(root, 'usr/bin/dig', options);
export const kdig = (root: string, ...options: string[]): Promise<string[]> =>
  runDns(root, 'usr/bin/kdig', options);

/** What a server answers to an ordinary request, in its answer or in a referral; nothing while it does not answer. */
export const askServer = (root: string, port: number, name: string, type: string): Promise<string[]> =>
  dig(
    root,
    '@127.0.0.1',
    '-p',
    String(port),
    '+noall',
    '+answer',
    '+authority',
    '+timeout=1',
    name,
    type,
  ).catch(() => []);

export type Knot = { readonly port: number; readonly log: () => string; stop(): Promise<void> };
type KnotSet = {
  readonly zone: string;
  readonly primaryPort: number;
  readonly port?: number;
  readonly key: { readonly name: string; readonly algorithm: string; readonly secret: Buffer };
};

/** A secondary of our zone, as an ordinary process in a folder of its own. */
export async function startKnot(root: string, { zone, primaryPort, key, ...set }: KnotSet): Promise<Knot> {
  const [port, folder] = [
    set.port ?? (await freePort()),
    mkdtempSync(path.join(os.tmpdir(), 'cadastre-knot-')),
  ];
  for (const each of ['run', 'db', 'zones']) mkdirSync(path.join(folder, each));
  const file = path.join(folder, 'knot.conf');
  writeFileSync(
    file,
    `server:
  rundir: ${folder}/run
  listen: 127.0.0.1@${port}
log:
  - target: stdout
    any: debug
database:
  storage: ${folder}/db
key:
  - id: ${key.name}
    algorithm: ${key.algorithm}
    secret: ${key.secret.toString('base64')}
remote:
  - id: registry
    address: 127.0.0.1@${primaryPort}
    key: ${key.name}
acl:
  - id: registry
    address: 127.0.0.1
    key: ${key.name}
    action: [notify, transfer]
template:
  - id: default
    storage: ${folder}/zones
    zonefile-sync: -1
zone:
  - domain: ${zone}
    master: registry
    acl: registry
`,
  );
  chmodSync(folder, 0o700);
  const [command, ...before] = commandIn(root, 'usr/sbin/knotd');
  const knot = spawn(command, [...before, '-c', file], { stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [knot.stdout, knot.stderr]) stream.on('data', (chunk) => (log += chunk));
  const ended = once(knot, 'close');
  const stop = async () => {
    knot.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  onTestFinished(stop);
  return { port, log: () => log, stop };
}
