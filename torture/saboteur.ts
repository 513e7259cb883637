import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../test/support/sql.ts';
import { Chance } from './chance.ts';
import type { World } from './world.ts';

export type Plan = { readonly minutes: number; readonly kills: number };

const DEEDS = {
  ...{ killOne: 10, killTwo: 10, killBoth: 2, killDatabase: 4, killBackend: 2 },
  ...{ cutConnections: 6, faults: 10, jump: 8, jumpFar: 2, killInJump: 2, stopGently: 1 },
} as const;
type Deed = keyof typeof DEEDS;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const JUMP_LIMIT_MS = 30_000;
const TARGETS = ['provider', 'service', 'mail'] as const;
const MODES = ['down', 'error', 'slow'] as const;

/** Kills, cuts, breaks and moves the clock, one after the other, as the seed says. */
export class Saboteur {
  readonly done: Record<string, number> = {};
  kills = 0;
  readonly #world: World;
  readonly #chance: Chance;
  readonly #say: (text: string) => void;

  constructor(world: World, say: (text: string) => void) {
    this.#world = world;
    this.#chance = Chance.of(world.seed, 'saboteur');
    this.#say = say;
  }

  /** Spreads its kills over the time; what lies between them is free. Ends when both are used up. */
  async work({ minutes, kills }: Plan): Promise<void> {
    const started = performance.now();
    const end = started + minutes * 60_000;
    while (performance.now() < end || this.kills < kills) {
      const passed = (performance.now() - started) / (minutes * 60_000);
      const behind = this.kills < kills * Math.min(1, passed);
      const deed = this.#chance.weighted(DEEDS);
      const isKill = deed.startsWith('kill');
      if (isKill && !behind) await sleep(500);
      else if (isKill || !behind || this.#chance.happens(0.3)) await this.#do(deed);
    }
  }

  async #do(deed: Deed): Promise<void> {
    this.done[deed] = (this.done[deed] ?? 0) + 1;
    this.#say(`${deed} (${this.kills} kills so far)`);
    await this.#deeds[deed]();
    await this.#reviveAll();
    await sleep(200 + this.#chance.below(1_500));
  }

  readonly #deeds: Readonly<Record<Deed, () => Promise<void>>> = {
    killOne: () => this.#killNodes(0),
    killTwo: () => this.#killNodes(1),
    killBoth: () => this.#killNodes(0, 1),
    stopGently: async () => {
      await this.#world.place.nodes[this.#chance.below(2)]?.stop();
    },
    killDatabase: async () => {
      this.kills += 1;
      this.#signal(this.#world.place.postmaster);
      await sleep(300);
      await this.#world.place.untilDatabaseAnswers();
    },
    /** One backend that dies like this takes all the others with it. */
    killBackend: async () => {
      const pid = await this.#quietly(async () => {
        const drawn = this.#chance.next();
        const backends = await this.#backends();
        return backends[Math.floor(drawn * backends.length)];
      });
      if (pid === undefined) return;
      this.kills += 1;
      this.#signal(pid);
      await sleep(300);
      await this.#world.place.untilDatabaseAnswers();
    },
    cutConnections: async () => {
      const share = this.#chance.happens(0.5) ? 1 : 0.4;
      await this.#quietly(() =>
        this.#world.place.withOwner((db) =>
          db.rows(sql`
            select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid() and random() < ${share}`),
        ),
      );
    },
    faults: async () => {
      const target = this.#chance.oneOf(TARGETS) ?? 'provider';
      const mode = this.#chance.oneOf(MODES) ?? 'down';
      const times = 1 + this.#chance.below(mode === 'slow' ? 2 : 8);
      if (target === 'service') this.#world.place.services.fail(times);
      else await this.#control('/sandbox/faults', { target, mode, times });
    },
    jump: () => this.#jump(60_000 * (1 + this.#chance.below(300))),
    jumpFar: () => this.#jump(DAY_MS * (1 + this.#chance.below(45))),
    killInJump: () => this.#jump(DAY_MS * (1 + this.#chance.below(20)), 100 + this.#chance.below(3_000)),
  };

  async #killNodes(...which: number[]): Promise<void> {
    this.kills += which.length;
    await Promise.all(which.map((index) => this.#world.place.nodes[index]?.kill9()));
  }

  /**
   * Each process has its own clock, read at its start: while the first moves it, the second is down. Where the move
   * breaks off, or takes too long, the first must read it anew as well.
   */
  async #jump(milliseconds: number, killedAfterMs?: number): Promise<void> {
    this.#world.jumpedMs += milliseconds;
    const [first, second] = this.#world.place.nodes;
    await second.stop();
    const moving = this.#control('/sandbox/clock', { advance: `PT${Math.round(milliseconds / 1000)}S` });
    const moved = await (killedAfterMs === undefined ? moving : sleep(killedAfterMs, false));
    if (!moved && first.isRunning) await this.#killNodes(0);
    await moving;
  }

  async #control(path: string, body: object): Promise<boolean> {
    const status = await this.#quietly(async () => {
      const answer = await fetch(`${this.#world.place.nodes[0].url}${path}`, {
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

  #backends(): Promise<number[]> {
    return this.#world.place.withOwner(async (db) => {
      const rows = await db.rows(sql<{ pid: number }>`
        select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() order by pid`);
      return rows.map(({ pid }) => pid);
    });
  }

  async #reviveAll(): Promise<void> {
    await Promise.all(this.#world.place.nodes.map((node) => (node.isRunning ? undefined : node.start())));
  }

  #signal(pid: number | undefined): void {
    try {
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
    } catch {
      // It had ended by itself.
    }
  }

  async #quietly<T>(work: () => Promise<T>): Promise<T | undefined> {
    return work().catch(() => undefined);
  }
}
