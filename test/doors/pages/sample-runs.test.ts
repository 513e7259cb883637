import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { blocksOf, ROOT } from '../../docs/markdown.ts';
import { phpCommand } from '../../support/php.ts';
import { freshRegistryForThisTest } from '../../support/registry.ts';

const run = promisify(execFile);
/** Calls whose documented examples work on a fresh sandbox in this order. */
const JOURNEY = [
  ['contacts', 'createContact'],
  ['contacts', 'readContact'],
  ['contacts', 'listContacts'],
  ['domains', 'checkDomains'],
  ['billing', 'readBalance'],
] as const;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'cadastre-runs-'));
  await mkdir(path.join(folder, 'node_modules'));
  await symlink(path.join(ROOT, 'packages/sdk'), path.join(folder, 'node_modules/cadastre-sdk'));
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The examples of the journey as a fresh sandbox shows them, with the setup of the language. */
async function journeyIn(code: string, fence: string): Promise<{ setup: string; calls: string[] }> {
  const registry = await freshRegistryForThisTest();
  let setup = '';
  const calls: string[] = [];
  for (const [group, id] of JOURNEY) {
    const page = await (await fetch(`${registry.url}/docs/registrar/${group}.md?code=${code}`)).text();
    const [head = ''] = page.split('\n## ', 1);
    setup = blocksOf(head)[0]?.text ?? '';
    const section = page.split('\n## ').find((each) => each.includes(`\` (${id})`)) ?? '';
    calls.push(blocksOf(section).find(({ language }) => language === fence)?.text ?? expect.fail(id));
  }
  return { setup, calls };
}

/** Runs a program that is written to a file, and returns what it prints. */
async function printed(name: string, program: string, ...command: [string, ...string[]]): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, program);
  onTestFinished(() => rm(file));
  const [first, ...words] = command;
  return (await run(first, [...words, file], { cwd: folder })).stdout;
}

describe('the examples of /docs against the sandbox that shows them', () => {
  test('success: curl', async () => {
    const { calls } = await journeyIn('curl', 'sh');
    const answers = [];
    for (const command of calls)
      answers.push(JSON.parse((await run('/bin/sh', ['-c', command.replace('curl ', 'curl -s ')])).stdout));
    expect(answers.map(({ code }) => code)).toEqual(JOURNEY.map(() => 1000));
    expect(answers.at(-1).data.balance).toBe('100000.00');
  });

  test('success: TypeScript, by the client', async () => {
    const { setup, calls } = await journeyIn('typescript', 'ts');
    const told = calls.map((lines) =>
      lines.startsWith('const { data }')
        ? `{\n${lines}\nconsole.log(JSON.stringify(data));\n}`
        : `{\n${lines}\n}`,
    );
    const output = await printed('journey.ts', [setup, ...told].join('\n'), process.execPath);
    expect(output).toContain('{"contact":{"code":"mari"');
    expect(output).toContain('"balance":"100000.00"');
  });

  test('success: Python', async ({ skip }) => {
    const hasRequests = await run('python3', ['-c', 'import requests']).then(
      () => true,
      () => false,
    );
    if (!hasRequests) return skip('there is no python3 with the package requests on this machine');
    const { setup, calls } = await journeyIn('python', 'python');
    const output = await printed('journey.py', [setup, ...calls].join('\n'), 'python3');
    expect(output.match(/^200 \{'code': 1000/gm)).toHaveLength(JOURNEY.length);
  });

  test('success: PHP', async ({ skip }) => {
    const php = phpCommand();
    if ('reason' in php) return skip(php.reason);
    const { setup, calls } = await journeyIn('php', 'php');
    const output = await printed('journey.php', [setup, ...calls].join('\n'), ...php.command);
    expect(output.match(/\[code\] => 1000/g)).toHaveLength(JOURNEY.length);
  });

  test('success: Java', { timeout: 60_000 }, async ({ skip }) => {
    const hasJava = await run('javac', ['-version']).then(
      () => true,
      () => false,
    );
    if (!hasJava) return skip('there is no javac on this machine');
    const { setup, calls } = await journeyIn('java', 'java');
    const [imports = '', registry = ''] = setup.split(/(?=^final class)/m);
    const main = `public static void main(String[] args) throws Exception {\n${calls.map((lines) => `{\n${lines}\n}`).join('\n')}\n}`;
    const program = `${imports}class Journey {\n${main}\n}\n${registry}`;
    const output = await printed('Journey.java', program, 'java');
    expect(output.match(/^\{"code":1000/gm)).toHaveLength(JOURNEY.length);
  });
});
