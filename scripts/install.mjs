// Runs before everything else, on whatever Node the machine has: plain JavaScript, no dependencies.
// Makes node_modules what package-lock.json says, once, also when several commands start at the same time.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { takeInstallLock } from './install-lock.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');
const stamp = join(modules, '.cadastre-lock');
const bundledNode = join(modules, '.bin/node');

// Settings of the surroundings that would leave out what we need, or turn the installation into a trial.
const distortingSetting =
  /^(NODE_ENV|npm_config_(omit|only|also|include|production|optional|dry_run|package_lock_only|global|location|engine_strict))$/i;

if (!isInstalled()) await installOnce();
linkNode();
refuseOldNode();

function isInstalled() {
  const { dependencies = {}, devDependencies = {} } = readJson(join(root, 'package.json'));
  const wanted = Object.keys({ ...dependencies, ...devDependencies });
  if (!wanted.every((name) => existsSync(join(modules, name, 'package.json')))) return false;
  if (existsSync(stamp)) return readFileSync(stamp, 'utf8') === fingerprint();
  return wasInstalledByHand();
}

/** Whoever ran `npm ci` themselves need not wait for a second one. */
function wasInstalledByHand() {
  const record = join(modules, '.package-lock.json');
  if (!existsSync(record)) return false;
  const installed = readJson(record).packages;
  const wanted = Object.entries(readJson(join(root, 'package-lock.json')).packages);
  const agrees = wanted.every(([path, { version, integrity, optional, os, cpu, libc }]) => {
    const isForAnother = libc || !matches(os, process.platform) || !matches(cpu, process.arch);
    if (path === '' || (optional && isForAnother)) return true;
    const found = installed[path];
    return found !== undefined && found.version === version && found.integrity === integrity;
  });
  if (agrees) leaveStamp();
  return agrees;
}

function matches(allowed, own) {
  return allowed === undefined || [allowed].flat().includes(own);
}

function fingerprint() {
  const lock = readFileSync(join(root, 'package-lock.json'));
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform} ${process.arch}\n`;
}

function leaveStamp() {
  try {
    writeFileSync(stamp, fingerprint());
  } catch {
    // A clone that we may only read: it is looked through again next time.
  }
}

async function installOnce() {
  const lock = await takeInstallLock(join(root, '.install.lock'), say);
  if (lock === undefined) {
    fail(
      `The dependencies are not installed, and ${root} may not be written to. Run npm ci there as its owner.`,
    );
  }
  try {
    if (!isInstalled()) await install();
  } finally {
    lock.release();
  }
}

async function install() {
  say('Installing dependencies (first start only)…');
  const { code, signal, output } = await runNpm();
  if (signal !== undefined) process.exitCode = signal === 'SIGINT' ? 130 : 143;
  else if (code !== 0) {
    process.stderr.write(output);
    say('The dependencies could not be installed: npm’s own words are above.');
    process.exitCode = code || 1;
  } else {
    leaveStamp();
    removeForeignNode();
  }
}

/** Resolves when npm has ended, also when we were told to end: then it is ended first. */
function runNpm() {
  const [program, ...first] = npmCommand();
  const options = [
    'ci',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--include=dev',
    '--include=optional',
  ];
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !distortingSetting.test(name)),
  );
  const npm = spawn(program, [...first, ...options], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (text) => (output += text));
  return new Promise((resolve) => {
    let signal;
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      process.on(name, () => {
        signal = name;
        npm.kill('SIGTERM');
        setTimeout(() => npm.kill('SIGKILL'), 5000).unref();
      });
    }
    npm.once('error', (error) => resolve({ code: 1, signal, output: `${error.message}\n` }));
    npm.once('close', (code) => resolve({ code, signal, output }));
  });
}

/** The npm that runs us, if one does; npm_execpath may also be another package manager. */
function npmCommand() {
  const path = process.env.npm_execpath;
  const isNpm = path && /^npm(-cli)?\.[cm]?js$/.test(basename(path)) && existsSync(path);
  return isNpm ? [process.execPath, path] : ['npm'];
}

/** npm 9 leaves out the commands of optional packages. */
function linkNode() {
  const packaged = `node-${process.platform}-${process.arch}/bin/node`;
  const program = join(modules, packaged);
  if (existsSync(bundledNode) || !existsSync(program)) return;
  try {
    chmodSync(program, 0o755);
    if (spawnSync(program, ['--version']).status !== 0) return;
    mkdirSync(dirname(bundledNode), { recursive: true });
    symlinkSync(`../${packaged}`, bundledNode);
  } catch {
    // A clone that we may only read, or another start was faster.
  }
}

/** Where the packaged Node cannot run (another C library), it must not stand before the machine's own. */
function removeForeignNode() {
  if (existsSync(bundledNode) && spawnSync(bundledNode, ['--version']).status !== 0) rmSync(bundledNode);
}

function refuseOldNode() {
  if (process.exitCode || existsSync(bundledNode)) return;
  const [, major, minor] = readJson(join(root, 'package.json'))
    .engines.node.match(/(\d+)\.(\d+)/)
    .map(Number);
  const [ownMajor, ownMinor] = process.versions.node.split('.').map(Number);
  if (ownMajor > major || (ownMajor === major && ownMinor >= minor)) return;
  fail(
    `Cadastre needs Node ${major}.${minor} or later, and this is ${process.versions.node}. Install it from https://nodejs.org.`,
  );
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function say(sentence) {
  process.stderr.write(`${sentence}\n`);
}

function fail(sentence) {
  say(sentence);
  process.exit(1);
}
