import { Command, InvalidArgumentError } from 'commander';

const MAX_PROCESSES = 128;

type SandboxOptions = { readonly expose?: boolean; readonly exampleData?: boolean };

export function sandboxCommand(run: (options: SandboxOptions) => Promise<void>): Command {
  return new Command('sandbox')
    .description('run the whole product with nothing to configure: database, APIs, jobs and pages')
    .option('--expose', 'listen on an address that is not loopback (HOST); its passwords are public')
    .option(
      '--example-data',
      'fill it with a registrar of 300 domains first, which moves the clock by a year',
    )
    .addHelpText('after', '\nExample: PORT=9000 CADASTRE_HOME=/tmp/try cadastre sandbox')
    .action((options: SandboxOptions) => run(options));
}

/** `serve` serves these doors, all of them if undefined, in this many processes. */
export function serveCommand<Door extends string>(
  doors: readonly Door[],
  serve: (wanted: readonly Door[] | undefined, processes: number) => Promise<void>,
): Command {
  return new Command('serve')
    .description('serve the APIs on the database of DATABASE_URL; run as many as you need')
    .option('--doors <names>', `only these, separated by commas: ${doors.join(', ')}`, (text: string) =>
      doorNames(text, doors),
    )
    .option('--processes <number>', 'in this many processes on one port', processCount, 1)
    .addHelpText(
      'after',
      '\nMigrate first (cadastre migrate), and run cadastre work beside it.\nThe limits of requests, connections and failed logins, and the connections to the database, hold for all processes together.',
    )
    .action(({ doors: wanted, processes }: { doors?: Door[]; processes: number }) =>
      serve(wanted, processes),
    );
}

function doorNames<Door extends string>(text: string, doors: readonly Door[]): Door[] {
  const names = new Set(text.split(',').map((name) => name.trim()));
  const isDoor = (name: string): name is Door => doors.some((door) => door === name);
  const unknown = [...names].find((name) => !isDoor(name));
  if (unknown !== undefined) throw new InvalidArgumentError(`"${unknown}" is none of ${doors.join(', ')}.`);
  return [...names].filter(isDoor);
}

function processCount(text: string): number {
  if (/^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_PROCESSES) return Number(text);
  throw new InvalidArgumentError(`It must be a number from 1 to ${MAX_PROCESSES}.`);
}

export function workCommand(work: () => Promise<void>): Command {
  return new Command('work')
    .description('run the jobs that fall due by time; one is enough, more do no harm')
    .action(work);
}
