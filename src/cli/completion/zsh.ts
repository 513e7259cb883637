import { type Place, quoted, type Word } from './tree.ts';

export function zshScript(places: readonly Place[]): string {
  const known = places.flatMap(({ at }) => (at === '' ? [] : [quoted(at)]));
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
${places.flatMap(valuesOf).join('\n')}
    (*) case "$at" in
${places.map(wordsOf).join('\n')}
      esac ;;
  esac
  _describe 'cadastre' found
}
if [[ "\${funcstack[1]}" == _cadastre ]]; then _cadastre "$@"; else compdef _cadastre cadastre; fi
`;
}

/** What may follow an option; files where it is free. */
const valuesOf = ({ at, options }: Place): string[] =>
  options
    .filter(({ takesValue }) => takesValue)
    .map(({ word, choices }) => {
      const then = choices.length > 0 ? `found=(${choices.map(quoted).join(' ')})` : '_files; return';
      return `    (${quoted(`${at}:${word}`)}) ${then} ;;`;
    });

const wordsOf = ({ at, commands, options, choices, file }: Place): string => {
  const words = [...choices.map(quoted), ...commands.map(described), ...options.map(described)];
  return `      (${quoted(at)}) found=(${words.join(' ')})${file ? '; _files' : ''} ;;`;
};

/** What stands behind the first colon is shown beside the word. */
const described = ({ word, about }: Word): string => quoted(`${word}:${about}`);
