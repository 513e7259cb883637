import { type Fragment, sql } from '../sql/statement.ts';

/**
 * Whether a question by key, asked of each row, finds something. Unlike `exists`, a scalar subselect is never
 * answered by reading the whole other table beforehand.
 */
export const existsByKey = (question: Fragment): Fragment => sql`coalesce((${question} limit 1), false)`;
