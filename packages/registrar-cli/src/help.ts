import type { Command, Options } from './command.ts';

const aligned = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join('');
};

const usage = ({ name, parameters }: Command): string => [name, parameters].filter(Boolean).join(' ');

export const overview = (commands: readonly Command[]): string =>
  `Usage: cadastre-registrar COMMAND [options]\n\n${aligned(commands.map((command) => [usage(command), command.summary]))}
cadastre-registrar COMMAND --help tells its options.\n`;

export const helpOf = (command: Command, options: Options): string =>
  `Usage: cadastre-registrar ${usage(command)} [options]\n\n${command.summary}.\n\n${aligned(
    Object.entries(options).map(([name, { value, description, multiple }]) => [
      `--${name}${value === undefined ? '' : ` ${value}`}`,
      `${description}${multiple ? '; can be repeated' : ''}`,
    ]),
  )}`;
