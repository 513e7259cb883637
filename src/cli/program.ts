import { Command, CommanderError } from 'commander';
import { bankCommand } from './bank.ts';
import { billingCommand } from './billing-command.ts';
import { blockedCommand } from './blocked.ts';
import { caCommand } from './ca.ts';
import { certCommand } from './cert.ts';
import { completionCommand } from './completion.ts';
import { contactCommand } from './contact.ts';
import { deliveryCommand } from './delivery.ts';
import { disputeCommand } from './dispute.ts';
import { doctorCommand } from './doctor.ts';
import { domainCommand } from './domain.ts';
import { explain } from './explain.ts';
import { forceDeleteCommand } from './force-delete.ts';
import { historyCommand } from './history.ts';
import { ipCommand } from './ip.ts';
import { jobCommand } from './job.ts';
import { ledgerCommand } from './ledger.ts';
import { mailCommand } from './mail.ts';
import { maintenanceCommand } from './maintenance.ts';
import { migrateCommand } from './migrate.ts';
import { portalCommand } from './portal.ts';
import { priceCommand } from './price.ts';
import { registrarCommand } from './registrar.ts';
import { reservedCommand } from './reserved.ts';
import { sandboxCommand, serveCommand, workCommand } from './run.ts';
import { settingsCommand } from './settings.ts';
import { statementCommand } from './statement.ts';
import { userCommand } from './user.ts';
import { version } from './version.ts';
import { zoneCommand } from './zone.ts';

export const DONE = 0;
export const FAILED = 1;
export const MISUSED = 2;

const EXIT_CODES = `
Exit codes: ${DONE} done, ${FAILED} not done (the reason stands on standard error), ${MISUSED} the command was written wrongly.
Settings come from the environment and from the file that CADASTRE_CONFIG names; see: cadastre settings`;

export function program(): Command {
  const cadastre = new Command('cadastre')
    .description("A national domain registry: the server, its jobs and the operator's commands.")
    .version(version)
    .addHelpText('after', EXIT_CODES);
  for (const command of [
    sandboxCommand(),
    serveCommand(),
    workCommand(),
    migrateCommand(),
    registrarCommand(),
    userCommand(),
    ipCommand(),
    caCommand(),
    certCommand(),
    priceCommand(),
    zoneCommand(),
    reservedCommand(),
    blockedCommand(),
    portalCommand(),
    domainCommand(),
    forceDeleteCommand(),
    disputeCommand(),
    contactCommand(),
    historyCommand(),
    ledgerCommand(),
    billingCommand(),
    bankCommand(),
    statementCommand(),
    mailCommand(),
    deliveryCommand(),
    jobCommand(),
    maintenanceCommand(),
    doctorCommand(),
    settingsCommand(),
    completionCommand(),
  ]) {
    cadastre.addCommand(command);
  }
  overrideExit(cadastre);
  return cadastre;
}

/** Runs one command line and returns its exit code. */
export async function run(argv: readonly string[]): Promise<number> {
  try {
    await program().parseAsync(argv);
    return DONE;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : MISUSED;
    process.stderr.write(`${explain(error)}\n`);
    return FAILED;
  }
}

/** Commander would end the process itself; we want the code back, from every level. */
function overrideExit(command: Command): void {
  command.exitOverride().showHelpAfterError('(add --help to see what the command takes)');
  for (const sub of command.commands) overrideExit(sub);
}
