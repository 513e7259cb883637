import { Command, InvalidArgumentError } from 'commander';
import { processNumber } from '../app/processes/supervised-process.ts';
import { DOORS, type DoorName } from '../app/product-dependencies.ts';

const MAX_PROCESSES = 128;

// The servers are imported lazily, which keeps the short commands fast.

export function sandboxCommand(): Command {
  return new Command('sandbox')
    .description('run the whole product with nothing to configure: database, APIs, jobs and pages')
    .option('--expose', 'listen on an address that is not loopback (HOST); its passwords are public')
    .addHelpText('after', '\nExample: PORT=9000 CADASTRE_HOME=/tmp/try cadastre sandbox')
    .action(async ({ expose }: { expose?: boolean }) =>
      (await import('../app/sandbox.ts')).runSandbox(expose ?? false),
    );
}

export function serveCommand(): Command {
  return new Command('serve')
    .description('serve the APIs on the database of DATABASE_URL; run as many as you need')
    .option('--doors <names>', `only these, separated by commas: ${DOORS.join(', ')}`, doorNames)
    .option('--processes <number>', 'in this many processes on one port', processCount, 1)
    .addHelpText(
      'after',
      '\nMigrate first (cadastre migrate), and run cadastre work beside it.\nThe limits of requests, connections and failed logins, and the connections to the database, hold for all processes together.',
    )
    .action(async ({ doors, processes }: { doors?: DoorName[]; processes: number }) => {
      if (processes > 1 && processNumber() === undefined)
        await (await import('../app/processes/supervisor.ts')).serveInProcesses(doors, processes);
      else await (await import('../app/production.ts')).serve(doors, processes);
    });
}

function doorNames(text: string): DoorName[] {
  const names = new Set(text.split(',').map((name) => name.trim()));
  const isDoor = (name: string): name is DoorName => DOORS.some((door) => door === name);
  const unknown = [...names].find((name) => !isDoor(name));
  if (unknown !== undefined) throw new InvalidArgumentError(`"${unknown}" is none of ${DOORS.join(', ')}.`);
  return [...names].filter(isDoor);
}

function processCount(text: string): number {
  if (/^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_PROCESSES) return Number(text);
  throw new InvalidArgumentError(`It must be a number from 1 to ${MAX_PROCESSES}.`);
}

export function workCommand(): Command {
  return new Command('work')
    .description('run the jobs that fall due by time; one is enough, more do no harm')
    .action(async () => (await import('../app/production.ts')).work());
}
