import fc from 'fast-check';
import { decide, passTime } from '../lifecycle.ts';
import type { RegistryModel } from '../state.ts';
import type { Command } from '../step.ts';
import type { World } from '../world.ts';
import { Happening } from './surroundings.ts';

type Button = 'confirm' | 'reject';
const OLD_FROM = 8;

/** The registrant opens the newest mail that asks him, and presses a button; the link may have been used before. */
class Decision extends Happening {
  readonly #choice: number;
  readonly #button: Button;
  constructor(choice: number, button: Button) {
    super();
    this.#choice = choice;
    this.#button = button;
  }

  override check(model: Readonly<RegistryModel>): boolean {
    return this.#nameIn(model) !== undefined;
  }

  /** Mostly a domain that waits. What becomes of one that waits and is about to be purged is left open. */
  #nameIn({ links, domains }: Readonly<RegistryModel>): string | undefined {
    const asked = [...links.keys()].filter((name) => !domains.get(name)?.statuses.has('deleteCandidate'));
    const waiting = asked.filter((name) => domains.get(name)?.request);
    const names = this.#choice < OLD_FROM && waiting.length > 0 ? waiting : asked;
    return names[this.#choice % names.length];
  }

  async happen(model: RegistryModel, world: World): Promise<void> {
    passTime(model, world.now());
    const name = this.#nameIn(model) ?? '';
    const link = model.links.get(name);
    if (!link) return;
    const page = await world.letters.open(link);
    const from = world.now();
    const domain = model.domains.get(name);
    if (domain?.request?.link === link) {
      const answer = await world.letters.press(link, page, this.#button);
      if (page.status !== 200 || answer.status !== 200) throw new Error(`the page is ${answer.status}`);
      decide(model, domain, this.#button === 'confirm', { from, until: world.now() });
    } else {
      const answer = await world.letters.insist(link, this.#button);
      world.transcript.push(`an old link is ${page.status}, and its form ${answer.status}`);
    }
  }

  toString = () => `${this.#button} by link ${this.#choice}`;
}

export const decisions: fc.Arbitrary<Command> = fc
  .tuple(fc.nat({ max: OLD_FROM + 2 }), fc.constantFrom<Button>('confirm', 'confirm', 'reject'))
  .map(([choice, button]) => new Decision(choice, button));
