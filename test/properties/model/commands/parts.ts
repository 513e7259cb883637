import fc from 'fast-check';
import {
  address,
  caller,
  codeOf,
  contactChoice,
  hostname,
  judge,
  nameChoice,
  ownContact,
} from '../choices.ts';
import { MANAGEMENT_POLICY, MISSING, NOT_THERE, rule, STATUS_PROHIBITS, TAKEN } from '../outcomes.ts';
import type { Contact, Domain } from '../state.ts';
import { updateProhibited } from '../statuses.ts';
import { steps } from '../step.ts';
import { hostCountWrong, roleRefusals } from './registrations.ts';

const hostIndex = fc.noBias(fc.nat({ max: 13 }));
const GLUE_MISSING = rule(2003);
const prohibited = (domain: Domain) => updateProhibited(domain) && STATUS_PROHIBITS;

export const nameserverAdditions = steps(
  'add nameservers',
  fc.record({
    name: nameChoice,
    who: caller,
    hosts: fc.array(hostIndex, { minLength: 1, maxLength: 4 }),
    below: fc.constantFrom('none', 'none', 'none', 'with address', 'bare'),
  }),
  (model, { name, who, hosts: indexes, below }) => {
    const { domain, path, absent, ...addressed } = address(model, name, who);
    const glue = `ns.${addressed.name}`;
    const hosts = [...indexes.map((index) => hostname(model, index)), ...(below === 'none' ? [] : [glue])];
    const sent = hosts.map((host) => ({
      hostname: host,
      ...(host === glue && below === 'with address' && { ipv4: ['192.0.2.1'] }),
    }));
    const before = domain?.hosts ?? [];
    const all = [...before, ...hosts];
    return {
      call: {
        who: addressed.who,
        method: 'POST',
        target: `${path}/nameservers`,
        body: { nameservers: sent },
      },
      refusals: judge({ domain, absent }, (found) => [
        prohibited(found),
        new Set(all).size < all.length && TAKEN,
        hostCountWrong(all.length) && MANAGEMENT_POLICY,
        hostCountWrong(new Set(all).size) && MANAGEMENT_POLICY,
        below === 'bare' && GLUE_MISSING,
      ]),
      data: { domain: { name: addressed.name } },
      effect() {
        if (domain) domain.hosts = all;
      },
    };
  },
);

/** Mostly a host that is there. */
export const nameserverRemovals = steps(
  'remove nameserver',
  fc.record({ name: nameChoice, who: caller, host: hostIndex, all: fc.constantFrom(false, false, true) }),
  (model, { name, who, host, all }) => {
    const { domain, path, absent, ...addressed } = address(model, name, who);
    const before = domain?.hosts ?? [];
    const removed = (host > 0 && before[host % before.length]) || hostname(model, host);
    const left = all ? [] : before.filter((each) => each !== removed);
    const target = `${path}/nameservers${all ? '' : `/${encodeURIComponent(removed)}`}`;
    return {
      call: { who: addressed.who, method: 'DELETE', target },
      refusals: judge({ domain, absent }, (found) => [
        prohibited(found),
        !all && left.length === before.length && MISSING,
        !all && hostCountWrong(left.length) && MANAGEMENT_POLICY,
      ]),
      data: { domain: { name: addressed.name } },
      effect() {
        if (domain) domain.hosts = left;
      },
    };
  },
);

type Role = 'admin' | 'tech';
const linkage = fc.record({
  name: nameChoice,
  who: caller,
  role: fc.constantFrom<Role>('admin', 'tech'),
  contacts: fc.array(contactChoice, { minLength: 1, maxLength: 2 }),
});
const linked = (domain: Domain, role: Role): Contact[] => (role === 'admin' ? domain.admins : domain.techs);
function link(domain: Domain, role: Role, contacts: Contact[]): void {
  if (role === 'admin') domain.admins = contacts;
  else domain.techs = contacts;
}

export const contactAdditions = steps('add contacts', linkage, (model, { name, who, role, contacts }) => {
  const { domain, path, absent, ...addressed } = address(model, name, who);
  const codes = contacts.map((choice) => codeOf(model, addressed.who, choice));
  return {
    call: {
      who: addressed.who,
      method: 'POST',
      target: `${path}/contacts`,
      body: { contacts: codes.map((code) => ({ code, type: role })) },
    },
    refusals: judge({ domain, absent }, (found) => [
      prohibited(found),
      ...roleRefusals(model, addressed.who, codes, role),
    ]),
    data: { domain: { name: addressed.name } },
    effect() {
      if (!domain) return;
      const added = codes.flatMap((code) => ownContact(model, addressed.who, code) ?? []);
      link(domain, role, [...new Set([...linked(domain, role), ...added])]);
    },
  };
});

/** Mostly contacts that are there, each named once: the registry removes one that is named twice, where 2306 is due. */
export const contactRemovals = steps('remove contacts', linkage, (model, { name, who, role, contacts }) => {
  const { domain, path, absent, ...addressed } = address(model, name, who);
  const present = domain ? linked(domain, role) : [];
  const chosen = contacts.map(
    (choice) => present[choice % (present.length + 1)]?.code ?? codeOf(model, addressed.who, choice),
  );
  const codes = [...new Set(chosen)];
  const left = present.filter(({ code }) => !codes.includes(code));
  return {
    call: {
      who: addressed.who,
      method: 'DELETE',
      target: `${path}/contacts`,
      body: { contacts: codes.map((code) => ({ code, type: role })) },
    },
    refusals: judge({ domain, absent }, (found) => [
      prohibited(found),
      codes.some((code) => !present.some((contact) => contact.code === code)) && NOT_THERE,
    ]),
    data: { domain: { name: addressed.name } },
    effect: () => domain && link(domain, role, left),
  };
});
