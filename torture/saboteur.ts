import { setTimeout as sleep } from 'node:timers/promises';
import { Chance } from './chance.ts';
import { type SabotageName, sabotages } from './sabotage/catalogue.ts';
import type { World } from './world.ts';

export type Plan = { readonly minutes: number; readonly kills: number };

/** Kills, cuts, breaks and moves the clock, one after the other, as the seed says. */
export class Saboteur {
  readonly done: Partial<Record<SabotageName, number>> = {};
  /** Counts by kind of fault. */
  readonly met: Record<string, number> = {};
  kills = 0;
  readonly #world: World;
  readonly #chance: Chance;
  readonly #say: (text: string) => void;
  readonly #weights: Partial<Record<SabotageName, number>>;

  constructor(world: World, names: readonly SabotageName[], say: (text: string) => void) {
    this.#world = world;
    this.#chance = Chance.of(world.seed, 'saboteur');
    this.#say = say;
    this.#weights = Object.fromEntries(names.map((name) => [name, sabotages[name].weight]));
  }

  /** Spreads its kills over the time, with other faults between them. Ends when both are used up. */
  async work({ minutes, kills }: Plan): Promise<void> {
    const names = Object.keys(this.#weights) as SabotageName[];
    const wanted = names.some((name) => sabotages[name].kills) ? kills : 0;
    const started = performance.now();
    const end = started + minutes * 60_000;
    while (performance.now() < end || this.kills < wanted) {
      const passed = (performance.now() - started) / (minutes * 60_000);
      const behind = this.kills < wanted * Math.min(1, passed);
      const name =
        names.length > 0 ? this.#chance.weighted(this.#weights as Record<SabotageName, number>) : undefined;
      const isKill = name !== undefined && sabotages[name].kills !== undefined;
      if (name === undefined || (isKill && !behind)) await sleep(500);
      else if (isKill || !behind || this.#chance.happens(0.3)) await this.#do(name);
    }
  }

  async #do(name: SabotageName): Promise<void> {
    this.done[name] = (this.done[name] ?? 0) + 1;
    this.#say(`${name} (${this.kills} kills so far)`);
    this.kills += sabotages[name].kills ?? 0;
    const count = (what: string, times = 1) => {
      this.met[what] = (this.met[what] ?? 0) + times;
    };
    await sabotages[name].carryOut({ world: this.#world, chance: this.#chance, count });
    await this.#restartAll();
    await sleep(200 + this.#chance.below(1_500));
  }

  async #restartAll(): Promise<void> {
    await this.#world.place.cluster.untilAnswers();
    await Promise.all(this.#world.place.nodes.map((node) => (node.isRunning ? undefined : node.start())));
  }
}
