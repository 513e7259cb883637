import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { dataDirectoryOf } from '../src/embedded-postgres/cluster-location.ts';
import { findPostmaster } from '../src/embedded-postgres/postmaster.ts';
import type { DatabaseTarget } from '../src/platform/database/database.ts';
import type { Identity } from '../test/support/certificates.ts';
import { startSandboxProcess } from '../test/support/sandbox-process.ts';
import type { BaselineAnswer } from './baseline.ts';
import type { Address } from './line.ts';

/** A server to ask, with the processes whose time it costs. */
export type Server = Address & { readonly pid: number; readonly databasePid?: number | undefined };
export type Product = Server & { readonly database: DatabaseTarget; stop(): Promise<void> };

/** The limits stay on, and cannot be met. */
export const LIMITS: Readonly<Record<string, string>> = Object.fromEntries(
  ['RATE_LIMIT_PER_MINUTE', 'PORTAL_REQUESTS_PER_MINUTE', 'CALLBACKS_PER_MINUTE', 'LOOKUPS_PER_MINUTE'].map(
    (name) => [name, '1000000000'],
  ),
);

/** The product as a user starts it. */
export async function startProduct(): Promise<Product> {
  const { url, pid, database, home, stop } = await startSandboxProcess({ env: LIMITS });
  const databasePid = findPostmaster(dataDirectoryOf(home))?.pid;
  return { port: Number(new URL(url).port), pid, databasePid, database, stop };
}

/** A server that does nothing but answer, to measure what the machine and the client allow at most. */
export class Baseline {
  readonly #child: ChildProcess;
  readonly server: Server;

  private constructor(child: ChildProcess, server: Server) {
    this.#child = child;
    this.server = server;
  }

  static async start(secure?: {
    readonly files: readonly string[];
    readonly identity: Identity;
  }): Promise<Baseline> {
    const child = fork(fileURLToPath(new URL('./baseline.ts', import.meta.url)), secure?.files ?? []);
    const [port] = await once(child, 'message');
    return new Baseline(child, { port, pid: child.pid ?? 0, identity: secure?.identity });
  }

  async answerWith(answer: BaselineAnswer): Promise<void> {
    this.#child.send(answer);
    await once(this.#child, 'message');
  }

  stop(): void {
    this.#child.kill();
  }
}

/**
 * What is compared: the baseline, and the product with the database behind it. For EPP the baseline is the product too,
 * over HTTP, and is not told what to answer.
 */
export type Pair = {
  readonly baseline: { readonly server: Server; answerWith?(answer: BaselineAnswer): Promise<void> };
  readonly product: Server;
};
