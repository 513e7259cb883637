import type { Command, Option } from 'commander';

/** A position on the command line and its possible next words. */
export type CompletionNode = {
  /** The words after `cadastre`, each with a space before it; empty at the top. */
  readonly at: string;
  readonly commands: readonly CommandWord[];
  readonly options: readonly OptionWord[];
  /** The possible values of its arguments, where they are limited. */
  readonly choices: readonly string[];
  /** It takes a file. */
  readonly file: boolean;
};
export type CommandWord = { readonly word: string; readonly about: string };
export type OptionWord = CommandWord & { readonly takesValue: boolean; readonly choices: readonly string[] };

const HELP: OptionWord = { word: '--help', about: 'what the command takes', takesValue: false, choices: [] };

/** All positions of the command tree. The scripts are generated from them alone, so new commands are included. */
export function completionNodesOf(command: Command, at = ''): CompletionNode[] {
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
    ...command.commands.flatMap((sub) => completionNodesOf(sub, `${at} ${sub.name()}`)),
  ];
}

const optionWord = ({ long, flags, description, required, optional, argChoices }: Option): OptionWord => ({
  word: long ?? flags,
  about: description,
  takesValue: required || optional,
  choices: argChoices ?? [],
});

/** Quotes a literal word for any of the three shells. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export function bashScript(nodes: readonly CompletionNode[]): string {
  const known = nodes.flatMap(({ at }) => (at === '' ? [] : [quoted(at)]));
  return `# Completion of cadastre for bash. Put into ~/.bashrc:  eval "$(cadastre completion bash)"
_cadastre() {
  local at='' found='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at $word" in
      ${known.join('|')}) at="$at $word" ;;
    esac
  done
  case "$at:\${COMP_WORDS[COMP_CWORD-1]}" in
${nodes.flatMap(bashValues).join('\n')}
    *) case "$at" in
${nodes.map(bashWords).join('\n')}
      esac ;;
  esac
  COMPREPLY=($(compgen -W "$found" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _cadastre cadastre
`;
}

/** Values of an option. Where any value is allowed the shell offers files. */
const bashValues = ({ at, options }: CompletionNode): string[] =>
  options
    .filter(({ takesValue }) => takesValue)
    .map(({ word, choices }) => `    ${quoted(`${at}:${word}`)}) found=${quoted(choices.join(' '))} ;;`);

const bashWords = ({ at, commands, options, choices }: CompletionNode): string => {
  const words = [...commands, ...options].map(({ word }) => word);
  return `      ${quoted(at)}) found=${quoted([...choices, ...words].join(' '))} ;;`;
};

export function fishScript(nodes: readonly CompletionNode[]): string {
  const known = nodes.flatMap(({ at }) => (at === '' ? [] : [quoted(at)]));
  return `# Completion of cadastre for fish. Put into ~/.config/fish/config.fish:  cadastre completion fish | source
function __cadastre_at
  set -l at ''
  for word in (commandline -opc)[2..-1]
    switch "$at $word"
      case ${known.join(' ')}
        set at "$at $word"
    end
  end
  test "$at" = "$argv[1]"
end
complete -c cadastre -f
${nodes.flatMap(linesOf).join('\n')}
`;
}

function linesOf({ at, commands, options, choices, file }: CompletionNode): string[] {
  const line = (rest: string) => `complete -c cadastre -n ${quoted(`__cadastre_at "${at}"`)} ${rest}`;
  return [
    ...(file ? [line('-F')] : []),
    ...(choices.length > 0 ? [line(`-a ${quoted(choices.join(' '))}`)] : []),
    ...commands.map(({ word, about }) => line(`-a ${word} -d ${quoted(about)}`)),
    ...options.map(({ word, about, takesValue, choices: values }) => {
      const value = values.length > 0 ? ` -x -a ${quoted(values.join(' '))}` : takesValue ? ' -r' : '';
      return line(`-l ${word.replace(/^--/, '')}${value} -d ${quoted(about)}`);
    }),
  ];
}

export function zshScript(nodes: readonly CompletionNode[]): string {
  const known = nodes.flatMap(({ at }) => (at === '' ? [] : [quoted(at)]));
  return `#compdef cadastre
# Completion of cadastre for zsh. Put into ~/.zshrc, below compinit:  eval "$(cadastre completion zsh)"
_cadastre() {
  local at='' word
  local -a found
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
      (${known.join('|')}) at="$at $word" ;;
    esac
  done
  case "$at:\${words[CURRENT-1]}" in
${nodes.flatMap(zshValues).join('\n')}
    (*) case "$at" in
${nodes.map(zshWords).join('\n')}
      esac ;;
  esac
  _describe 'cadastre' found
}
if [[ "\${funcstack[1]}" == _cadastre ]]; then _cadastre "$@"; else compdef _cadastre cadastre; fi
`;
}

/** Values of an option; files where any value is allowed. */
const zshValues = ({ at, options }: CompletionNode): string[] =>
  options
    .filter(({ takesValue }) => takesValue)
    .map(({ word, choices }) => {
      const then = choices.length > 0 ? `found=(${choices.map(quoted).join(' ')})` : '_files; return';
      return `    (${quoted(`${at}:${word}`)}) ${then} ;;`;
    });

const zshWords = ({ at, commands, options, choices, file }: CompletionNode): string => {
  const words = [...choices.map(quoted), ...commands.map(described), ...options.map(described)];
  return `      (${quoted(at)}) found=(${words.join(' ')})${file ? '; _files' : ''} ;;`;
};

/** Zsh shows the text after the first colon as the description. */
const described = ({ word, about }: CommandWord): string => quoted(`${word}:${about}`);
