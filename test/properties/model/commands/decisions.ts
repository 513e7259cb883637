import fc from 'fast-check';
import { decide, simulateUntil } from '../lifecycle.ts';
import type { RegistryModel } from '../state.ts';
import type { Command } from '../step.ts';
import type { World } from '../world.ts';
import { Happening } from './surroundings.ts';

type Button = 'confirm' | 'reject';
const OLD_FROM = 8;

/** The registrant opens the newest mail with a request, and presses a button; the link may have been used before. */
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

  /** Mostly a domain that waits. */
  #nameIn({ links, domains }: Readonly<RegistryModel>): string | undefined {
    const waiting = [...links.keys()].filter((name) => domains.get(name)?.request);
    const names = this.#choice < OLD_FROM && waiting.length > 0 ? waiting : [...links.keys()];
    return names[this.#choice % names.length];
  }

  async happen(model: RegistryModel, world: World): Promise<void> {
    simulateUntil(model, world.now());
    const name = this.#nameIn(model) ?? '';
    const mailed = model.links.get(name);
    if (!mailed) return;
    const { link, domain } = mailed;
    const page = await world.mailbox.open(link);
    const from = world.now();
    const open = domain.request?.link === link;
    const answer = await (open
      ? world.mailbox.press(link, page, this.#button)
      : world.mailbox.submitDirectly(link, this.#button));
    // A link works as long as its domain exists; a new registration of the name is another domain.
    const expected = model.domains.get(name) === domain ? 200 : 404;
    if (page.status !== expected || answer.status !== expected)
      throw new Error(`the page is ${page.status}, and after the form ${answer.status}`);
    if (open) decide(model, domain, this.#button === 'confirm', { from, until: world.now() });
  }

  toString = () => `${this.#button} by link ${this.#choice}`;
}

export const decisions: fc.Arbitrary<Command> = fc
  .tuple(fc.nat({ max: OLD_FROM + 2 }), fc.constantFrom<Button>('confirm', 'confirm', 'reject'))
  .map(([choice, button]) => new Decision(choice, button));
