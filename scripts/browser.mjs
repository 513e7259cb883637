// Finds the Chromium that the page tests drive, and on Debian and Ubuntu installs it when we are root.
// Never fails: without a browser those tests are reported as skipped.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// The headless shell first: without windows, profiles and extensions it needs a fifth of the processor time.
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];
const packages = ['chromium-headless-shell', 'chromium'];
const macPrograms = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const limit = 5 * 60_000;

/** The path of a Chromium, or undefined. */
export function findChromium() {
  if (process.env.CHROMIUM) return isProgram(process.env.CHROMIUM) ? process.env.CHROMIUM : undefined;
  const directories = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const onPath = names.flatMap((name) => directories.map((directory) => join(directory, name)));
  return [...onPath, ...(process.platform === 'darwin' ? macPrograms : [])].find(isProgram);
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function installChromium() {
  const deadline = Date.now() + limit;
  process.stderr.write('Installing Chromium for the page tests (first run only)…\n');
  aptGet(deadline, 'update'); // if it fails, the package lists that are there may still do
  let reason = '';
  for (const name of packages) {
    reason = aptGet(deadline, 'install', '-y', '--no-install-recommends', name);
    if (findChromium() !== undefined) break;
  }
  return reason;
}

/** Answers why there may still be no browser: the last line of what apt-get said. */
function aptGet(deadline, ...command) {
  const timeout = Math.max(deadline - Date.now(), 1);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = ['-q', '-o', 'DPkg::Lock::Timeout=60'];
  const { status, error, stderr } = spawnSync('apt-get', [...options, ...command], {
    env,
    timeout,
    encoding: 'utf8',
  });
  if (status === 0) return 'it is not on the PATH';
  return error?.message ?? (stderr.trim().split('\n').at(-1) || `apt-get ended with ${status}`);
}

function main() {
  if (findChromium() !== undefined) return;
  const mayInstall = process.getuid?.() === 0 && !process.env.CHROMIUM && existsSync('/usr/bin/apt-get');
  const reason = mayInstall ? installChromium() : 'install chromium or name it in CHROMIUM';
  if (findChromium() === undefined) {
    process.stderr.write(`No Chromium (${reason}): page tests will be reported as skipped.\n`);
  }
}

const isMain =
  process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url);
if (isMain) main();
