/**
 * Runs the tests of a lane: `node test/gate/run.ts quick`. A file that failed is run once more, alone, at the end; if it
 * passes then, the run is green and its last lines name it as UNSTABLE.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type EndedRun, runRepeatingFailed } from './repeat-failed.ts';
import { forgetForms } from '../statements/forms.ts';
import { forgetRunResult, readRunResult } from './run-result.ts';

const root = path.join(import.meta.dirname, '../..');
const [lane = 'quick'] = process.argv.slice(2);
/** .ci/run prints it once more, after everything else. */
const unstableFile = path.join(root, 'coverage', `unstable-${lane}.txt`);

async function runVitest(files: readonly string[]): Promise<EndedRun | undefined> {
  forgetRunResult();
  const isRepetition = files.length > 0;
  if (isRepetition) process.stdout.write(`\n Repeated alone: ${files.join(' ')}\n`);
  const code = await runProgram(
    ['node_modules/vitest/vitest.mjs', 'run', '--project', lane, ...files],
    isRepetition ? { KEEP_OBSERVATIONS: '1' } : {},
  );
  const result = readRunResult();
  return result && { ...result, code };
}

/** Its exit code; what a person or a terminal tells this process to do is told to it too. */
async function runProgram(args: readonly string[], env: Record<string, string> = {}): Promise<number> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  const pass = (signal: NodeJS.Signals): boolean => child.kill(signal);
  process.on('SIGTERM', pass).on('SIGINT', pass);
  const [code] = await once(child, 'close');
  process.off('SIGTERM', pass).off('SIGINT', pass);
  return code ?? 1;
}

/** What the tests of a lane show together. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  quick: ['command-table', 'operator-table', 'status-table', 'processor-table'],
  slow: ['processor-table'],
};

if (lane === 'quick') forgetForms();
const { isGreen, unstable, reason } = await runRepeatingFailed(runVitest);
let failedTables = 0;
if (isGreen) {
  for (const table of TABLES[lane] ?? []) failedTables += await runProgram([`test/gate/${table}.ts`]);
}
const lines = unstable.map(
  (file) => `UNSTABLE ${file}: failed, and passed alone; add it to test/unstable.json\n`,
);
mkdirSync(path.dirname(unstableFile), { recursive: true });
writeFileSync(unstableFile, lines.join(''));
if (reason !== undefined) process.stdout.write(`\n Nothing was repeated: ${reason}\n`);
process.stdout.write(lines.join(''));
process.exitCode = isGreen && failedTables === 0 ? 0 : 1;
