import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/sql/database.ts';
import { checkSessions, describeFaults, sessionRemedy } from '../../platform/sql/session-check.ts';
import { ee } from '../../policy/ee.ts';
import { type Finding, fine, problem, warning } from './check.ts';

/** Role, time-outs, zone and planner of our sessions, as the server has them. */
export async function examineSessions(database: Database, config: Config): Promise<Finding[]> {
  const faults = await checkSessions(database, config, ee.timeZone);
  const told = (some: typeof faults) => `Our sessions are not what they must be: ${describeFaults(some)}.`;
  const [fatal, slow] = [faults.filter((one) => one.isFatal), faults.filter((one) => !one.isFatal)];
  if (faults.length === 0) {
    const through = database.isPooled ? ', through a pooler in transaction mode' : '';
    return [
      fine(`our sessions have the role, the time-outs, the zone and the planner that we need${through}`),
    ];
  }
  return [
    ...(fatal.length > 0 ? [problem(told(fatal), sessionRemedy(database))] : []),
    ...(slow.length > 0 ? [warning(told(slow), sessionRemedy(database))] : []),
  ];
}
