import { runTransaction } from '../../operations/in-transaction.ts';
import type { Database } from '../../platform/sql/database.ts';
import { sql } from '../../platform/sql/statement.ts';
import { endExpired } from '../names/disputes.ts';
import type { Moment } from './step.ts';

/** Ends some of the disputes whose time is over, as an operator would; how many they were. */
export const endDisputes = ({ writes }: Database, { now }: Moment): Promise<number> =>
  runTransaction(writes, now, (db) => endExpired(db, sql`true`, now));
