import { type Place, quoted } from './tree.ts';

export function bashScript(places: readonly Place[]): string {
  const known = places.flatMap(({ at }) => (at === '' ? [] : [quoted(at)]));
  return `# Completion of cadastre for bash. Put into ~/.bashrc:  eval "$(cadastre completion bash)"
_cadastre() {
  local at='' found='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at $word" in
      ${known.join('|')}) at="$at $word" ;;
    esac
  done
  case "$at:\${COMP_WORDS[COMP_CWORD-1]}" in
${places.flatMap(valuesOf).join('\n')}
    *) case "$at" in
${places.map(wordsOf).join('\n')}
      esac ;;
  esac
  COMPREPLY=($(compgen -W "$found" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _cadastre cadastre
`;
}

/** What may follow an option. Where it is free the shell offers files, which harms nobody. */
const valuesOf = ({ at, options }: Place): string[] =>
  options
    .filter(({ takesValue }) => takesValue)
    .map(({ word, choices }) => `    ${quoted(`${at}:${word}`)}) found=${quoted(choices.join(' '))} ;;`);

const wordsOf = ({ at, commands, options, choices }: Place): string => {
  const words = [...commands, ...options].map(({ word }) => word);
  return `      ${quoted(at)}) found=${quoted([...choices, ...words].join(' '))} ;;`;
};
