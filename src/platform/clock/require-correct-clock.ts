import type { Config } from '../config/config.ts';
import type { Sql } from '../sql/executor.ts';
import { CheckedClock, ClockWrong, databaseTime } from './checked-clock.ts';

/** Refuses where the clocks of this machine and of the database disagree. */
export async function requireCorrectClock(
  db: Sql,
  { maxClockOffsetMs }: Pick<Config, 'maxClockOffsetMs'>,
  onChange?: (isRight: boolean, description: string) => void,
): Promise<CheckedClock> {
  const clock = await CheckedClock.open({
    readDatabaseTime: databaseTime(db),
    maxOffsetMs: maxClockOffsetMs,
    ...(onChange && { onChange }),
  });
  if (!clock.isRight()) throw new ClockWrong(clock.describe());
  return clock;
}
