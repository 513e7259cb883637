import { AsyncLocalStorage } from 'node:async_hooks';

/** The inputs and outputs of a command besides the database; by default those of the process. */
export type CommandEnvironment = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Where signals arrive. */
  on(signal: NodeJS.Signals, listener: () => void): unknown;
  off(signal: NodeJS.Signals, listener: () => void): unknown;
  /** Ends the process, whatever is in progress. */
  exit(code: number): void;
};

type OutputStream = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly fd?: number;
};

const current = new AsyncLocalStorage<CommandEnvironment>();

/** The process's own, except within `runWithEnvironment`. */
export const commandEnvironment = (): CommandEnvironment => current.getStore() ?? process;

/** Several commands can run in one process, each with its own environment. */
export const runWithEnvironment = <T>(environment: CommandEnvironment, work: () => Promise<T>): Promise<T> =>
  current.run(environment, work);
