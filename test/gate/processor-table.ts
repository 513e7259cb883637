/**
 * After a run: the processor time of each folder, and of the files that took most of it. Fails where a file took more
 * than twice its budget.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { checkBudgets, type FileTime, timeByFolder } from './processor-budgets.ts';

const FILES_SHOWN = 10;

const folder = path.join(import.meta.dirname, '../../coverage/observations');
const times = readdirSync(folder)
  .filter((file) => file.endsWith('.processor'))
  .flatMap((file) => readFileSync(path.join(folder, file), 'utf8').trim().split('\n'))
  .map((line) => JSON.parse(line) as FileTime)
  .toSorted((one, other) => other.ms - one.ms);

const line = (name: string, ms: number): string => `${(ms / 1000).toFixed(1).padStart(8)} s  ${name}\n`;
const sum = times.reduce((total, { ms }) => total + ms, 0);
process.stdout.write('\n Processor time of the workers and what they started, without PostgreSQL\n');
for (const [name, ms] of timeByFolder(times)) process.stdout.write(line(name, ms));
process.stdout.write(line('sum', sum));
process.stdout.write(`\n The ${FILES_SHOWN} files with most of it\n`);
for (const { file, ms } of times.slice(0, FILES_SHOWN)) process.stdout.write(line(file, ms));

const complaints = checkBudgets(times);
for (const complaint of complaints) process.stderr.write(`${complaint}\n`);
process.exitCode = complaints.length === 0 ? 0 : 1;
