import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import type { Server } from '../servers.ts';
import type { World } from '../world.ts';

/** What a side is asked to load: so many domains, and transfers for so many seconds in three rounds. */
export type SideOrder = { readonly domains: number; readonly seconds: number };
/** What a side has started. Older and newer checkouts meet here, so these messages may gain members, not lose them. */
export type SideReady = {
  readonly server: Server;
  /** The same registry over TLS; where it does not start, the reason. */
  readonly secure: Server | { readonly reason: string };
  /** For EPP, in the same process as `secure`. A checkout before EPP has none. */
  readonly epp?: Server | undefined;
  readonly world: World;
};
export type SideAnswer = SideReady | { readonly failure: string };

/**
 * One checkout of a comparison, in a process of its own: starts its product and fills it with its own loader, so that
 * no module of one checkout meets one of the other. `root` names the checkout, which may be older than this file.
 */
async function startSide(root: string, { domains, seconds }: SideOrder) {
  const load = (file: string) => import(pathToFileURL(path.join(root, 'bench', file)).href);
  const { startProduct } = (await load('servers.ts')) as typeof import('../servers.ts');
  const pairFile = existsSync(path.join(root, 'bench/secure-pair.ts')) ? 'secure-pair.ts' : 'servers.ts';
  const { startSecurePair } = (await load(pairFile)) as typeof import('../secure-pair.ts');
  const { fewRegistrars, loadWorld } = (await load('world.ts')) as typeof import('../world.ts');
  const { Bar } = (await load('progress.ts')) as typeof import('../progress.ts');
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() }) as NodeJS.WriteStream;
  const product = await startProduct();
  try {
    const world = await loadWorld(product.database, fewRegistrars(domains, seconds), new Bar(silent));
    const { port, pid, databasePid } = product;
    const secure = await startSecurePair(product).catch((error) => ({ reason: messageOf(error) }));
    const ready: SideReady = {
      server: { port, pid, databasePid },
      world,
      secure: 'product' in secure ? secure.product : secure,
      epp: 'epp' in secure ? secure.epp.product : undefined,
    };
    const stop = async () => {
      if ('stop' in secure) secure.stop();
      await product.stop();
    };
    return { ready, stop };
  } catch (error) {
    await product.stop();
    throw error;
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

process.on('SIGINT', () => {}); // a Ctrl-C reaches the whole group; the parent's end is what ends a side
const ended = once(process, 'disconnect');
const [order] = (await once(process, 'message')) as [SideOrder];
const say = (answer: SideAnswer) => process.connected && process.send?.(answer);
try {
  const { ready, stop } = await startSide(path.resolve(process.argv[2] ?? '.'), order);
  say(ready);
  await ended;
  await stop();
} catch (error) {
  say({ failure: messageOf(error) });
}
process.exit(0);
