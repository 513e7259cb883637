import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { commandIn, debianPackages, librariesIn } from './debian-packages.ts';

export type NetEpp = {
  /** Runs a Perl script that can load Net::EPP. */
  readonly perl: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string>>;
};

/**
 * Net::EPP 0.28 with the Perl of Debian 13. All that it loads comes from the unpacked packages, so it does not matter
 * which release this machine has, or whether it has Perl.
 */
export function findNetEpp(): NetEpp | { readonly reason: string } {
  const found = debianPackages('trixie', 'libnet-epp-perl', [
    'perl',
    'perl-base',
    'perl-modules-5.40',
    'libperl5.40',
    'libcrypt1',
    'libc6',
    'libio-socket-ssl-perl',
    'libnet-ssleay-perl',
    'libssl3t64',
    'libzstd1',
    'zlib1g',
    'libxml-libxml-perl',
    'libxml-sax-perl',
    'libxml-sax-base-perl',
    'libxml-namespacesupport-perl',
    'libxml2',
    'liblzma5',
  ]);
  if ('reason' in found) return found;
  const { root } = found;
  const libraries = librariesIn(root);
  const compiled = path.join(libraries, 'perl5');
  const folders = [
    path.join(root, 'usr/share/perl5'),
    ...readdirSync(compiled).map((version) => path.join(compiled, version)),
    path.join(libraries, 'perl/5.40'),
    path.join(root, 'usr/share/perl/5.40'),
    path.join(libraries, 'perl-base'),
  ];
  return { perl: commandIn(root, 'usr/bin/perl'), environment: { PERL5LIB: folders.join(':') } };
}

/** A step of the script: its result code, and what the library made of the answer. */
export type Step = { readonly step: string; readonly code: number; readonly answer: unknown };

const SCRIPT = new URL('../doors/epp/net-epp.pl', import.meta.url).pathname;

/** Runs the script with its parameters. It ends at the first login that is refused. */
export async function runStory({ perl, environment }: NetEpp, parameters: object): Promise<readonly Step[]> {
  const [program, ...options] = perl;
  const script = spawn(program, [...options, SCRIPT], { env: { ...process.env, ...environment } });
  script.stdin.end(JSON.stringify(parameters));
  const [printed, complaints] = await Promise.all([
    text(script.stdout),
    text(script.stderr),
    once(script, 'close'),
  ]);
  if (complaints !== '') throw new Error(`The script of Net::EPP complains:\n${complaints}\n${printed}`);
  const lines = printed.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Step);
}
