import { Argument, Command } from 'commander';
import { commandEnvironment } from '../platform/config/command-environment.ts';
import { bashScript, completionNodesOf, fishScript, zshScript } from './terminal/completion-scripts.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };
type Shell = keyof typeof SCRIPTS;

export function completionCommand(): Command {
  const command = new Command('completion')
    .description('a script that lets the Tab key complete commands and options')
    .addArgument(new Argument('<shell>', 'for which shell').choices(Object.keys(SCRIPTS)))
    .addHelpText('after', '\nExample, in ~/.bashrc: eval "$(cadastre completion bash)"')
    .action((shell: Shell) => {
      commandEnvironment().stdout.write(SCRIPTS[shell](completionNodesOf(command.parent ?? command)));
    });
  return command;
}
