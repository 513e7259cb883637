import type { Clock } from '../platform/clock/clock.ts';
import { type Config, ConfigError, type Mode, readConfig } from '../platform/config/config.ts';
import type { Database } from '../platform/sql/database.ts';
import { backlogCheck } from './backlog.ts';
import { certificatesCheck } from './certificates.ts';
import { type Finding, type InsideCheck, type OutsideCheck, type OutsideServices, problem } from './check.ts';
import { clockCheck } from './clock.ts';
import { examineDatabase, examineSessions, rightsCheck } from './database.ts';
import { jobsCheck } from './jobs.ts';
import { ledgerCheck, pricesCheck } from './ledger-and-prices.ts';
import { mailCheck, providerCheck } from './outside-services.ts';
import { settingsCheck } from './settings.ts';

export type DoctorFinding = { readonly check: string } & Finding;

/** What the doctor is given: how to reach this installation, and how to describe an error to a person. */
export type DoctorDependencies = OutsideServices & {
  readonly withDatabase: <T>(work: (installation: Installation) => Promise<T>) => Promise<T>;
  readonly explain: (error: unknown) => string;
};
type Installation = { readonly database: Database; readonly clock: Clock; readonly kind: Mode };

/** Examines everything that can be: a check that fails does not stop the others. */
export async function examine(dependencies: DoctorDependencies): Promise<DoctorFinding[]> {
  const { explain } = dependencies;
  const inside = await examineInside(dependencies).catch((error: unknown): Inside => {
    if (error instanceof ConfigError)
      return { told: error.message.split('\n').map((line) => told('settings', wrongSetting(line))) };
    return {
      config: readConfig('production'),
      told: [told('database', problem(explain(error), 'Check DATABASE_URL, and whether the server runs.'))],
    };
  });
  return inside.config === undefined
    ? inside.told
    : [...(await examineOutside(inside.config, dependencies)), ...inside.told];
}

/** Without settings that can be read there is nothing more to look at. */
type Inside = { readonly config?: Config; readonly told: DoctorFinding[] };

const examineInside = ({ withDatabase, explain }: DoctorDependencies): Promise<Inside> =>
  withDatabase(async ({ database, clock, kind }) => {
    const config = readConfig(kind);
    const db = database.writes;
    const findings = [...(await examineDatabase(db)), ...(await examineSessions(database, config))];
    const itself = findings.map((finding) => told('database', finding));
    if (findings.some(({ state }) => state === 'problem')) return { config, told: itself };
    const patient = { config, sql: db, now: clock.now() };
    const rest: DoctorFinding[] = [];
    for (const { name, examine: look } of insideChecks)
      rest.push(...(await attempt(name, () => look(patient), explain)));
    return { config, told: [...itself, ...rest] };
  });

async function examineOutside(config: Config, dependencies: DoctorDependencies): Promise<DoctorFinding[]> {
  const found = await Promise.all(
    outsideChecks.map(({ name, examine: look }) =>
      attempt(name, () => look(config, dependencies), dependencies.explain),
    ),
  );
  return found.flat();
}

async function attempt(
  name: string,
  look: () => Promise<Finding[]>,
  explain: (error: unknown) => string,
): Promise<DoctorFinding[]> {
  const findings = await look().catch((error: unknown) => [
    problem(`It could not be examined: ${explain(error)}`, 'Repair that first, and run the doctor again.'),
  ]);
  return findings.map((finding) => told(name, finding));
}

const told = (check: string, finding: Finding): DoctorFinding => ({ check, ...finding });
const wrongSetting = (complaint: string): Finding =>
  problem(complaint, 'See what it takes with: cadastre settings');

/** Everything that `cadastre doctor` examines besides the database itself, in the order in which it is told. */
export const outsideChecks: readonly OutsideCheck[] = [settingsCheck, mailCheck, providerCheck];
export const insideChecks: readonly InsideCheck[] = [
  rightsCheck,
  clockCheck,
  certificatesCheck,
  jobsCheck,
  ledgerCheck,
  pricesCheck,
  backlogCheck,
];
