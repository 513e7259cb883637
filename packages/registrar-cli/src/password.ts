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
export async function askHidden(environment: Environment, question: string): Promise<string> {
  const [answer = ''] = await askAllHidden(environment, [question]);
  return answer;
}

/** Secrets one after the other, each a line of another input. */
export async function askAllHidden(
  { stdin, stderr, signal }: Environment,
  questions: readonly string[],
): Promise<string[]> {
  const isTerminal = stdin.isTTY === true;
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = readline.createInterface({ input: stdin, output: hidden, terminal: isTerminal });
  const answers: string[] = [];
  const ask = () => {
    if (isTerminal) stderr.write(`${answers.length > 0 ? '\n' : ''}${questions[answers.length]}`);
  };
  try {
    await new Promise<void>((resolve, reject) => {
      ask();
      lines.on('line', (line) => {
        answers.push(line);
        if (answers.length < questions.length) ask();
        else resolve();
      });
      lines.once('close', resolve);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    return answers.slice(0, questions.length);
  } finally {
    lines.close();
    if (isTerminal) stderr.write('\n');
  }
}
