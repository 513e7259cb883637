import { answerOf } from '../../operations/run-operation.ts';
import { dayIn } from '../../platform/values/dates.ts';
import { type ContactText, parseNewContact } from '../../registry/contacts/contact-fields.ts';
import { createContact } from '../../registry/contacts/create-contact.ts';
import { createDomain } from '../../registry/domains/create-domain.ts';
import { renewDomain } from '../../registry/domains/renew-domain.ts';
import { parseNewDomain } from '../../registry/domains/rules/parse-new-domain.ts';
import { dayOf } from '../../registry/domains/rules/periods.ts';
import { transferDomain } from '../../registry/transfers/transfer-domain.ts';
import { holders, TECH } from './example-contacts.ts';
import { exampleNames, sameEachTime } from './example-names.ts';
import { type By, type ExampleRegistrar, requireParsed } from './example-registrar.ts';

const DAY_MS = 86_400_000;
const PERIODS = [12, 12, 12, 24, 12, 36, 12, 6, 12, 3];
/** Of a year's renewals, those that are forgotten. */
const FORGOTTEN = 8;
const RENEWED_DAYS_BEFORE = 12;
const SIGNED = {
  flags: 257,
  protocol: 3,
  alg: 13,
  publicKey: 'GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA==',
};
const TRANSFER_CODE = 'example-transfer-code';

type Held = { readonly name: string; expires: Date; readonly isRenewed: boolean };

/** The domains of a registrar as they come and go in the example. */
export class ExamplePortfolio {
  readonly #registrar: ExampleRegistrar;
  readonly #random = sameEachTime(47);
  readonly #names = [...exampleNames];
  readonly #held = new Map<string, Held>();
  #registered = 0;

  constructor(registrar: ExampleRegistrar) {
    this.#registrar = registrar;
  }

  /** Below a number, the same each time. */
  random(below: number): number {
    return this.#random(below);
  }

  /** Those that nothing else has happened to, in the order of their registration. */
  get names(): readonly string[] {
    return [...this.#held.keys()];
  }

  async createContacts(
    registrar: ExampleRegistrar,
    contacts: readonly ContactText[],
    prefix = '',
  ): Promise<void> {
    for (const contact of contacts) {
      const { now, policy } = registrar.context();
      const text = { ...contact, code: prefix + (contact.code ?? '') };
      const parsed = parseNewContact(text, policy, dayIn(policy.timeZone, now));
      await registrar.run(createContact, requireParsed(parsed), 'person');
    }
  }

  async register(count: number): Promise<void> {
    for (let left = count; left > 0; left--) {
      this.#registered += 1;
      const months = PERIODS[this.#registered % PERIODS.length] ?? 12;
      const { name, domain } = await this.#registerFor(this.#registrar, this.#holder(), months);
      this.#held.set(name, {
        name,
        expires: domain.expireTime,
        isRenewed: this.#registered <= holders.length || this.#registered % FORGOTTEN !== 0,
      });
    }
  }

  /** Each of them first, since who has no domain is archived; then some have many. */
  #holder(): string {
    const first = holders[this.#registered - 1];
    if (first !== undefined) return first;
    const among = this.random(3) === 0 ? holders.length : this.random(2) === 0 ? 12 : 4;
    return holders[this.random(among)] ?? TECH;
  }

  async #registerFor(registrar: ExampleRegistrar, registrant: string, months: number, transferCode?: string) {
    const index = exampleNames.length - this.#names.length;
    const [name = ''] = this.#names.splice(0, 1);
    const hosts =
      index % 30 === 29
        ? []
        : index % 5 === 4
          ? ['ns1.kahendpuu.example', 'ns2.kahendpuu.example']
          : ['ns1.alpha.example', 'ns2.alpha.example'];
    const by: By = (['api', 'api', 'person', 'api', 'epp'] as const)[index % 5] ?? 'api';
    const { policy } = registrar.context();
    const parsed = parseNewDomain(
      {
        name,
        registrant,
        months,
        ...(transferCode === undefined ? { techs: [TECH] } : { transferCode }),
        nameservers: hosts.map((hostname) => ({ hostname })),
        dnsKeys: index % 7 === 3 && hosts.length > 0 ? [SIGNED] : [],
      },
      policy,
    );
    return registrar.run(createDomain, requireParsed(parsed), by);
  }

  /** Of those that expire soon, all but the forgotten. */
  async renewDue(until: Date): Promise<void> {
    const { policy, now } = this.#registrar.context();
    const due = [...this.#held.values()].filter(
      ({ expires, isRenewed }) =>
        isRenewed && expires <= until && expires.getTime() - now.getTime() < RENEWED_DAYS_BEFORE * DAY_MS,
    );
    for (const held of due) {
      const renewal = { name: held.name, months: 12, expDate: dayOf(held.expires, policy) };
      const { domain } = await this.#registrar.run(
        renewDomain,
        renewal,
        this.random(3) === 0 ? 'person' : 'api',
      );
      held.expires = domain.expireTime;
    }
  }

  /** One that stays with another registrar. */
  async registerElsewhere(other: ExampleRegistrar, otherHolder: string): Promise<void> {
    await this.#registerFor(other, otherHolder, 36, TRANSFER_CODE);
  }

  /** One that another registrar registers and this one takes over. */
  async takeOver(other: ExampleRegistrar, otherHolder: string): Promise<void> {
    const { name } = await this.#registerFor(other, otherHolder, 24, TRANSFER_CODE);
    const { database } = this.#registrar;
    const { domain } = answerOf(
      await transferDomain(
        database,
        { name, transferCode: TRANSFER_CODE },
        this.#registrar.context('person'),
      ),
    );
    this.#held.set(name, { name, expires: domain.expireTime, isRenewed: true });
  }

  /** From now on something else happens to it. */
  take(name: string): string {
    this.#held.delete(name);
    return name;
  }

  /** The next one that is neither expired nor about to. */
  next(): string {
    const { now } = this.#registrar;
    const safe = [...this.#held.values()]
      .slice(holders.length)
      .find(({ expires }) => expires.getTime() - now.getTime() > 60 * DAY_MS);
    if (!safe) throw new Error('the example has no domain left');
    return this.take(safe.name);
  }
}
