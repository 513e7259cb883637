import { Refused, type RefusalKind } from '../../operations/refusal.ts';

/** Undefined instead of a refusal of this kind. */
export async function unlessRefused<T>(kind: RefusalKind, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Refused && error.refusals[0].kind === kind) return undefined;
    throw error;
  }
}
