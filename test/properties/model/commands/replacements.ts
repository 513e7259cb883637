import fc from 'fast-check';
import {
  codeOf,
  contactChoice,
  hostname,
  type NameChoice,
  nameChoice,
  nameOf,
  ownContact,
  registrar,
  spell,
} from '../choices.ts';
import { collect, NOT_THERE, POLICY, STATUS_PROHIBITS } from '../outcomes.ts';
import type { Domain, RegistrarCode, RegistryModel } from '../state.ts';
import { updateProhibited } from '../statuses.ts';
import { steps } from '../step.ts';

const namesOf = (domains: readonly { readonly name: string }[]) => domains.map(({ name }) => name).toSorted();

/** Mostly a contact that is in use. */
function techOf(model: RegistryModel, who: RegistrarCode, choice: number): string {
  const used = model.domainsOf(who).flatMap(({ techs }) => techs);
  return used[choice % (used.length + 1)]?.code ?? codeOf(model, who, choice);
}

export const techReplacements = steps(
  'replace tech contact',
  fc.record({ who: registrar, current: contactChoice, next: contactChoice }),
  (model, { who, ...choice }) => {
    const [current, next] = [techOf(model, who, choice.current), codeOf(model, who, choice.next)];
    const [old, replacement] = [ownContact(model, who, current), ownContact(model, who, next)];
    const concerned = old ? model.domainsOf(who).filter(({ techs }) => techs.includes(old)) : [];
    const skipped = concerned.filter(
      (domain) => updateProhibited(domain) || (replacement && domain.techs.includes(replacement)),
    );
    const affected = concerned.filter((domain) => !skipped.includes(domain));
    return {
      call: {
        who,
        method: 'PATCH',
        target: '/domains/contacts',
        body: { current_contact_id: current, new_contact_id: next },
      },
      refusals: collect((!old || !replacement) && NOT_THERE, current === next && STATUS_PROHIBITS),
      data: { affected_domains: namesOf(affected), skipped_domains: namesOf(skipped) },
      effect() {
        for (const domain of affected)
          domain.techs = domain.techs.flatMap((tech) => (tech === old ? (replacement ?? []) : tech));
      },
    };
  },
);

function hostOf(model: RegistryModel, who: RegistrarCode, choice: number): string {
  const used = model.domainsOf(who).flatMap(({ hosts }) => hosts);
  return used[choice % (used.length + 1)] ?? hostname(model, choice);
}

const list = fc.option(fc.array(nameChoice, { minLength: 1, maxLength: 3 }), { freq: 2, nil: undefined });

export const nameserverReplacements = steps(
  'replace nameserver',
  fc.record({ who: registrar, old: fc.nat({ max: 13 }), next: fc.nat({ max: 13 }), list }),
  (model, { who, old: choice, next: index, list }) => {
    const [old, next] = [hostOf(model, who, choice), hostname(model, index)];
    const known = model.domainsOf(who).some(({ hosts }) => hosts.includes(old));
    const { affected, skipped } = concerned(model, who, { old, next, list });
    const attributes = { hostname: next };
    return {
      call: {
        who,
        method: 'PUT',
        target: '/registrar/nameservers',
        body: {
          data: {
            type: 'nameserver',
            id: old,
            attributes,
            ...(list && { domains: list.map((name) => spell(model, name)) }),
          },
        },
      },
      refusals: collect(!known && NOT_THERE, old === next && POLICY),
      effect({ reply }) {
        const { affected_domains, skipped_domains, id } = reply.body.data;
        const reported = JSON.stringify([id, affected_domains, skipped_domains]);
        const expected = JSON.stringify([next, namesOf(affected), skipped]);
        if (reported !== expected) throw new Error(`expected ${expected}`);
        for (const domain of affected)
          domain.hosts = domain.hosts.map((host) => (host === old ? next : host));
      },
    };
  },
);

type Replacement = {
  readonly old: string;
  readonly next: string;
  readonly list: readonly NameChoice[] | undefined;
};

/** A listed domain that cannot be changed is reported; an unlisted one that lacks the host is not. */
function concerned(model: RegistryModel, who: RegistrarCode, { old, next, list }: Replacement) {
  const changeable = (domain: Domain | undefined): domain is Domain =>
    domain !== undefined &&
    domain.sponsor === who &&
    domain.hosts.includes(old) &&
    !domain.hosts.includes(next) &&
    !updateProhibited(domain);
  const carrying = model.domainsOf(who).filter(({ hosts }) => hosts.includes(old));
  const names = list ? list.map((name) => nameOf(model, name)) : carrying.map(({ name }) => name);
  const listed = [...new Set(names)].toSorted();
  const affected = listed.map((name) => model.domains.get(name)).filter(changeable);
  return { affected, skipped: listed.filter((name) => !affected.some((domain) => domain.name === name)) };
}
