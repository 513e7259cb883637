import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type DatabaseTarget, openAsOwner } from '../src/platform/database/database.ts';
import { passwordOf } from '../test/performance/population.ts';
import { inFiles, ownAuthority, selfSigned, signedFor } from '../test/support/certificates.ts';
import { loginDocument } from './epp/frames.ts';
import type { SecurePorts, SecureSettings } from './secure-server.ts';
import { Baseline, type Pair, type Product, type Server } from './servers.ts';

/** The limits that the command sets: docs/decisions/0068-memory-limits.md. */
const NODE_LIMITS = ['--v8-pool-size=1', '--max-semi-space-size=8', '--max-old-space-size=1024'];
const MALLOC_LIMITS = { MALLOC_MMAP_THRESHOLD_: '1048576', MALLOC_ARENA_MAX: '2' };

export type SecureServer = SecurePorts & {
  readonly child: ChildProcess;
  /** Those of the server's key and certificate. */
  readonly files: readonly [string, string];
};

/** REST and EPP over TLS, on the database of the product. */
export async function startSecureServer(
  database: DatabaseTarget,
  nodeOptions: readonly string[] = [],
): Promise<SecureServer> {
  const { tlsKeyFile, tlsCertificateFile } = await inFiles(await selfSigned('localhost'));
  const child = fork(fileURLToPath(new URL('./secure-server.ts', import.meta.url)), {
    execArgv: [...NODE_LIMITS, ...nodeOptions],
    env: { ...process.env, ...MALLOC_LIMITS },
  });
  child.send({ database, tlsKeyFile, tlsCertificateFile } satisfies SecureSettings);
  const [ports] = (await once(child, 'message')) as [SecurePorts];
  return { ...ports, child, files: [tlsKeyFile, tlsCertificateFile] };
}

/** Sessions of the user `alpha`. */
export const EPP_LOGIN: string = loginDocument('alpha', passwordOf('ALPHA'));

/** All over TLS, for the user `alpha` and its certificate. */
export async function startSecurePair({
  database,
  databasePid,
}: Product): Promise<Pair & { readonly epp: Pair; stop(): void }> {
  const db = openAsOwner(database);
  const identity = await signedFor(db, await ownAuthority(db), 'alpha');
  await db.close();
  const { child, files, port, eppPort } = await startSecureServer(database);
  const baseline = await Baseline.start({ files, identity });
  const rest: Server = { port, pid: child.pid ?? 0, databasePid, identity };
  const epp: Server = { ...rest, port: eppPort, eppLogin: EPP_LOGIN };
  return {
    baseline,
    product: rest,
    epp: { baseline: { server: rest }, product: epp },
    stop: () => {
      child.kill();
      baseline.stop();
    },
  };
}
