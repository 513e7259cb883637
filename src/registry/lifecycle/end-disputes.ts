import type { Database } from '../../platform/database/database.ts';
import { endExpired } from '../names/disputes.ts';
import type { Moment } from './step.ts';

/** Ends some of the disputes whose time is over, as an operator would; how many they were. */
export const endDisputes = ({ writes }: Database, { now }: Moment): Promise<number> =>
  writes.begin((sql) => endExpired(sql, sql`true`, now));
