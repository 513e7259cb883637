import { AsyncLocalStorage } from 'node:async_hooks';

/** What a command reads from and writes to, besides the database. The process itself is one. */
export type CommandEnvironment = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
};

type OutputStream = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

const current = new AsyncLocalStorage<CommandEnvironment>();

/** That of the process, except within `runWithEnvironment`. */
export const commandEnvironment = (): CommandEnvironment => current.getStore() ?? process;

/** Several commands can run in one process, each with an environment of its own. */
export const runWithEnvironment = <T>(environment: CommandEnvironment, work: () => Promise<T>): Promise<T> =>
  current.run(environment, work);
