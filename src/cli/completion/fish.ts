import { type Place, quoted } from './tree.ts';

export function fishScript(places: readonly Place[]): string {
  const known = places.flatMap(({ at }) => (at === '' ? [] : [quoted(at)]));
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
${places.flatMap(linesOf).join('\n')}
`;
}

function linesOf({ at, commands, options, choices, file }: Place): string[] {
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
