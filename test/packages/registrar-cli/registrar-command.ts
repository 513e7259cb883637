import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { Environment } from '../../../packages/registrar-cli/src/command.ts';
import { runCommand } from '../../../packages/registrar-cli/src/program.ts';
import { onTestFinished } from '../../support/this-test.ts';

export type Ran = { readonly code: number; readonly out: string; readonly err: string };
export type RunOptions = {
  readonly variables?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly signal?: AbortSignal;
  /** Called with all output so far. */
  readonly onOutput?: (text: string) => void;
  readonly isTerminal?: true;
};

/** A home for the profiles of a test. */
export function homeForThisTest(): string {
  const home = mkdtempSync(path.join(os.tmpdir(), 'cadastre-registrar-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  return home;
}

function collector(isTTY: boolean, onOutput?: (text: string) => void) {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      onOutput?.(text);
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY }), text: () => text };
}

/** Runs the command like main.ts, in another environment. */
export async function registrarCommand(
  home: string,
  words: readonly string[],
  given: RunOptions = {},
): Promise<Ran> {
  const {
    variables = {},
    input = '',
    signal = new AbortController().signal,
    onOutput,
    isTerminal = false,
  } = given;
  const [out, err] = [collector(isTerminal, onOutput), collector(isTerminal)];
  const stdin = Object.assign(Readable.from([input]), { isTTY: false });
  const environment: Environment = { variables, home, stdin, stdout: out.stream, stderr: err.stream, signal };
  const code = await runCommand(words, environment);
  return { code, out: out.text(), err: err.text() };
}
