import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  LANGUAGES,
  type LanguageId,
  languageOf,
  readLanguage,
  sampleOf,
} from '../../../src/doors/pages/reference/samples/languages.ts';
import { type ShownApi, showApi } from '../../../src/doors/pages/reference/site.ts';
import { phpCommand } from '../../support/php.ts';
import { realApis } from '../../pages/fixture.ts';

const run = promisify(execFile);
const HOSTILE = `O'Neil "x" \\ \\n \${a} {$b} """ õ\u2028\n`;

/** The APIs, and one whose values are hard to quote, as in a sandbox and as in production. */
const apis: readonly ShownApi[] = [undefined, { username: "a'lpha", password: 'p"w\\' }].flatMap((user) => {
  const caller = { origin: 'http://registry.test', user };
  const shown = Object.entries(realApis).map(([name, document]) => showApi(name, document, caller));
  return [...shown, showApi('hard', hardToQuote(), caller)];
});

function hardToQuote(): object {
  const example = {
    [HOSTILE]: HOSTILE,
    none: null,
    yes: true,
    no: false,
    empty: {},
    list: [],
    deep: [{ n: -1.5 }],
  };
  const parameters = [
    { name: 'X-Y', in: 'header', example: HOSTILE.trim() },
    { name: 'q', in: 'query', example: HOSTILE },
  ];
  const content = { 'application/json': { schema: { type: 'object' }, example } };
  const responses = { 200: { description: 'Fine', content } };
  return { paths: { '/x/{id}': { post: { parameters, requestBody: { content }, responses } } } };
}

/** All that the reference shows in a language: of each API the setup and every call. */
const shownIn = (id: LanguageId) =>
  apis.map(({ api, samples }) => ({
    setup: languageOf(id).setup?.(samples) ?? '',
    calls: api.calls.map((call) => sampleOf(call, languageOf(id), samples)),
    samples,
  }));

/** What is wrong with files in a folder of their own, by a program; undefined if this machine has none. */
async function complaintsOf(
  files: Readonly<Record<string, string>>,
  command: (names: readonly string[]) => readonly [string, ...string[]],
): Promise<string | undefined> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'cadastre-samples-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  const [program, ...words] = command(Object.keys(files));
  return run(program, words, { cwd: folder }).then(
    () => '',
    (error: { code?: string; stderr?: string; stdout?: string }) =>
      error.code === 'ENOENT' ? undefined : `${error.stdout}${error.stderr}`,
  );
}

describe('examples in the languages', () => {
  test('success: each has every call, with its address', () => {
    for (const { id } of LANGUAGES)
      for (const { calls, samples } of shownIn(id))
        for (const lines of calls)
          if (!(id === 'typescript' && samples.hasClient)) expect(lines).toContain('http://registry.test');
    expect([readLanguage('php'), readLanguage('cobol'), readLanguage(['php'])]).toEqual([
      'php',
      'curl',
      'curl',
    ]);
  });

  test('success: a shell reads those of curl', async () => {
    const script = shownIn('curl')
      .flatMap(({ calls }) => calls)
      .join('\n');
    expect(await complaintsOf({ 'all.sh': script }, (names) => ['/bin/sh', '-n', ...names])).toBe('');
  });

  test('success: TypeScript reads its own; a test of the client checks the types of its calls', () => {
    for (const { setup, calls } of shownIn('typescript')) {
      const reportDiagnostics = ts.transpileModule(
        [setup, ...calls.map((lines) => `{\n${lines}\n}`)].join('\n'),
        {
          reportDiagnostics: true,
          compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext },
        },
      );
      expect(reportDiagnostics.diagnostics?.map(({ messageText }) => messageText)).toEqual([]);
    }
  });

  test('success: Python reads its own', async ({ skip }) => {
    const files = Object.fromEntries(
      shownIn('python').map(({ setup, calls }, place) => [`api${place}.py`, [setup, ...calls].join('\n')]),
    );
    const check =
      'import ast, sys\nfor name in sys.argv[1:]: ast.parse(open(name, encoding="utf-8").read(), name)';
    const complaints = await complaintsOf(files, (names) => ['python3', '-c', check, ...names]);
    if (complaints === undefined) return skip('there is no python3 on this machine');
    expect(complaints).toBe('');
  });

  test('success: PHP reads its own', async ({ skip }) => {
    const files = Object.fromEntries(
      shownIn('php').map(({ setup, calls }, place) => [`api${place}.php`, [setup, ...calls].join('\n')]),
    );
    const php = phpCommand();
    if ('reason' in php) return skip(php.reason);
    for (const [name, text] of Object.entries(files))
      expect(await complaintsOf({ [name]: text }, () => [...php.command, '-l', name])).toBe('');
  });

  test('success: Java compiles its own', { timeout: 60_000 }, async ({ skip }) => {
    const files = Object.fromEntries(
      shownIn('java').flatMap(({ setup, calls }, place) => {
        const methods = calls.map((lines, at) => `static void call${at}() throws Exception {\n${lines}\n}`);
        return [
          [`api${place}/Registry.java`, `package api${place};\n${setup}`],
          [`api${place}/Calls.java`, `package api${place};\nclass Calls {\n${methods.join('\n')}\n}`],
        ];
      }),
    );
    const complaints = await complaintsOf(files, (names) => ['javac', '-encoding', 'UTF-8', ...names]);
    if (complaints === undefined) return skip('there is no javac on this machine');
    expect(complaints).toBe('');
  });
});
