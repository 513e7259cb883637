import type { Effect } from '../journal.ts';
import type { Registrar, World } from '../world.ts';
import { type Action, live, type Parts } from './client.ts';

const API = '/registry/v1';
type Envelope<Data> = { readonly code: number; readonly data: Data };
type Domain = {
  readonly name: string;
  readonly registrant: { readonly code: string };
  readonly expire_time: string;
  readonly transfer_code?: string;
};
/** Statuses of a domain that does not exist, or no longer. */
const ABSENT: readonly number[] = [404, 410];
type RegistrarCall = {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly keyed?: boolean;
};

const KEYED_OF_ALL = 0.75;
const HOSTS = ['ns1.torture.example', 'ns2.torture.example', 'ns3.torture.example', 'ns4.torture.example'];
const IDENT = { ident: '60001019906', ident_type: 'priv', ident_country_code: 'EE' };

/** A registrar's program: contacts, domains, transfers, bulk calls, messages, top-ups. */
export function runRegistrarClient(world: World, registrar: Registrar, number: number): Promise<void> {
  const { authorization } = registrar;

  const look = <Data>({ caller }: Parts, path: string) =>
    caller.look<Envelope<Data>>({ method: 'GET', path: API + path, headers: { authorization } });

  /** Reads are recorded, to be compared with the state at that time. */
  async function readDomain(parts: Parts, name: string): Promise<Domain | undefined> {
    const found = await look<{ domain: Domain }>(parts, `/domains/${name}`);
    if (found === undefined || (found.status !== 200 && !ABSENT.includes(found.status))) return undefined;
    const { sentAt, endedAt } = found;
    const domain = found.status === 200 ? found.body.data.domain : undefined;
    const shown = domain && { registrant: domain.registrant.code, expireTime: domain.expire_time };
    world.journal.domainReads.push({ seen: { name: domain?.name ?? name, shown }, sentAt, endedAt });
    if (domain && domain.name !== name)
      world.journal.complain('a read was answered with another object', name, domain.name);
    return domain;
  }

  async function listDomains(parts: Parts): Promise<readonly string[]> {
    const list = await look<{ domains: string[] }>(parts, '/domains?limit=200');
    if (list?.status !== 200) return [];
    const { sentAt, endedAt, body } = list;
    const names = body.data.domains;
    world.journal.listReads.push({ seen: { registrar: registrar.code, names }, sentAt, endedAt });
    return names;
  }

  /** Sends it, and records what must be in history once it is acknowledged. */
  async function want<Data>(
    { caller, chance }: Parts,
    what: string,
    { method, path, body, headers, keyed = chance.happens(KEYED_OF_ALL) }: RegistrarCall,
    promised: (data: Data) => readonly Effect[] = () => [],
  ): Promise<Data | undefined> {
    const call = { method, path: API + path, headers: { authorization, ...headers }, body };
    const { intent, reply } = await caller.want<Envelope<Data>>(what, call, keyed);
    if (reply?.status !== 200) return undefined;
    world.journal.promised.set(intent, promised(reply.body.data));
    return reply.body.data;
  }

  const contactOf = ({ chance }: Parts) => world.contact(registrar, chance);
  const nameOf = ({ chance }: Parts) => world.name(chance);
  const hostsOf = ({ chance }: Parts) =>
    [0, 1].map((place) => ({ hostname: HOSTS[(chance.below(2) * 2 + place) % HOSTS.length] }));

  const actions = {
    async createContact(parts: Parts) {
      const id = contactOf(parts);
      const contact = {
        id,
        name: 'Mari Maasikas',
        email: 'mari@example.ee',
        phone: '+372.5551234',
        ident: IDENT,
      };
      await want<{ contact: { code: string } }>(
        parts,
        'create contact',
        { method: 'POST', path: '/contacts', body: { contact } },
        (data) => [{ operation: 'create', name: data.contact.code }],
      );
    },

    async updateContact(parts: Parts) {
      const email = `mari${parts.chance.below(1000)}@example.ee`;
      const path = `/contacts/${contactOf(parts)}`;
      await want(parts, 'update contact', { method: 'PUT', path, body: { contact: { email } } });
    },

    async deleteContact(parts: Parts) {
      const code = contactOf(parts);
      await want(parts, 'delete contact', { method: 'DELETE', path: `/contacts/${code}` }, () => [
        { operation: 'delete', name: code },
      ]);
    },

    async register(parts: Parts) {
      const { chance } = parts;
      const name = nameOf(parts);
      const password = world.registrationCodes.get(name);
      const domain = {
        name,
        registrant: contactOf(parts),
        period: 1,
        period_unit: 'y',
        ...(chance.happens(0.5) && { admin_contacts: [contactOf(parts)] }),
        ...(chance.happens(0.5) && { tech_contacts: [contactOf(parts)] }),
        ...(chance.happens(0.5) && { nameservers_attributes: hostsOf(parts) }),
        ...(password !== undefined && chance.happens(0.7) && { reserved_pw: password }),
      };
      await want(parts, 'register', { method: 'POST', path: '/domains', body: { domain } }, () => [
        { operation: 'create', name },
      ]);
    },

    async renew(parts: Parts) {
      const name = nameOf(parts);
      const found = await readDomain(parts, name);
      if (!found) return;
      const renews = {
        period: parts.chance.happens(0.5) ? 3 : 6,
        period_unit: 'm',
        exp_date: found.expire_time.slice(0, 10),
      };
      await want(parts, 'renew', { method: 'POST', path: `/domains/${name}/renew`, body: { renews } }, () => [
        { operation: 'renew', name },
      ]);
    },

    async renewMany(parts: Parts) {
      const own = await listDomains(parts);
      const domains = [...new Set([0, 1, 2].flatMap(() => parts.chance.oneOf(own) ?? []))];
      if (domains.length === 0) return;
      await want<{ updated_domains: string[] }>(
        parts,
        'renew many',
        { method: 'POST', path: '/domains/renew/bulk', body: { domains, renew_period: '3m' } },
        (data) => data.updated_domains.map((name) => ({ operation: 'renew', name })),
      );
    },

    /** Also publishes the code to the other clients, like a registrant who wants to transfer. */
    async readDomain(parts: Parts) {
      const name = nameOf(parts);
      const code = (await readDomain(parts, name))?.transfer_code;
      if (code !== undefined) world.transferCodes.set(name, code);
    },

    async transfer(parts: Parts) {
      const [name, code] = parts.chance.oneOf([...world.transferCodes]) ?? [];
      if (name === undefined) return;
      world.transferCodes.delete(name);
      await want(
        parts,
        'transfer',
        { method: 'POST', path: `/domains/${name}/transfer`, body: { transfer: { transfer_code: code } } },
        () => [{ operation: 'transfer', name }],
      );
    },

    async transferMany(parts: Parts) {
      const codes = [...world.transferCodes].slice(0, 3);
      if (codes.length === 0) return;
      const domain_transfers = codes.map(([domain_name, transfer_code]) => ({ domain_name, transfer_code }));
      await want<{ success: { domain_name: string }[] }>(
        parts,
        'transfer many',
        { method: 'POST', path: '/domains/transfer', body: { data: { domain_transfers } } },
        (data) => data.success.map(({ domain_name: name }) => ({ operation: 'transfer', name })),
      );
    },

    async changeRegistrant(parts: Parts) {
      const verified = parts.chance.happens(0.5) ? { verified: true } : {};
      const domain = { registrant: { code: contactOf(parts), ...verified } };
      const path = `/domains/${nameOf(parts)}`;
      await want(parts, 'change registrant', { method: 'PUT', path, body: { domain } });
    },

    async changeContacts(parts: Parts) {
      const type = parts.chance.happens(0.5) ? 'admin' : 'tech';
      const contacts = [{ code: contactOf(parts), type }];
      const method = parts.chance.happens(0.6) ? 'POST' : 'DELETE';
      const path = `/domains/${nameOf(parts)}/contacts`;
      await want(parts, 'change contacts', { method, path, body: { contacts } });
    },

    async changeNameservers(parts: Parts) {
      const path = `/domains/${nameOf(parts)}/nameservers`;
      const [host] = hostsOf(parts);
      if (parts.chance.happens(0.6))
        await want(parts, 'add nameservers', { method: 'POST', path, body: { nameservers: hostsOf(parts) } });
      else await want(parts, 'remove nameserver', { method: 'DELETE', path: `${path}/${host?.hostname}` });
    },

    async replaceNameserver(parts: Parts) {
      const [from, to] = parts.chance.happens(0.5) ? [HOSTS[0], HOSTS[2]] : [HOSTS[2], HOSTS[0]];
      const data = { type: 'nameserver', id: from, attributes: { hostname: to } };
      await want(parts, 'replace nameserver', {
        method: 'PUT',
        path: '/registrar/nameservers',
        body: { data },
      });
    },

    async replaceTech(parts: Parts) {
      const body = { current_contact_id: contactOf(parts), new_contact_id: contactOf(parts) };
      await want(parts, 'replace tech', { method: 'PATCH', path: '/domains/contacts', body });
    },

    async hold(parts: Parts) {
      const method = parts.chance.happens(0.5) ? 'PUT' : 'DELETE';
      await want(parts, 'hold', { method, path: `/domains/${nameOf(parts)}/statuses/clientHold` });
    },

    async deleteDomain(parts: Parts) {
      const body = { domain: { delete: { verified: parts.chance.happens(0.5) } } };
      await want(parts, 'delete domain', { method: 'DELETE', path: `/domains/${nameOf(parts)}`, body });
    },

    async acknowledge(parts: Parts) {
      const newest = await look<{ id?: number }>(parts, '/registrar/notifications');
      const id = newest?.status === 200 ? newest.body.data.id : undefined;
      if (id === undefined) return;
      const call = {
        method: 'PUT',
        path: `/registrar/notifications/${id}`,
        body: { notification: { read: true } },
      };
      if (await want(parts, 'acknowledge', call)) world.journal.acknowledged.add(id);
    },

    async topUp(parts: Parts) {
      const body = { invoice: { amount: `${10 + parts.chance.below(90)}.00` } };
      const call = { method: 'POST', path: '/invoices/add_credit', body };
      type Issued = { invoice: { invoice_number: number; payment_link: string } };
      const data = await want<Issued>(parts, 'top up', call);
      if (!data) return;
      world.journal.invoices.set(data.invoice.invoice_number, 'registry');
      world.keep(world.links, data.invoice.payment_link);
    },
  } satisfies Record<string, Action>;

  return live(world, `${registrar.code}-${number}`, actions, {
    createContact: 14,
    updateContact: 6,
    deleteContact: 3,
    register: 30,
    renew: 12,
    renewMany: 3,
    readDomain: 14,
    transfer: 8,
    transferMany: 2,
    changeRegistrant: 4,
    changeContacts: 6,
    changeNameservers: 6,
    replaceNameserver: 1,
    replaceTech: 1,
    hold: 3,
    deleteDomain: 5,
    acknowledge: 6,
    topUp: 8,
  });
}
