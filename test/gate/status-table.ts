/**
 * After a whole test run: makes the table endpoint × status × test from what the run saw, and fails on a gap.
 * A gap is a status that the API document promises for a call and no test has seen, or a row of the table of
 * statuses that no test shows by name.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { everyEndpoint } from '../support/endpoints.ts';
import { rows } from '../support/rows.ts';

type Observation = { operation: string; status: number; code: number; test: string };

const folder = path.join(import.meta.dirname, '../../coverage');
const observations = readdirSync(path.join(folder, 'observations'))
  .filter((file) => file.endsWith('.jsonl'))
  .flatMap((file) =>
    readFileSync(path.join(folder, 'observations', file), 'utf8')
      .trim()
      .split('\n'),
  )
  .map((line) => JSON.parse(line) as Observation);

const cells = everyEndpoint().flatMap(({ id, statuses }) =>
  statuses.map((status) => {
    const seen = observations.filter((item) => item.operation === id && item.status === status);
    return {
      id,
      status,
      codes: [...new Set(seen.map(({ code }) => code))],
      tests: new Set(seen.map(({ test }) => test)),
    };
  }),
);
const shown = Object.entries(rows).map(([name, [status, code]]) => {
  const tests = observations.filter(
    (item) => item.test.includes(`[${name}: `) && item.status === status && item.code === code,
  );
  return { name, status, code, tests: new Set(tests.map(({ test }) => test)) };
});

const table = [
  '| call | status | codes | tests | for example |',
  '|---|---|---|---|---|',
  ...cells.map(
    ({ id, status, codes, tests }) =>
      `| ${id} | ${status} | ${codes.join(', ')} | ${tests.size} | ${[...tests][0] ?? 'NONE'} |`,
  ),
  '',
  '| row | status | code | tests |',
  '|---|---|---|---|',
  ...shown.map(({ name, status, code, tests }) => `| ${name} | ${status} | ${code} | ${tests.size} |`),
];
writeFileSync(path.join(folder, 'status-table.md'), `${table.join('\n')}\n`);

const gaps = [
  ...cells
    .filter(({ tests }) => tests.size === 0)
    .map(({ id, status }) => `no test has seen ${id} answer ${status}`),
  ...shown
    .filter(({ tests }) => tests.size === 0)
    .map(({ name, status, code }) => `no test shows the row "${name}" (${status}/${code})`),
];
process.stdout.write(
  `${cells.length} pairs of call and status, ${shown.length} rows of the table of statuses, ${gaps.length} gaps\n`,
);
for (const gap of gaps) process.stderr.write(`${gap}\n`);
process.exitCode = gaps.length === 0 ? 0 : 1;
