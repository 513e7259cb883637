/**
 * After a whole test run: fails on an operation of operators that was refused by what it does not list, and on a refusal that
 * it lists and no test has seen.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { RefusedOperation } from '../../src/operations/operator-operation.ts';
import { operatorOperations } from '../support/operator-operations.ts';

const folder = path.join(import.meta.dirname, '../../coverage/observations');
const refused = readdirSync(folder)
  .filter((file) => file.endsWith('.operator-refusals'))
  .flatMap((file) => readFileSync(path.join(folder, file), 'utf8').trim().split('\n'))
  .map((line) => JSON.parse(line) as RefusedOperation);

const operations = await operatorOperations();
const gaps = [
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
