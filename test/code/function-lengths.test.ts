import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../..');
const MAX_LINES = 80;

/** Lists of what there is, such as the commands of a group: each entry stands by itself, and is read by itself. */
const DECLARATIVE = [
  'src/commands/backup-command.ts backupCommand',
  'src/commands/bank-command.ts bankCommand',
  'src/commands/billing-command.ts billingCommand',
  'src/commands/registrar-command.ts registrarCommand',
  'src/commands/zone-controls.ts addControlCommands',
];

const linesOf = (node: ts.Node, source: ts.SourceFile): number =>
  source.getLineAndCharacterOfPosition(node.getEnd()).line -
  source.getLineAndCharacterOfPosition(node.getStart(source)).line +
  1;

/** What `endpoint({ … })` declares is no part of the function that lists it. */
function linesOfEndpoints(node: ts.Node, source: ts.SourceFile): number {
  if (ts.isCallExpression(node) && node.expression.getText(source) === 'endpoint')
    return linesOf(node, source);
  let lines = 0;
  ts.forEachChild(node, (child) => {
    lines += linesOfEndpoints(child, source);
  });
  return lines;
}

function nameOf(node: ts.SignatureDeclaration, source: ts.SourceFile): string {
  const { parent, name } = node;
  const named =
    name ?? (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) ? parent.name : undefined);
  return named?.getText(source) ?? 'a function without a name';
}

function longFunctionsIn(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isFunctionLike(node) &&
      linesOf(node, source) > MAX_LINES &&
      linesOf(node, source) - linesOfEndpoints(node, source) > MAX_LINES
    )
      found.push(`${file} ${nameOf(node, source)}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const functionOf = (lines: number) => `export function long() {\n${'call();\n'.repeat(lines - 2)}}\n`;

test('success: no function has more than 80 lines, but for lists', () => {
  const found = globSync('src/**/*.ts', { cwd: ROOT }).flatMap((file) =>
    longFunctionsIn(file, readFileSync(path.join(ROOT, file), 'utf8')),
  );
  expect(found.toSorted()).toEqual(DECLARATIVE);
});

test('failure: a function of 81 lines, and a method; a list of endpoints is none', () => {
  expect(longFunctionsIn('a.ts', functionOf(80))).toEqual([]);
  expect(longFunctionsIn('a.ts', functionOf(81))).toEqual(['a.ts long']);
  expect(longFunctionsIn('a.ts', `class A {\n  do() {\n${'call();\n'.repeat(79)}}\n}`)).toEqual(['a.ts do']);
  const list = `const list = () => [\n${`endpoint({\n${'a: 1,\n'.repeat(50)}}),\n`.repeat(2)}];`;
  expect(longFunctionsIn('a.ts', list)).toEqual([]);
});
