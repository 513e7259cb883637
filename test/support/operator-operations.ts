import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { program } from '../../src/app/program.ts';
import { operationsOf } from '../../src/commands/terminal/operate.ts';
import type { OperatorDescription } from '../../src/operations/operator-operation.ts';

const ROOT = path.join(import.meta.dirname, '../..');

export type ListedOperation = OperatorDescription & { readonly commands: readonly string[] };

/** The operations of operators, by name, with the commands that run them. */
export async function operatorOperations(): Promise<ListedOperation[]> {
  const known = new Map<string, ListedOperation>();
  const visit = (command: Command, words: readonly string[]): void => {
    for (const operation of operationsOf(command)) {
      const before = known.get(operation.name)?.commands ?? [];
      known.set(operation.name, { ...operation, commands: [...before, words.join(' ')] });
    }
    for (const sub of command.commands) visit(sub, [...words, sub.name()]);
  };
  visit(await program(), ['cadastre']);
  return [...known.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

const DEFINITION = /\boperator(?:Operation|Transaction)(?:<[^(]*>)?\(\s*\{\s*name: '([^']+)'/g;

/** The names of all operations that the sources define. */
export const definedOperations = (): string[] =>
  globSync('src/**/*.ts', { cwd: ROOT }).flatMap((file) =>
    [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(DEFINITION)].map(([, name = '']) => name),
  );
