import fc from 'fast-check';
import { type NameChoice, nameChoice, nameOf } from '../choices.ts';
import { decide, passTime } from '../lifecycle.ts';
import type { RegistryModel } from '../state.ts';
import type { Command } from '../step.ts';
import type { World } from '../world.ts';
import { Happening } from './surroundings.ts';

/** The registrant opens the newest mail that asks him, and presses a button; the link may have been used before. */
class Decision extends Happening {
  readonly #name: NameChoice;
  readonly #button: 'confirm' | 'reject';
  constructor(name: NameChoice, button: 'confirm' | 'reject') {
    super();
    this.#name = name;
    this.#button = button;
  }

  override check(model: Readonly<RegistryModel>): boolean {
    const name = nameOf(model as RegistryModel, this.#name);
    // What becomes of a request about a domain that is about to be purged is left open.
    return model.links.has(name) && !model.domains.get(name)?.statuses.has('deleteCandidate');
  }

  async happen(model: RegistryModel, world: World): Promise<void> {
    passTime(model, world.now());
    const name = nameOf(model, this.#name);
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

  toString = () => `${this.#button} by link ${JSON.stringify(this.#name)}`;
}

export const decisions: fc.Arbitrary<Command> = fc
  .tuple(nameChoice, fc.constantFrom<'confirm' | 'reject'>('confirm', 'confirm', 'reject'))
  .map(([name, button]) => new Decision(name, button));
