import { fork } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Stop, Target } from './attack.ts';
import { attacks } from './attacks.ts';

const SELF = fileURLToPath(import.meta.url);

/** Plays an attack from a process of its own, so that its work does not delay the process that measures. */
export async function startAttackProcess(name: string, target: Target): Promise<Stop> {
  const child = fork(SELF, [name], { execArgv: [] });
  const ended = once(child, 'exit');
  child.send(target);
  const [started] = await Promise.race([once(child, 'message'), ended]);
  if (started !== 'started') throw new Error(`the attack "${name}" did not start`);
  return async () => {
    if (child.connected) child.disconnect();
    await ended;
  };
}

async function play(name: string | undefined): Promise<void> {
  const attack = attacks.find((one) => one.name === name);
  if (!attack) throw new Error(`there is no attack "${name}"`);
  const [target] = (await once(process, 'message')) as [Target];
  // Attackers are other machines: they get what those that are attacked and measured leave of this one.
  os.setPriority(os.constants.priority.PRIORITY_LOW);
  const stop = attack.start(target);
  process.send?.('started');
  await once(process, 'disconnect');
  await stop();
  process.exit(0);
}

if (import.meta.main) await play(process.argv[2]);
