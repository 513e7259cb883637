/**
 * After a whole test run: fails on an operation of operators that was refused by what it does not list, on a refusal that
 * it lists and no test has seen, and on an operation that no command runs.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { RefusedOperation } from '../../src/operations/operator-operation.ts';
import { definedOperations, operatorOperations } from '../support/operator-operations.ts';

const folder = path.join(import.meta.dirname, '../../coverage/observations');
const refused = readdirSync(folder)
  .filter((file) => file.endsWith('.operator-refusals'))
  .flatMap((file) => readFileSync(path.join(folder, file), 'utf8').trim().split('\n'))
  .map((line) => JSON.parse(line) as RefusedOperation);

const operations = await operatorOperations();
const known = new Set(operations.map(({ name }) => name));
const gaps = [
  ...definedOperations()
    .filter((name) => !known.has(name))
    .map((name) => `no command runs "${name}"`),
  ...refused
    .filter(({ isListed }) => !isListed)
    .map(({ operation, refusal }) => `"${operation}" does not list ${refusal}, and was refused by it`),
  ...operations.flatMap(({ name, refusals }) =>
    refusals
      .filter((refusal) => !refused.some((seen) => seen.operation === name && seen.refusal === refusal))
      .map((refusal) => `no test has seen "${name}" refused by ${refusal}`),
  ),
];
const listed = operations.reduce((sum, { refusals }) => sum + refusals.length, 0);
process.stdout.write(
  `${operations.length} operations of operators, ${listed} refusals, ${gaps.length} gaps\n`,
);
for (const gap of [...new Set(gaps)]) process.stderr.write(`${gap}\n`);
process.exitCode = gaps.length === 0 ? 0 : 1;
