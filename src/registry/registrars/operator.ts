import os from 'node:os';

/** A change made by the registry's own people: who, when and, where it matters, why. */
export type Change = { readonly actor: string; readonly at: Date; readonly reason?: string | undefined };

/** The person at the terminal, as history names him. */
export const operatorName = (): string => `operator:${os.userInfo().username}`;
