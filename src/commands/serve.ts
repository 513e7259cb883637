import { Command } from 'commander';

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
    .addHelpText('after', '\nMigrate first (cadastre migrate), and run cadastre work beside it.')
    .action(async () => (await import('../app/production.ts')).serve());
}

export function workCommand(): Command {
  return new Command('work')
    .description('run the jobs that fall due by time; one is enough, more do no harm')
    .action(async () => (await import('../app/production.ts')).work());
}
