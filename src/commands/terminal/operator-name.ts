import os from 'node:os';

/** The operator at the terminal, as recorded in history. */
export const operatorName = (): string => `operator:${os.userInfo().username}`;
