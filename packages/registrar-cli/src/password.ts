import { readFile } from 'node:fs/promises';
import readline from 'node:readline';
import { Writable } from 'node:stream';
import { type Environment, UsageError } from './command.ts';
import { type Profile, requireOwn } from './profiles.ts';

/** The password, from the environment, a file or the terminal; never from the arguments, which others can see. */
export async function findPassword(
  environment: Environment,
  { passwordFile, username }: Profile,
): Promise<string> {
  const { CADASTRE_PASSWORD } = environment.variables;
  if (CADASTRE_PASSWORD) return CADASTRE_PASSWORD;
  if (passwordFile !== undefined) {
    await requireOwn(passwordFile);
    return (await readFile(passwordFile, 'utf8')).replace(/\r?\n$/, '');
  }
  if (!environment.stdin.isTTY)
    throw new UsageError('no password: set CADASTRE_PASSWORD, or give the profile a --password-file');
  return askHidden(environment, `Password of ${username}: `);
}

/** A secret of the terminal, not shown, or the first line of another input. */
export async function askHidden({ stdin, stderr, signal }: Environment, question: string): Promise<string> {
  const isTerminal = stdin.isTTY === true;
  if (isTerminal) stderr.write(question);
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = readline.createInterface({ input: stdin, output: hidden, terminal: isTerminal });
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve);
      lines.once('close', () => resolve(''));
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  } finally {
    lines.close();
    if (isTerminal) stderr.write('\n');
  }
}
