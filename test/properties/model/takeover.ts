import type { Data } from '../../support/client.ts';
import {
  type Contact,
  type ContactData,
  type Domain,
  type RegistrarCode,
  type RegistryModel,
  recode,
} from './state.ts';
import type { World } from './world.ts';

const COPIED = /^[A-Z]+:[0-9a-f]{8}$/i;
const keyOf = (data: ContactData) => JSON.stringify(data);

/** Hands domains over. Their contacts become the gaining registrar's: an identical one of its own, or a copy. */
export async function takeOver(
  model: RegistryModel,
  world: World,
  domains: readonly Domain[],
  gaining: RegistrarCode,
): Promise<void> {
  const arrival = new Arrival(model, world, domains, gaining);
  for (const domain of domains) {
    const { body } = await world.read(gaining, `/domains/${encodeURIComponent(domain.name)}`);
    const shown = body.data.domain;
    const role = (type: string): string[] =>
      shown.contacts.filter((contact: Data) => contact.type === type).map(({ code }: Data) => code);
    const [registrant] = await arrival.match([domain.registrant], [shown.registrant.code]);
    domain.registrant = registrant ?? domain.registrant;
    domain.admins = await arrival.match(domain.admins, role('AdminDomainContact'));
    domain.techs = await arrival.match(domain.techs, role('TechDomainContact'));
    model.lose(domain.sponsor, domain.name);
    domain.sponsor = gaining;
    recode(domain, undefined);
  }
}

/** The new codes of the contacts are the registry's choice; their data are not. */
class Arrival {
  readonly #model: RegistryModel;
  readonly #world: World;
  readonly #gaining: RegistrarCode;
  /** What has to be copied, once: no identical contact waits for it. */
  readonly #missing: Set<string>;

  constructor(model: RegistryModel, world: World, domains: readonly Domain[], gaining: RegistrarCode) {
    this.#model = model;
    this.#world = world;
    this.#gaining = gaining;
    const waiting = new Set(model.contactsOf(gaining).map(({ data }) => keyOf(data)));
    const leaving = domains.flatMap(({ registrant, admins, techs }) => [registrant, ...admins, ...techs]);
    this.#missing = new Set(leaving.map(({ data }) => keyOf(data)).filter((key) => !waiting.has(key)));
  }

  /** The contacts of the codes of one role; they must be those from before. */
  async match(sources: readonly Contact[], codes: readonly string[]): Promise<Contact[]> {
    const arrived = await Promise.all(codes.map((code) => this.#contact(code)));
    const keys = (contacts: readonly Contact[]) =>
      [...new Set(contacts.map(({ data }) => keyOf(data)))].toSorted();
    if (JSON.stringify(keys(sources)) !== JSON.stringify(keys(arrived)) || arrived.length > sources.length)
      throw new Error(`${keys(sources)} arrived as ${keys(arrived)}`);
    return arrived;
  }

  async #contact(code: string): Promise<Contact> {
    const known = this.#model.contacts.get(code);
    if (known?.sponsor === this.#gaining) return known;
    const { status, body } = await this.#world.read(this.#gaining, `/contacts/${encodeURIComponent(code)}`);
    if (known || status !== 200 || !COPIED.test(code)) throw new Error(`${code} is no copy of a contact`);
    const { name, email, phone, ident } = body.data.contact;
    const data: ContactData = {
      name,
      email,
      phone,
      ident: { ident: ident.code, ident_type: ident.type, ident_country_code: ident.country_code },
    };
    const again = this.#model.contacts.get(code);
    if (again) return again; // another role of the same contact was read meanwhile
    if (!this.#missing.delete(keyOf(data))) throw new Error(`${code} is a copy that nobody needs`);
    const copy: Contact = { code, sponsor: this.#gaining, data };
    this.#model.contacts.set(code, copy);
    return copy;
  }
}
