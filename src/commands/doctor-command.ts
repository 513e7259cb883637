import { Command } from 'commander';
import type { DoctorFinding } from '../doctor/doctor.ts';
import { type Changing, withJson } from './terminal/changing.ts';
import { noteInRegistry } from './terminal/note-check.ts';
import { CommandError, print, printJson } from './terminal/output.ts';
import { withProgress } from './terminal/progress.ts';

/** `examine` runs the doctor's checks on the configured installation. */
export function doctorCommand(examine: () => Promise<DoctorFinding[]>): Command {
  return withJson(new Command('doctor'))
    .description(
      'examine settings, database, clock, jobs, mail, payment provider and money, and say what to do; changes nothing but the record of its result',
    )
    .addHelpText('after', '\nExit code 1 when there is a problem; warnings alone are no problem.')
    .action(async ({ json }: Changing) => {
      const found = await withProgress('examining', examine);
      if (json) printJson(found);
      else print(found.map(line).join('\n'));
      const problems = found.filter(({ state }) => state === 'problem').length;
      await noteResult(found, problems);
      if (problems > 0)
        throw new CommandError(`There ${problems === 1 ? 'is 1 problem' : `are ${problems} problems`}.`);
    });
}

/** Not where the database itself is the problem, which the report says already. */
async function noteResult(found: readonly DoctorFinding[], problems: number): Promise<void> {
  const isStored = found.every(({ check, state }) => check !== 'database' || state !== 'problem');
  if (!isStored || !found.some(({ check }) => check === 'database')) return;
  await noteInRegistry({ kind: 'doctor', succeeded: problems === 0, detail: `problems: ${problems}` });
}

const STATE_WIDTH = 'problem'.length;

function line(finding: DoctorFinding): string {
  const head = `${finding.state.padEnd(STATE_WIDTH)}  ${finding.check}: ${finding.says}`;
  return finding.state === 'ok' ? head : `${head}\n${' '.repeat(STATE_WIDTH)}  → ${finding.todo}`;
}
