import fc from 'fast-check';
import { address, caller, judge, type NameChoice, nameChoice, nameOf, period, spell } from '../choices.ts';
import { rescue } from '../lifecycle.ts';
import {
  collect,
  FOREIGN,
  NO_PRICE,
  NOT_THERE,
  type Outcome,
  POLICY,
  rule,
  STATUS_PROHIBITS,
  TOO_FAR,
  TOO_NEAR,
} from '../outcomes.ts';
import { inShort, type Period, priceOf, reachesTooFar, renewedExpiry, staysExpired } from '../prices.ts';
import type { Domain, RegistrarCode, RegistryModel } from '../state.ts';
import { renewalProhibited } from '../statuses.ts';
import { type Plan, steps } from '../step.ts';

const TWICE = rule(2005);

function refusalsOf(model: RegistryModel, domain: Domain, chosen: Period): Outcome[] {
  const expiry = renewedExpiry(domain.expiry, chosen);
  return collect(
    renewalProhibited(domain) && STATUS_PROHIBITS,
    priceOf(chosen) === undefined && NO_PRICE,
    reachesTooFar(expiry, model.now) && TOO_FAR,
    staysExpired(expiry, model.now) && TOO_NEAR,
  );
}

function renew(domain: Domain, chosen: Period): void {
  domain.expiry = renewedExpiry(domain.expiry, chosen);
  rescue(domain);
}

export const renewals = steps(
  'renew',
  fc.record({ name: nameChoice, who: caller, period, expiry: fc.constantFrom(0, 0, 0, 0, 0, 1, -1) }),
  (model, { name, who, period, expiry: daysOff }) => {
    const addressed = address(model, name, who);
    const { domain, path } = addressed;
    const expiry = domain?.expiry.add({ days: daysOff }).toString() ?? '2050-01-01';
    return {
      call: {
        who: addressed.who,
        method: 'POST',
        target: `${path}/renew`,
        body: { renews: { ...period, exp_date: expiry } },
      },
      price: addressed.absent.length > 0 ? undefined : priceOf(period),
      data: { domain: { name: addressed.name } },
      refusals: judge(addressed, (found) => [daysOff !== 0 && POLICY, ...refusalsOf(model, found, period)]),
      effect: () => domain && renew(domain, period),
    } satisfies Plan;
  },
);

/** Those that the bulk call can write. */
const shortPeriod = period.filter(({ period: count, period_unit: unit }) =>
  unit === 'm' ? [3, 6, 9].includes(count) : count <= 10,
);

/** The first name that fails decides. */
function bulkRefusals(
  model: RegistryModel,
  who: RegistrarCode,
  names: readonly string[],
  chosen: Period,
): Outcome[] {
  for (const name of names) {
    const domain = model.domains.get(name);
    const found = !domain
      ? [NOT_THERE]
      : domain.sponsor !== who
        ? [FOREIGN]
        : refusalsOf(model, domain, chosen);
    if (found.length > 0) return found;
  }
  return [];
}

function planBulk(
  model: RegistryModel,
  who: RegistrarCode,
  choices: readonly NameChoice[],
  chosen: Period,
): Plan {
  const names = choices.map((choice) => nameOf(model, choice));
  const twice = new Set(names).size < names.length;
  const price = (priceOf(chosen) ?? 0n) * BigInt(names.length);
  const failing = bulkRefusals(model, who, names, chosen);
  return {
    call: {
      who,
      method: 'POST',
      target: '/domains/renew/bulk',
      body: { domains: choices.map((choice) => spell(model, choice)), renew_period: inShort(chosen) },
    },
    data: { updated_domains: names },
    price: twice ? undefined : price,
    refusals: twice ? [TWICE] : failing,
    effect() {
      for (const name of names) {
        const domain = model.domains.get(name);
        if (domain) renew(domain, chosen);
      }
    },
  };
}

/** Mostly domains of one registrar, each once: with one that fails nothing is renewed. */
export const bulkRenewals = steps(
  'renew many',
  fc.record({
    who: caller,
    names: fc.array(nameChoice, { minLength: 1, maxLength: 3 }),
    strict: fc.constantFrom(true, true, true, true, false),
    period: shortPeriod,
  }),
  (model, { who: chosen, names, strict, period }) => {
    const first = names[0] && address(model, names[0], chosen);
    const who = first?.who ?? 'ALPHA';
    const fitting = names.filter((choice, index) => {
      const name = nameOf(model, choice);
      const again = names.slice(0, index).some((earlier) => nameOf(model, earlier) === name);
      return !again && model.domains.get(name)?.sponsor === who;
    });
    return planBulk(model, who, strict && fitting.length > 0 ? fitting : names, period);
  },
);
