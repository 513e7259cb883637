import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { commandIn, debianPackages, librariesIn } from './debian-packages.ts';

const LIBRARIES = [
  'libsystemd-shared',
  'libc6',
  'libacl1',
  'libapparmor1',
  'libaudit1',
  'libblkid1',
  'libcap-ng0',
  'libcap2',
  'libcrypt1',
  'libmount1',
  'libpam0g',
  'libpcre2-8-0',
  'libseccomp2',
  'libselinux1',
  'libssl3t64',
  'libsystemd0',
];

type Command = readonly [string, ...string[]];

/** systemd-analyze of this machine, or of Debian 13: one that examines files without a running systemd. */
export function findSystemdAnalyze(): { readonly command: Command } | { readonly reason: string } {
  if (isSuitable(['systemd-analyze'])) return { command: ['systemd-analyze'] };
  const found = debianPackages('trixie', 'systemd', LIBRARIES);
  if ('reason' in found) return found;
  const [loader, option = '', libraries, program = ''] = commandIn(found.root, 'usr/bin/systemd-analyze');
  // Its own library is in a folder that it expects below the root of the system.
  const own = path.join(librariesIn(found.root), 'systemd');
  const command: Command = [loader, option, `${libraries}:${own}`, program];
  return isSuitable(command) ? { command } : { reason: 'systemd-analyze of Debian 13 does not run here' };
}

function isSuitable([program, ...args]: Command): boolean {
  try {
    const help = execFileSync(program, [...args, 'security', '--help'], { encoding: 'utf8', stdio: 'pipe' });
    return help.includes('--offline') && help.includes('--threshold');
  } catch {
    return false;
  }
}
