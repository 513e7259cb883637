import { classifyDatabaseError } from '../sql/errors.ts';

const ATTEMPTS = 5;

/** Does work that loads and decides anew each time, again where somebody else was first. */
export async function unlessOvertaken<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (classifyDatabaseError(error) !== 'conflict' || attempt === ATTEMPTS) throw error;
    }
  }
}
