/**
 * After a whole test run: fails on a command that no test has run by its command line, as an operator does: once with
 * success and, where it needs an argument or changes something, once with a refusal.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { program } from '../../src/app/program.ts';

type Observation = { words: string[]; code: number | null };

/** They run until they are told to stop, and are started by other means. */
const LONG = ['sandbox', 'serve', 'work'];

const folder = path.join(import.meta.dirname, '../../coverage/observations');
const observations = readdirSync(folder)
  .filter((file) => file.endsWith('.commands'))
  .flatMap((file) => readFileSync(path.join(folder, file), 'utf8').trim().split('\n'))
  .map((line) => JSON.parse(line) as Observation);

const leaves = (command: Command, name: string[] = []): { name: string[]; command: Command }[] =>
  command.commands.length === 0
    ? [{ name, command }]
    : command.commands.flatMap((sub) => leaves(sub, [...name, sub.name()]));

const commands = leaves(await program()).filter(({ name }) => !LONG.includes(name.join(' ')));
const gaps = commands.flatMap(({ name, command }) => {
  const runs = observations.filter(({ words }) => name.every((word, place) => words[place] === word));
  const refusable =
    command.registeredArguments.some(({ required }) => required) ||
    command.options.some(({ long }) => long === '--dry-run');
  return [
    ...(runs.some(({ code }) => code === 0) ? [] : [`no test has seen cadastre ${name.join(' ')} succeed`]),
    ...(!refusable || runs.some(({ code }) => code !== 0)
      ? []
      : [`no test has seen cadastre ${name.join(' ')} refuse`]),
  ];
});
process.stdout.write(`${commands.length} commands, ${observations.length} runs, ${gaps.length} gaps\n`);
for (const gap of gaps) process.stderr.write(`${gap}\n`);
process.exitCode = gaps.length === 0 ? 0 : 1;
