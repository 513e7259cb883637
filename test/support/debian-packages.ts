import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { preparingMachine } from '../gate/processor-time.ts';

/** Where packages were unpacked, or why they could not be. */
export type Unpacked = { readonly root: string } | { readonly reason: string };

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
const FETCH_TIMEOUT_MS = 120_000;
/** Within reach of the account that a server runs as when we are root, and writable for nobody else. */
export const CACHE =
  process.getuid?.() === 0
    ? '/var/cache/cadastre-tests'
    : path.join(process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'), 'cadastre-tests');

/**
 * Packages of a release of Debian that need not be this machine's, checked by their signatures and unpacked into a
 * folder: nothing is installed. It is done once per machine. The architecture is this machine's unless another is named.
 */
export function debianPackages(
  release: string,
  name: string,
  others: readonly string[],
  architecture?: string,
): Unpacked {
  const root = path.join(CACHE, [release, name, ...(architecture ? [architecture] : [])].join('-'));
  if (existsSync(root)) return { root };
  if (!existsSync('/usr/bin/apt-get') || !existsSync(KEYRING))
    return { reason: 'there is no apt-get with the keys of Debian on this machine' };
  return preparingMachine(() => unpackInto(root, release, [name, ...others], architecture));
}

function unpackInto(
  root: string,
  release: string,
  names: readonly string[],
  architecture?: string,
): Unpacked {
  let folder: string | undefined;
  try {
    mkdirSync(CACHE, { recursive: true, mode: 0o755 });
    folder = mkdtempSync(path.join(CACHE, 'unfinished-'));
    fetchAll(folder, release, names, architecture);
    const unpacked = path.join(folder, 'root');
    for (const file of readdirSync(folder).filter((entry) => entry.endsWith('.deb')))
      execFileSync('dpkg', ['-x', path.join(folder, file), unpacked], { stdio: 'pipe' });
    // Another worker may have been faster.
    if (!existsSync(root)) renameSync(unpacked, root);
    return { root };
  } catch (error) {
    return { reason: `${names[0]} of Debian ${release} cannot be fetched (${lastLineOf(error)})` };
  } finally {
    if (folder) rmSync(folder, { recursive: true, force: true });
  }
}

function fetchAll(folder: string, release: string, names: readonly string[], architecture?: string): void {
  for (const part of ['state/lists/partial', 'cache/archives/partial'])
    mkdirSync(path.join(folder, part), { recursive: true });
  const list = path.join(folder, 'sources.list');
  writeFileSync(list, `deb [signed-by=${KEYRING}] ${archive()} ${release} main\n`);
  const options = {
    'Dir::Etc::sourcelist': list,
    'Dir::Etc::sourceparts': '-',
    'Dir::State': path.join(folder, 'state'),
    'Dir::Cache': path.join(folder, 'cache'),
    'Acquire::Languages': 'none',
    'Acquire::http::Timeout': '10',
    'Acquire::Retries': '0',
    'APT::Sandbox::User': os.userInfo().username,
    'APT::Update::Error-Mode': 'any',
    ...(architecture && { 'APT::Architecture': architecture, 'APT::Architectures': architecture }),
  };
  const settings = Object.entries(options).flatMap(([option, value]) => ['-o', `${option}=${value}`]);
  const aptGet = (...command: string[]) =>
    execFileSync('apt-get', ['-q', ...settings, ...command], {
      cwd: folder,
      stdio: 'pipe',
      timeout: FETCH_TIMEOUT_MS,
    });
  aptGet('update');
  aptGet('download', ...names);
}

/** The archive of Debian that this machine uses; that of security updates has not all packages. */
function archive(): string {
  const targets = execFileSync('apt-get', ['indextargets', '--format', '$(ORIGIN) $(REPO_URI)'], {
    encoding: 'utf8',
  });
  const found = targets.split('\n').find((line) => /^Debian .*\/debian\/?$/.test(line));
  if (found === undefined) throw new Error('apt-get of this machine knows no archive of Debian');
  return found.replace(/^Debian /, '');
}

/** The folder of the libraries of unpacked packages. */
export function librariesIn(root: string): string {
  const base = path.join(root, 'usr/lib');
  const triplet = readdirSync(base).find((entry) => entry.endsWith('-linux-gnu'));
  if (triplet === undefined) throw new Error(`there are no libraries in ${root}`);
  return path.join(base, triplet);
}

/** How a program of unpacked packages is run: the loader belongs to the libraries, which may be newer than this machine's. */
export function commandIn(root: string, program: string): readonly [string, ...string[]] {
  const libraries = librariesIn(root);
  const loader = readdirSync(libraries).find((entry) => /^ld-linux-.*\.so\.\d$/.test(entry)) ?? '';
  return [path.join(libraries, loader), '--library-path', libraries, path.join(root, program)];
}

function lastLineOf(error: unknown): string {
  const { stderr, message } = error as { stderr?: Buffer; message: string };
  return stderr?.toString().trim().split('\n').at(-1) || message;
}
