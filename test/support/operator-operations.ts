import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import { program } from '../../src/app/program.ts';
import { operationsOf } from '../../src/commands/terminal/operate.ts';
import type { OperatorDescription } from '../../src/operations/operator-operation.ts';

const ROOT = path.join(import.meta.dirname, '../..');

export type ListedOperation = OperatorDescription & {
  readonly commands: readonly string[];
  /** Groups of pages, such as `console/access`. */
  readonly pages: readonly string[];
};

/** What the sandbox is filled with, by no command and no page. */
const SEEDED = ['create person'];

/** The operations of operators, by name, with the commands and pages that run them. */
export async function operatorOperations(): Promise<ListedOperation[]> {
  const [commands, exported] = await Promise.all([operationsOfCommands(), exportedOperations()]);
  const all = new Map([...exported, ...commands].map(({ operation }) => [operation.name, operation]));
  return [...all.values()]
    .map((operation) => ({
      ...operation,
      commands: commands.flatMap((one) => (one.operation.name === operation.name ? [one.command] : [])),
      pages: exported.flatMap((one) => (one.operation.name === operation.name ? one.pages : [])),
    }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Those that nobody can run. */
export const unreachable = (operations: readonly ListedOperation[]): string[] =>
  operations
    .filter(({ commands, pages }) => commands.length + pages.length === 0)
    .map(({ name }) => name)
    .filter((name) => !SEEDED.includes(name));

type OfCommand = { readonly operation: OperatorDescription; readonly command: string };

async function operationsOfCommands(): Promise<OfCommand[]> {
  const visit = (command: Command, words: readonly string[]): OfCommand[] => [
    ...operationsOf(command).map((operation) => ({ operation, command: words.join(' ') })),
    ...command.commands.flatMap((sub) => visit(sub, [...words, sub.name()])),
  ];
  return visit(await program(), ['cadastre']);
}

type Exported = { readonly operation: OperatorDescription; readonly pages: readonly string[] };

/** Of all modules that define operations, with the groups of pages whose files import them. */
async function exportedOperations(): Promise<Exported[]> {
  const pages = globSync('src/doors/*/*/*.ts', { cwd: ROOT })
    .sort()
    .map((file) => ({ group: groupOf(file), text: readFileSync(path.join(ROOT, file), 'utf8') }));
  const modules = globSync('src/{registry,billing,reservations,recovery,installation}/**/*.ts', { cwd: ROOT })
    .map((file) => path.join(ROOT, file))
    .filter((file) => /operator(?:Operation|Transaction)\b/.test(readFileSync(file, 'utf8')));
  const found = await Promise.all(modules.map((file) => import(pathToFileURL(file).href)));
  return found.flatMap((module) =>
    Object.entries<unknown>(module).flatMap(([constant, operation]) => {
      if (!isOperation(operation)) return [];
      const imported = new RegExp(`^import [^;]*\\b${constant}\\b[^;]*;`, 'm');
      const groups = pages.filter(({ text }) => imported.test(text)).map(({ group }) => group);
      return [{ operation, pages: [...new Set(groups)] }];
    }),
  );
}

const groupOf = (file: string): string => path.dirname(file).slice('src/doors/'.length);

const isOperation = (value: unknown): value is OperatorDescription =>
  typeof value === 'object' && value !== null && 'variant' in value && 'refusals' in value;
