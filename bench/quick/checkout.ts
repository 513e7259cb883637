import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SideAnswer, SideOrder, SideReady } from './side.ts';

/** A checkout whose product runs and is loaded. */
export type Checkout = SideReady & { readonly root: string; stop(): Promise<void> };

const OWN_SIDE = fileURLToPath(new URL('./side.ts', import.meta.url));

/** Installs what the checkout lacks, and starts it with its own Node. */
export async function startCheckout(folder: string, order: SideOrder): Promise<Checkout> {
  const root = path.resolve(folder);
  const installer = path.join(root, 'scripts/install.mjs');
  if (!existsSync(path.join(root, 'cadastre')) || !existsSync(installer))
    throw new Error(`${folder} is not a checkout of Cadastre`);
  execFileSync(process.execPath, [installer], { cwd: root, stdio: ['ignore', 2, 2] });
  const node = path.join(root, 'node_modules/.bin/node');
  const child = fork(sideOf(root), [root], {
    cwd: root,
    execArgv: [],
    execPath: existsSync(node) ? node : process.execPath,
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    if (child.connected) child.disconnect();
    await ended;
  };
  child.send(order);
  const answer = await Promise.race([
    once(child, 'message').then(([message]) => message as SideAnswer),
    ended.then(([code]): SideAnswer => ({ failure: `it ended with status ${code}` })),
  ]);
  if (!('failure' in answer)) return { root, ...answer, stop };
  await stop();
  throw new Error(`${folder} does not start: ${answer.failure}`);
}

/** The checkout's own where it has one, since that fits its modules; an older one is started by ours. */
function sideOf(root: string): string {
  const own = path.join(root, 'bench/quick/side.ts');
  return existsSync(own) ? own : OWN_SIDE;
}
