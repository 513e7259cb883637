import { Command, CommanderError } from 'commander';
import { commandEnvironment } from '../platform/config/command-environment.ts';
import { escapeInvisibleInLines } from '../platform/values/text.ts';
import { explain } from './explain.ts';
import { printError } from './output.ts';
import { version } from './version.ts';

export const DONE = 0;
export const FAILED = 1;
export const MISUSED = 2;

const EXIT_CODES = `
Exit codes: ${DONE} done, ${FAILED} not done (the reason stands on standard error), ${MISUSED} the command was written wrongly.
Settings come from the environment and from the file that CADASTRE_CONFIG names; see: cadastre settings`;

/** Each is loaded when it is called, so that none waits for all the others. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  sandbox: async () => (await import('./run.ts')).sandboxCommand(),
  serve: async () => (await import('./run.ts')).serveCommand(),
  work: async () => (await import('./run.ts')).workCommand(),
  migrate: async () => (await import('./migrate.ts')).migrateCommand(),
  registrar: async () => (await import('./registrar.ts')).registrarCommand(),
  user: async () => (await import('./user.ts')).userCommand(),
  ip: async () => (await import('./ip.ts')).ipCommand(),
  ca: async () => (await import('./ca.ts')).caCommand(),
  cert: async () => (await import('./cert.ts')).certCommand(),
  price: async () => (await import('./price.ts')).priceCommand(),
  zone: async () => (await import('./zone.ts')).zoneCommand(),
  reserved: async () => (await import('./reserved.ts')).reservedCommand(),
  blocked: async () => (await import('./blocked.ts')).blockedCommand(),
  portal: async () => (await import('./portal.ts')).portalCommand(),
  domain: async () => (await import('./domain.ts')).domainCommand(),
  'force-delete': async () => (await import('./force-delete.ts')).forceDeleteCommand(),
  dispute: async () => (await import('./dispute.ts')).disputeCommand(),
  contact: async () => (await import('./contact.ts')).contactCommand(),
  history: async () => (await import('./history.ts')).historyCommand(),
  ledger: async () => (await import('./ledger.ts')).ledgerCommand(),
  billing: async () => (await import('./billing-command.ts')).billingCommand(),
  bank: async () => (await import('./bank.ts')).bankCommand(),
  statement: async () => (await import('./statement.ts')).statementCommand(),
  mail: async () => (await import('./mail.ts')).mailCommand(),
  delivery: async () => (await import('./delivery.ts')).deliveryCommand(),
  job: async () => (await import('./job.ts')).jobCommand(),
  maintenance: async () => (await import('./maintenance.ts')).maintenanceCommand(),
  doctor: async () => (await import('./doctor.ts')).doctorCommand(),
  settings: async () => (await import('./settings.ts')).settingsCommand(),
  completion: async () => (await import('./completion.ts')).completionCommand(),
};

/** It tells of all the others. */
const NEEDS_ALL = 'completion';
const ownCommand = (name: string) => (Object.hasOwn(commands, name) ? commands[name] : undefined);

/** The whole of it, or with one command alone where that is enough. */
export async function program(only?: string): Promise<Command> {
  const cadastre = new Command('cadastre')
    .description("A national domain registry: the server, its jobs and the operator's commands.")
    .version(version)
    .addHelpText('after', EXIT_CODES);
  const one = only === undefined || NEEDS_ALL === only ? undefined : ownCommand(only);
  for (const load of one ? [one] : Object.values(commands)) cadastre.addCommand(await load());
  overrideExit(cadastre);
  return cadastre;
}

/** Runs one command line and returns its exit code. */
export async function run(argv: readonly string[]): Promise<number> {
  try {
    const [, , first] = argv;
    await (await program(first)).parseAsync(argv);
    return DONE;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : MISUSED;
    printError(explain(error));
    return FAILED;
  }
}

/** Commander would end the process itself; we want the code back, from every level. */
function overrideExit(command: Command): void {
  command
    .exitOverride()
    .showHelpAfterError('(add --help to see what the command takes)')
    // What commander complains about is shown with it.
    .configureOutput({
      writeOut: (text) => void commandEnvironment().stdout.write(text),
      writeErr: (text) => void commandEnvironment().stderr.write(escapeInvisibleInLines(text)),
    });
  for (const sub of command.commands) overrideExit(sub);
}
