import { type ExecFileOptions, execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { CACHE } from '../support/debian-packages.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const PACKAGES = path.join(ROOT, 'packages');
export const SDK = path.join(PACKAGES, 'sdk');
const COMPILER = path.join(ROOT, 'node_modules/tsgo/bin/tsc');

export const run = (program: string, words: readonly string[], options: ExecFileOptions = {}) =>
  promisify(execFile)(program, words, { ...options, encoding: 'utf8' });

const compile = (...words: string[]) => run(process.execPath, [COMPILER, '--singleThreaded', ...words]);

export type InstalledPackages = {
  /** A folder that has nothing but the installed packages. */
  readonly folder: string;
  /** The files of each package. */
  readonly files: readonly (readonly string[])[];
  remove(): Promise<void>;
};

/** Builds and packs packages as they would be published, and installs them into an empty folder, without a network. */
export async function installPacked(...names: readonly string[]): Promise<InstalledPackages> {
  const { place, folder } = await emptyFolder();
  const packed = await Promise.all(names.map((name) => pack(name, place)));
  const tarballs = packed.map(({ filename }) => path.join(place, filename));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...tarballs], { cwd: folder });
  return {
    folder,
    files: packed.map(({ files }) => files.map((file) => file.path)),
    remove: () => rm(place, { recursive: true, force: true }),
  };
}

/** Where no package registry answers. */
const NOWHERE = ['--registry', 'http://127.0.0.1:9', '--fetch-retries', '0'];

/** Installs the client that a registry serves into an empty folder: npm reaches nothing but that registry. */
export async function installServed(url: string): Promise<InstalledPackages> {
  const { place, folder } = await emptyFolder();
  const npm = (...words: string[]) =>
    run('npm', [...words, '--no-audit', '--no-fund', '--cache', path.join(place, 'cache'), ...NOWHERE], {
      cwd: folder,
    });
  await npm('install', `${url}/sdk.tgz`);
  // As a server of the shop does it, with the hash of the lock file.
  await npm('ci');
  const found = path.join(folder, 'node_modules/cadastre-sdk');
  const entries = await readdir(found, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return {
    folder,
    files: [files.map((file) => path.relative(found, path.join(file.parentPath, file.name)))],
    remove: () => rm(place, { recursive: true, force: true }),
  };
}

async function emptyFolder(): Promise<{ place: string; folder: string }> {
  const place = await mkdtemp(path.join(os.tmpdir(), 'cadastre-packed-'));
  const folder = path.join(place, 'shop');
  await mkdir(folder);
  await writeFile(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  return { place, folder };
}

/** Puts a package into a folder as if installed there, without npm, which takes seconds. */
export async function buildInto(folder: string, name: string): Promise<void> {
  const [source, target] = [path.join(PACKAGES, name), path.join(folder, 'node_modules', `cadastre-${name}`)];
  await compile('-p', source, '--noCheck', '--outDir', path.join(target, 'dist'));
  await cp(path.join(source, 'package.json'), path.join(target, 'package.json'));
}

type Packed = { readonly filename: string; readonly files: readonly { readonly path: string }[] };

async function pack(name: string, place: string): Promise<Packed> {
  const [source, staged] = [path.join(PACKAGES, name), path.join(place, name)];
  await cp(source, staged, { recursive: true, filter: (file) => file !== path.join(source, 'dist') });
  // `npm run check` checks the types.
  await compile('-p', source, '--noCheck', '--outDir', path.join(staged, 'dist'));
  const options = ['--json', '--offline', '--pack-destination', place];
  const { stdout } = await run('npm', ['pack', ...options], { cwd: staged });
  const [packed] = JSON.parse(stdout) as [Packed];
  return packed;
}

const NODE_PACKAGE = `node-${process.platform}-${process.arch}`;

/** Another Node, from its npm package, cached for the next run. */
export async function nodeOf(version: string): Promise<{ program: string } | { reason: string }> {
  const folder = path.join(CACHE, `node-${version}`);
  await mkdir(folder, { recursive: true });
  const options = ['--prefix', folder, '--no-audit', '--no-fund', '--prefer-offline'];
  return run('npm', ['install', ...options, `${NODE_PACKAGE}@${version}`], { cwd: folder }).then(
    () => ({ program: path.join(folder, 'node_modules', NODE_PACKAGE, 'bin/node') }),
    (error: Error) => ({ reason: `no Node ${version}: ${error.message.split('\n')[0]}` }),
  );
}

export type Compiled = {
  /** Where the JavaScript is. */
  readonly folder: string;
  /** The errors of the compiler, as `file:line`. */
  readonly complaints: readonly string[];
};

/** Compiles all programs of a folder that use the package, by the strictest rules. */
export async function compileInside(folder: string, ...programs: readonly string[]): Promise<Compiled> {
  const types = path.join(ROOT, 'node_modules/@types');
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022'],
    strict: true,
    // Most of the time is spent on the types of Node.
    skipLibCheck: process.env.TORTURE === undefined,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    outDir: 'compiled',
    rewriteRelativeImportExtensions: true,
    typeRoots: [types],
    types: ['node'],
  };
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: programs }));
  const { stdout } = await compile('-p', folder).catch((error: { stdout: string }) => error);
  const complaints = Array.from(
    stdout.matchAll(/^(?!\s)(.*)\((\d+),\d+\): error/gm),
    ([, file = '', line]) => `${path.basename(file)}:${line}`,
  );
  return { folder: path.join(folder, 'compiled'), complaints: [...new Set(complaints)] };
}
