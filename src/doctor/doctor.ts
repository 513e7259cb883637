import type { Clock } from '../platform/clock/clock.ts';
import { type Config, ConfigError, type Mode, readConfig } from '../platform/config/config.ts';
import { readCopy } from '../platform/installation-copy.ts';
import type { DueTime } from '../platform/jobs/repair-due-times.ts';
import type { Database } from '../platform/database/database.ts';
import { authenticatorSecretsCheck } from './check-authenticator-secrets.ts';
import { backlogCheck } from './check-backlog.ts';
import { certificatesCheck } from './check-certificates.ts';
import {
  type AuthorityKeys,
  type DatabaseCheck,
  type ExternalServices,
  type Finding,
  problem,
  type ServiceCheck,
} from './check.ts';
import { clockCheck } from './check-clock.ts';
import { copyCheck } from './check-copy.ts';
import { examineConnections, examineDatabase, examineSessions, rightsCheck } from './check-database.ts';
import { secondariesCheck } from './check-dns-secondaries.ts';
import { holdsCheck } from './check-holds.ts';
import { jobsCheck } from './check-jobs.ts';
import { ledgerCheck, pricesCheck } from './check-ledger-and-prices.ts';
import { objectCountsCheck } from './check-object-counts.ts';
import { operatorChecksCheck } from './check-operator-checks.ts';
import { mailCheck, providerCheck } from './check-outside-services.ts';
import { replicationCheck } from './check-replication.ts';
import { schemaCheck } from './check-schema.ts';
import { serverSettingsCheck } from './check-server-settings.ts';
import { settingsCheck } from './check-settings.ts';
import { timesCheck } from './check-times.ts';

export type DoctorFinding = { readonly check: string } & Finding;

/** How to reach this installation, and how to describe an error to an operator. */
export type DoctorDependencies = ExternalServices &
  AuthorityKeys & {
    /** Every queue and lease of the registry. */
    readonly dueTimes: readonly DueTime[];
    readonly withDatabase: <T>(work: (installation: Installation) => Promise<T>) => Promise<T>;
    readonly explain: (error: unknown) => string;
  };
type Installation = { readonly database: Database; readonly clock: Clock; readonly kind: Mode };

/** Runs all checks; one that fails does not stop the others. */
export async function examine(dependencies: DoctorDependencies): Promise<DoctorFinding[]> {
  const { explain } = dependencies;
  const inside = await examineInside(dependencies).catch((error: unknown): Inside => {
    if (error instanceof ConfigError)
      return { findings: error.message.split('\n').map((line) => findingOf('settings', wrongSetting(line))) };
    return {
      config: readConfig('production'),
      findings: [
        findingOf('database', problem(explain(error), 'Check DATABASE_URL, and whether the server runs.')),
      ],
    };
  });
  return inside.config === undefined
    ? inside.findings
    : [...(await examineOutside(inside, inside.config, dependencies)), ...inside.findings];
}

/** Without readable settings no other check can run. */
type Inside = {
  readonly config?: Config;
  readonly findings: DoctorFinding[];
  /** A copy calls no external service. */
  readonly isCopy?: boolean;
};

const examineInside = ({
  withDatabase,
  explain,
  findAuthorityKey,
  dueTimes,
}: DoctorDependencies): Promise<Inside> =>
  withDatabase(async ({ database, clock, kind }) => {
    const config = readConfig(kind);
    const db = database.writes;
    const findings = [
      ...(await examineDatabase(db)),
      ...(await examineSessions(database, config)),
      ...(await examineConnections(db, config)),
    ];
    const ofDatabase = findings.map((finding) => findingOf('database', finding));
    if (findings.some(({ state }) => state === 'problem')) return { config, findings: ofDatabase };
    const context = { config, sql: db, now: clock.now(), findAuthorityKey };
    const rest: DoctorFinding[] = [];
    for (const { name, examine: run } of insideChecks(dueTimes))
      rest.push(...(await attempt(name, () => run(context), explain)));
    const isCopy = (await readCopy(db)).state !== undefined;
    return { config, findings: [...ofDatabase, ...rest], isCopy };
  });

async function examineOutside(
  { isCopy }: Inside,
  config: Config,
  dependencies: DoctorDependencies,
): Promise<DoctorFinding[]> {
  const found = await Promise.all(
    (isCopy ? [settingsCheck] : outsideChecks).map(({ name, examine: run }) =>
      attempt(name, () => run(config, dependencies), dependencies.explain),
    ),
  );
  return found.flat();
}

async function attempt(
  name: string,
  run: () => Promise<Finding[]>,
  explain: (error: unknown) => string,
): Promise<DoctorFinding[]> {
  const findings = await run().catch((error: unknown) => [
    problem(`It could not be examined: ${explain(error)}`, 'Repair that first, and run the doctor again.'),
  ]);
  return findings.map((finding) => findingOf(name, finding));
}

const findingOf = (check: string, finding: Finding): DoctorFinding => ({ check, ...finding });
const wrongSetting = (complaint: string): Finding =>
  problem(complaint, 'See what it takes with: cadastre settings');

/** All checks of `cadastre doctor` besides the database itself, in the order of the report. */
const outsideChecks: readonly ServiceCheck[] = [settingsCheck, mailCheck, providerCheck];
const insideChecks = (dueTimes: readonly DueTime[]): readonly DatabaseCheck[] => [
  rightsCheck,
  schemaCheck,
  serverSettingsCheck,
  replicationCheck,
  copyCheck,
  clockCheck,
  certificatesCheck,
  jobsCheck,
  timesCheck(dueTimes),
  ledgerCheck,
  pricesCheck,
  objectCountsCheck,
  holdsCheck,
  authenticatorSecretsCheck,
  backlogCheck,
  secondariesCheck,
  operatorChecksCheck,
];
