import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { commandIn, debianPackages, type Unpacked } from './debian-packages.ts';
import { freePort } from './free-port.ts';
import { onTestFinished } from './this-test.ts';

type Set = {
  readonly zone: string;
  readonly primaryPort: number;
  readonly key: { readonly name: string; readonly algorithm: string; readonly secret: Buffer };
};
type Place = Set & { readonly folder: string; readonly port: number };
type PublicServer = {
  readonly name: string;
  readonly find: () => Unpacked;
  readonly program: string;
  readonly options: (file: string) => readonly string[];
  readonly configuration: (place: Place) => string;
};

/** Of Debian 13, with the libraries that they were built with. */
export const NSD: PublicServer = {
  name: 'NSD',
  find: () =>
    debianPackages('trixie', 'nsd', [
      'libc6',
      'libevent-2.1-7t64',
      'libssl3t64',
      'libfstrm0',
      'libprotobuf-c1',
      'libsystemd0',
      'libcap2',
      'libzstd1',
      'zlib1g',
      'libbsd0',
      'libmd0',
      'libgcc-s1',
    ]),
  program: 'usr/sbin/nsd',
  options: (file) => ['-d', '-c', file],
  configuration: ({ folder, port, zone, primaryPort, key }) => `server:
  ip-address: 127.0.0.1@${port}
  username: ""
  chroot: ""
  pidfile: "${folder}/pid"
  xfrdfile: "${folder}/xfrd.state"
  zonelistfile: "${folder}/zones.list"
  xfrdir: "${folder}"
  zonesdir: "${folder}"
  server-count: 1
remote-control:
  control-enable: no
key:
  name: "${key.name}"
  algorithm: ${key.algorithm}
  secret: "${key.secret.toString('base64')}"
zone:
  name: ${zone}
  zonefile: "${folder}/zone"
  request-xfr: 127.0.0.1@${primaryPort} ${key.name}
  allow-notify: 127.0.0.1 ${key.name}
  provide-xfr: 127.0.0.1 ${key.name}
`,
};

export const BIND: PublicServer = {
  name: 'BIND',
  find: () =>
    debianPackages('trixie', 'bind9', [
      'bind9-libs',
      'libc6',
      'libcap2',
      'libcom-err2',
      'libfstrm0',
      'libgssapi-krb5-2',
      'libjemalloc2',
      'libjson-c5',
      'libk5crypto3',
      'libkeyutils1',
      'libkrb5-3',
      'libkrb5support0',
      'liblmdb0',
      'liblzma5',
      'libmaxminddb0',
      'libmd0',
      'libbsd0',
      'libnghttp2-14',
      'libprotobuf-c1',
      'libssl3t64',
      'libstdc++6',
      'libgcc-s1',
      'liburcu8t64',
      'libuv1t64',
      'libxml2',
      'libzstd1',
      'zlib1g',
      'libsystemd0',
      'libtirpc3t64',
    ]),
  program: 'usr/sbin/named',
  options: (file) => ['-g', '-c', file],
  configuration: ({ folder, port, zone, primaryPort, key }) => `options {
  directory "${folder}"; pid-file "${folder}/pid"; session-keyfile "${folder}/session.key"; managed-keys-directory "${folder}";
  listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; };
  recursion no; dnssec-validation no;
};
controls {};
key "${key.name}" { algorithm ${key.algorithm}; secret "${key.secret.toString('base64')}"; };
zone "${zone}" {
  type secondary; file "${folder}/zone";
  primaries { 127.0.0.1 port ${primaryPort} key "${key.name}"; };
  allow-notify { key "${key.name}"; }; allow-transfer { key "${key.name}"; };
};
`,
};

/** Starts it as a secondary of our zone, as an ordinary process; ended with the test. Returns its port. */
export async function startPublicServer(server: PublicServer, root: string, set: Set): Promise<number> {
  const [port, folder] = [await freePort(), mkdtempSync(path.join(os.tmpdir(), 'cadastre-dns-'))];
  const file = path.join(folder, 'server.conf');
  writeFileSync(file, server.configuration({ ...set, folder, port }));
  const [command, ...before] = commandIn(root, server.program);
  const child = spawn(command, [...before, ...server.options(file)], { stdio: 'ignore' });
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  return port;
}
