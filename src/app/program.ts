import { Command, CommanderError } from 'commander';
import { explain } from '../commands/terminal/explain.ts';
import type { Operating } from '../commands/terminal/operate.ts';
import { printError } from '../commands/terminal/output.ts';
import { commandEnvironment } from '../platform/config/command-environment.ts';
import type { Config } from '../platform/config/config.ts';
import { escapeInvisibleInLines } from '../platform/values/normalise-text.ts';
import { version } from '../platform/version.ts';
import { policy } from '../policy/installed.ts';
import type { DoorName } from './product-dependencies.ts';
import type { SandboxOptions } from './sandbox.ts';

const DONE = 0;
const FAILED = 1;
const MISUSED = 2;

const EXIT_CODES = `
Exit codes: ${DONE} done, ${FAILED} not done (the reason stands on standard error), ${MISUSED} the command was written wrongly.
Settings come from the environment and from the file that CADASTRE_CONFIG names; see: cadastre settings`;

// What a command is given is loaded when it runs: the servers and all jobs, which no other command needs.
const runSandbox = async (options: SandboxOptions) => (await import('./sandbox.ts')).runSandbox(options);
const work = async () => (await import('./production.ts')).work();
const openProvider = async (config: Config) =>
  (await import('./simulator-addresses.ts')).openOwnProvider(config);
const examineInstallation = async () => (await import('./examine-installation.ts')).examineInstallation();
const runJob = async (name: string, options: Operating) =>
  (await import('./run-job-now.ts')).runHere(name, options);
const jobLimits = async () => (await import('./job-effects.ts')).limitsOf(policy);

async function serve(doors: readonly DoorName[] | undefined, processes: number): Promise<void> {
  const { processNumber } = await import('./processes/supervised-process.ts');
  if (processes > 1 && processNumber() === undefined)
    await (await import('./processes/supervisor.ts')).serveInProcesses(doors, processes);
  else await (await import('./production.ts')).serve(doors, processes);
}

/** Each command is loaded when it is called, so that none pays for the others. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  sandbox: async () => (await import('../commands/serve-command.ts')).sandboxCommand(runSandbox),
  serve: async () =>
    (await import('../commands/serve-command.ts')).serveCommand(
      (await import('./product-dependencies.ts')).DOORS,
      serve,
    ),
  work: async () => (await import('../commands/serve-command.ts')).workCommand(work),
  migrate: async () => (await import('../commands/migrate-command.ts')).migrateCommand(),
  backup: async () => (await import('../commands/backup-command.ts')).backupCommand(),
  restore: async () => (await import('../commands/restore-command.ts')).restoreCommand(),
  registrar: async () => (await import('../commands/registrar-command.ts')).registrarCommand(),
  user: async () => (await import('../commands/user-command.ts')).userCommand(),
  person: async () => (await import('../commands/person-command.ts')).personCommand(),
  ip: async () => (await import('../commands/ip-command.ts')).ipCommand(),
  ca: async () => (await import('../commands/ca-command.ts')).caCommand(),
  cert: async () => (await import('../commands/cert-command.ts')).certCommand(),
  clock: async () => (await import('../commands/clock-command.ts')).clockCommand(),
  epp: async () => (await import('../commands/epp-command.ts')).eppCommand(),
  dns: async () => (await import('../commands/dns-command.ts')).dnsCommand(),
  price: async () => (await import('../commands/price-command.ts')).priceCommand(),
  zone: async () => (await import('../commands/zone-command.ts')).zoneCommand(),
  reserved: async () => (await import('../commands/reserved-command.ts')).reservedCommand(),
  blocked: async () => (await import('../commands/blocked-command.ts')).blockedCommand(),
  portal: async () => (await import('../commands/portal-command.ts')).portalCommand(),
  rdap: async () => (await import('../commands/rdap-command.ts')).rdapCommand(),
  domain: async () => (await import('../commands/domain-command.ts')).domainCommand(),
  'force-delete': async () => (await import('../commands/force-delete-command.ts')).forceDeleteCommand(),
  dispute: async () => (await import('../commands/dispute-command.ts')).disputeCommand(),
  contact: async () => (await import('../commands/contact-command.ts')).contactCommand(),
  history: async () => (await import('../commands/history-command.ts')).historyCommand(),
  ledger: async () => (await import('../commands/ledger-command.ts')).ledgerCommand(),
  billing: async () => (await import('../commands/billing-command.ts')).billingCommand(openProvider),
  bank: async () => (await import('../commands/bank-command.ts')).bankCommand(),
  statement: async () => (await import('../commands/statement-command.ts')).statementCommand(),
  mail: async () => (await import('../commands/mail.ts')).mailCommand(),
  delivery: async () => (await import('../commands/delivery.ts')).deliveryCommand(),
  webhook: async () => (await import('../commands/webhook-command.ts')).webhookCommand(),
  job: async () =>
    (await import('../commands/job-command.ts')).jobCommand({
      run: runJob,
      limits: jobLimits,
      describe: (await import('./job-descriptions.ts')).describeJob,
    }),
  maintenance: async () => (await import('../commands/maintenance-command.ts')).maintenanceCommand(),
  recovery: async () => (await import('../commands/recovery-command.ts')).recoveryCommand(),
  staging: async () => (await import('../commands/staging-command.ts')).stagingCommand(),
  doctor: async () => (await import('../commands/doctor-command.ts')).doctorCommand(examineInstallation),
  settings: async () => (await import('../commands/settings-command.ts')).settingsCommand(),
  completion: async () => (await import('../commands/completion-command.ts')).completionCommand(),
};

/** Completion describes all commands. */
const NEEDS_ALL = 'completion';
const ownCommand = (name: string) => (Object.hasOwn(commands, name) ? commands[name] : undefined);

const VERSION = ['-V', '--version'];

/** The whole program, or with a single command or none where that is enough. */
export async function program(only?: string): Promise<Command> {
  const cadastre = new Command('cadastre')
    .description("A national domain registry: the server, its jobs and the operator's commands.")
    .version(version)
    .addHelpText('after', EXIT_CODES);
  const one = only === undefined || NEEDS_ALL === only ? undefined : ownCommand(only);
  const needed = only !== undefined && VERSION.includes(only) ? [] : one ? [one] : Object.values(commands);
  for (const load of needed) cadastre.addCommand(await load());
  overrideExit(cadastre);
  return cadastre;
}

/** Runs one command line and returns its exit code. */
export async function run(argv: readonly string[]): Promise<number> {
  try {
    const [, , first, second] = argv;
    await (await program(first === 'help' ? second : first)).parseAsync(argv);
    return DONE;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : MISUSED;
    printError(explain(error));
    return FAILED;
  }
}

/** Commander would exit the process itself; we need the exit code, at every level. */
function overrideExit(command: Command): void {
  command
    .exitOverride()
    .showHelpAfterError('(add --help to see what the command takes)')
    // Commander's messages quote the arguments, so invisible characters are escaped.
    .configureOutput({
      writeOut: (text) => void commandEnvironment().stdout.write(text),
      writeErr: (text) => void commandEnvironment().stderr.write(escapeInvisibleInLines(text)),
    });
  for (const sub of command.commands) overrideExit(sub);
}
