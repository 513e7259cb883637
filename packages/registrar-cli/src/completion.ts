import type { Command, Options } from './command.ts';
import { findCommand } from './find-command.ts';

/** What can follow the words so far: the next word of a command, or an option. */
export function candidates(
  commands: readonly Command[],
  optionsOf: (command: Command) => Options,
  words: readonly string[],
): string[] {
  const before = words.slice(0, -1).filter((word) => !word.startsWith('-'));
  const last = words.at(-1) ?? '';
  const matching = commands
    .map(({ name }) => name.split(' '))
    .filter((parts) => before.every((word, index) => parts[index] === word));
  const next = matching.flatMap((parts) => parts[before.length] ?? []);
  const command = findCommand(commands, before);
  const options = Object.keys(command ? optionsOf(command) : {}).map((name) => `--${name}`);
  const all = last.startsWith('-') ? options : next;
  return [...new Set(all)].filter((word) => word.startsWith(last)).sort();
}

const BASH = `_cadastre_registrar() {
  COMPREPLY=($(cadastre-registrar complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}"))
}
complete -o default -F _cadastre_registrar cadastre-registrar
`;

export const scripts: Readonly<Record<string, string>> = {
  bash: BASH,
  zsh: `autoload -U +X bashcompinit && bashcompinit\n${BASH}`,
  fish: `complete -c cadastre-registrar -f -a '(cadastre-registrar complete -- (commandline -opc)[2..] (commandline -ct))'\n`,
};
