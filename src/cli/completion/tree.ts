import type { Command, Option } from 'commander';

/** A place on the command line, and what may come next there. */
export type Place = {
  /** The words after `cadastre`, each with a space before it; empty at the top. */
  readonly at: string;
  readonly commands: readonly Word[];
  readonly options: readonly OptionWord[];
  /** Of its arguments, where only some are possible. */
  readonly choices: readonly string[];
  /** It takes a file. */
  readonly file: boolean;
};
export type Word = { readonly word: string; readonly about: string };
export type OptionWord = Word & { readonly takesValue: boolean; readonly choices: readonly string[] };

const HELP: OptionWord = { word: '--help', about: 'what the command takes', takesValue: false, choices: [] };

/** Every place of the command tree. Scripts are made of nothing else, so a new command is in them at once. */
export function placesOf(command: Command, at = ''): Place[] {
  const subs = command.commands.map((sub) => ({ word: sub.name(), about: sub.description() }));
  const args = command.registeredArguments;
  return [
    {
      at,
      commands: subs,
      options: [...command.options.map(optionWord), HELP],
      choices: args.flatMap(({ argChoices }) => argChoices ?? []),
      file: args.some((argument) => argument.name() === 'file'),
    },
    ...command.commands.flatMap((sub) => placesOf(sub, `${at} ${sub.name()}`)),
  ];
}

const optionWord = ({ long, flags, description, required, optional, argChoices }: Option): OptionWord => ({
  word: long ?? flags,
  about: description,
  takesValue: required || optional,
  choices: argChoices ?? [],
});

/** A word of any of the three shells that stands for itself. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
