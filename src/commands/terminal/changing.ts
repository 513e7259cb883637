import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { commandEnvironment } from '../../platform/config/command-environment.ts';
import { escapeInvisibleInLines } from '../../platform/values/normalise-text.ts';
import { CommandError, print, printFields, type Row } from './output.ts';

/** Options of a command that writes; passed on to `withDatabase`, `confirmed` and `tell`. */
export type Changing = {
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly yes?: boolean;
};

export const withJson = (command: Command): Command => command.option('--json', 'for scripts');

/** Adds the options of every command that writes. */
export const changing = (command: Command): Command =>
  withJson(command).option('--dry-run', 'try it and say what would happen; nothing is changed');

/** The same for an irreversible command, which must call `confirmed` first. */
export const irreversible = (command: Command): Command =>
  changing(command).option('--yes', 'do not ask whether it is meant');

type Terminal = {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
};
const here = (): Terminal => {
  const { stdin, stderr } = commandEnvironment();
  return { input: stdin, output: stderr };
};

/** Asks for confirmation at a terminal; without one, --yes is required. */
export async function requireConfirmation(
  { yes, dryRun }: Changing,
  consequence: string,
  terminal: Terminal = here(),
): Promise<void> {
  if (yes || dryRun) return;
  const { input, output } = terminal;
  if (!input.isTTY)
    throw new CommandError(
      `${consequence} That cannot be undone, and there is no terminal to ask at: add --yes if it is meant.`,
    );
  const prompt = createInterface({ input, output });
  // End of input instead of an answer counts as no.
  const closed = new Promise<string>((resolve) => prompt.once('close', () => resolve('')));
  const answer = await Promise.race([
    prompt.question(`${escapeInvisibleInLines(consequence)} That cannot be undone. Go on? [y/N] `),
    closed,
  ]);
  prompt.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('Nothing was changed.');
}

/** A generated secret, as text for people and as data for scripts. */
export type CreatedSecret = { readonly said: string; readonly shown: Row };

/**
 * Prints what was done, or what a dry run would have done: a sentence for people, data for scripts. A secret generated
 * by a dry run is not valid and not shown.
 */
export function printResult(
  { json, dryRun }: Changing,
  sentence: string,
  data: Row,
  secret: CreatedSecret = { said: '', shown: {} },
): void {
  if (dryRun && json) printFields({ ...data, dryRun }, json);
  else if (dryRun) print(`Dry run: nothing was changed. It would say:\n${sentence}`);
  else if (json) printFields({ ...data, ...secret.shown }, json);
  else print(sentence + secret.said);
}
