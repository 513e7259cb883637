import { setTimeout as sleep } from 'node:timers/promises';
import { misbehaviours } from '../event-receiver.ts';
import type { World } from '../world.ts';
import { ignoreErrors, type Parts, type Sabotage } from './sabotage.ts';

const DAY_MS = 24 * 3_600_000;
const JUMP_LIMIT_MS = 30_000;
const TARGETS = ['provider', 'service', 'mail'] as const;
const MODES = ['down', 'error', 'slow'] as const;

/** Other services that fail, and clock steps. */
export const surroundings = {
  faults: {
    weight: 10,
    carryOut: async ({ world, chance }) => {
      const target = chance.oneOf(TARGETS) ?? 'provider';
      const mode = chance.oneOf(MODES) ?? 'down';
      const times = 1 + chance.below(mode === 'slow' ? 2 : 8);
      if (target === 'service') world.place.services.fail(times);
      else await control(world, '/sandbox/faults', { target, mode, times });
    },
  },
  failReceiver: {
    weight: 8,
    carryOut: async ({ world, chance }) =>
      world.place.receiver.misbehave(chance.oneOf(misbehaviours) ?? 'refuse', 1 + chance.below(8)),
  },
  jump: { weight: 8, carryOut: (parts) => jump(parts, 60_000 * (1 + parts.chance.below(300))) },
  jumpFar: { weight: 2, carryOut: (parts) => jump(parts, DAY_MS * (1 + parts.chance.below(45))) },
  killInJump: {
    weight: 2,
    kills: 1,
    carryOut: (parts) => jump(parts, DAY_MS * (1 + parts.chance.below(20)), 100 + parts.chance.below(3_000)),
  },
} satisfies Record<string, Sabotage>;

/**
 * Each process has its own clock, read at its start: while the first moves it, the second is down. Where the move
 * breaks off, or takes too long, the first must read it again as well.
 */
async function jump({ world }: Parts, milliseconds: number, killedAfterMs?: number): Promise<void> {
  world.jumpedMs += milliseconds;
  const [first, second] = world.place.nodes;
  await second.stop();
  const moving = control(world, '/sandbox/clock', { advance: `PT${Math.round(milliseconds / 1000)}S` });
  const moved = await (killedAfterMs === undefined ? moving : sleep(killedAfterMs, false));
  if (!moved && first.isRunning) await first.kill9();
  await moving;
}

async function control({ place }: World, path: string, body: object): Promise<boolean> {
  const status = await ignoreErrors(async () => {
    const answer = await fetch(`${place.nodes[0].url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(JUMP_LIMIT_MS),
    });
    await answer.body?.cancel();
    return answer.status;
  });
  return status === 200;
}
