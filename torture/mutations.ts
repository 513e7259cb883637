import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Guard } from './guards/guard.ts';
import { guards, guardTable } from './guards.ts';

const HELP = `npm run mutations -- [--only "parts of guards' names; in a row"] [--table]
Takes each guard out of a copy of the tree, one at a time, and runs the test that must notice.
  --table  prints the list for test/torture/mutations.md, and runs nothing`;
const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The parts of the tree that tests need; packages are shared with the original. */
const PARTS = [
  'src',
  'test',
  'packages',
  'migrations',
  'docs',
  'scripts',
  'cadastre',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
];
const RUN_LIMIT_MS = 240_000;

type Verdict = 'passed' | 'failed' | 'not run';
type Report = {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
};

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

function copyOfTree(): string {
  const copy = mkdtempSync(path.join(os.tmpdir(), 'cadastre-mutations-'));
  chmodSync(copy, 0o755); // as root the database runs under another account, which needs access
  for (const part of PARTS) cpSync(path.join(ROOT, part), path.join(copy, part), { recursive: true });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'));
  return copy;
}

/** The results of the named tests of these guards; one that neither passed nor failed was not run. */
async function runTests(copy: string, wanted: readonly Guard[]): Promise<(guard: Guard) => Verdict> {
  const files = [...new Set(wanted.map(({ test }) => test))];
  const names = [...new Set(wanted.map(({ named }) => escaped(named)))];
  const output = path.join(copy, 'report.json');
  rmSync(output, { force: true });
  const child = spawn(
    path.join(copy, 'node_modules/.bin/vitest'),
    ['run', ...files, '-t', names.join('|'), '--reporter=json', `--outputFile=${output}`],
    { cwd: copy, stdio: 'ignore', env: { ...process.env, TORTURE: '', NO_COLOR: '1' } },
  );
  const timeout = setTimeout(() => child.kill('SIGTERM'), RUN_LIMIT_MS * files.length);
  await once(child, 'close');
  clearTimeout(timeout);
  const { testResults } = JSON.parse(readFileSync(output, 'utf8')) as Report;
  return ({ test, named }) => {
    const results = testResults
      .filter(({ name }) => name.endsWith(`/${test}`))
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ fullName, status }) => fullName.includes(named) && ['passed', 'failed'].includes(status));
    if (results.length === 0) return 'not run';
    return results.some(({ status }) => status === 'failed') ? 'failed' : 'passed';
  };
}

/** Runs something while a guard is removed. */
async function without<T>(copy: string, { file, text, instead }: Guard, work: () => Promise<T>): Promise<T> {
  const place = path.join(copy, file);
  const whole = readFileSync(place, 'utf8');
  if (whole.split(text).length !== 2) throw new Error(`${file} does not have this once: ${text}`);
  writeFileSync(
    place,
    whole.replace(text, () => instead),
  );
  return work().finally(() => writeFileSync(place, whole));
}

async function run(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      table: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help || values.table) {
    console.log(values.help ? HELP : guardTable());
    return 0;
  }
  const wanted = (values.only ?? '').split(';').map((part) => part.trim());
  const chosen = guards.filter(({ guard }) => wanted.some((part) => guard.includes(part)));
  const copy = copyOfTree();
  try {
    const before = await runTests(copy, chosen);
    const unfit = chosen.filter((guard) => before(guard) !== 'passed');
    for (const guard of unfit) console.log(`UNFIT     ${guard.guard}: its test is ${before(guard)} as it is`);
    const survivors: Guard[] = [];
    for (const guard of chosen.filter((each) => !unfit.includes(each))) {
      const verdict = await without(copy, guard, async () => (await runTests(copy, [guard]))(guard));
      // A file that fails before its tests are run says nothing about the test.
      if (verdict !== 'failed') survivors.push(guard);
      console.log(`${verdict === 'failed' ? 'killed  ' : 'SURVIVED'}  ${guard.guard} (${verdict})`);
    }
    console.log(
      `${chosen.length - survivors.length - unfit.length} of ${chosen.length} mutations killed, ${survivors.length} survived, ${unfit.length} unfit`,
    );
    return survivors.length + unfit.length === 0 ? 0 : 1;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

process.exitCode = await run();
