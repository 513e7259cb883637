import fc from 'fast-check';
import type { Data } from '../../../support/client.ts';
import { absence, address, type NameChoice, nameChoice, nameOf, registrar, spell } from '../choices.ts';
import { TRANSFERRED_AWAY, TRANSFERRED_IN } from '../messages.ts';
import { collect, type Outcome, rule, STATUS_PROHIBITS, TOO_MANY_CODES, WRONG_CODE } from '../outcomes.ts';
import type { Domain, RegistrarCode, RegistryModel } from '../state.ts';
import { transferProhibited } from '../statuses.ts';
import { type Done, steps } from '../step.ts';
import { takeOver } from '../takeover.ts';
import { codesClosed, countWrongCode } from '../wrong-codes.ts';

const ALREADY_YOURS = rule(2002);
const NOT_ELIGIBLE = rule(2106);
const UNKNOWN = rule(2303);
const WRONG = 'surely-not-this';

const code = fc.constantFrom<'right' | 'wrong'>('right', 'right', 'right', 'right', 'wrong');
/** Mostly a registrar that does not sponsor it yet. */
const gaining = fc.record({ who: registrar, other: fc.constantFrom(true, true, true, true, false) });

function gainingRegistrar(
  domain: Domain | undefined,
  { who, other }: { who: RegistrarCode; other: boolean },
) {
  if (!other || domain?.sponsor !== who) return who;
  return who === 'ALPHA' ? 'BETA' : 'ALPHA';
}

/** A wrong code is refused before anything else about the domain. */
function transferRefusals(
  model: RegistryModel,
  who: RegistrarCode,
  domain: Domain,
  right: boolean,
): Outcome[] {
  if (codesClosed(model, domain.name, who)) return [TOO_MANY_CODES];
  if (!right) return [WRONG_CODE];
  if (domain.sponsor === who) return [ALREADY_YOURS];
  return collect(
    transferProhibited(domain) && STATUS_PROHIBITS,
    domain.statuses.has('deleteCandidate') && NOT_ELIGIBLE,
  );
}

async function transfer(
  model: RegistryModel,
  domains: readonly Domain[],
  who: RegistrarCode,
  { world }: Done,
): Promise<void> {
  for (const { name, sponsor } of domains) {
    model.tell(sponsor, TRANSFERRED_AWAY, name);
    model.tell(who, TRANSFERRED_IN, name);
  }
  await takeOver(model, world, domains, who);
}

export const transfers = steps(
  'transfer',
  fc.record({ name: nameChoice, gaining, code }),
  (model, { name: choice, gaining, code }) => {
    const { domain, name } = address(model, choice, 'sponsor');
    const who = gainingRegistrar(domain, gaining);
    const right = code === 'right' && domain?.transferCode !== undefined;
    const refusals = domain ? transferRefusals(model, who, domain, right) : absence(model, who, name);
    return {
      call: {
        who,
        method: 'POST',
        target: `/domains/${encodeURIComponent(spell(model, choice))}/transfer`,
        body: { transfer: { transfer_code: right ? domain?.transferCode : WRONG } },
      },
      refusals,
      data: { domain: { name, type: 'domain_transfer' } },
      trace({ at }) {
        if (refusals[0] === WRONG_CODE) countWrongCode(model, name, who, at.until);
      },
      effect: (done) => domain && transfer(model, [domain], who, done),
    };
  },
);

/** The contacts of a domain, for its sponsor without a code and for others with it. */
export const transferInformation = steps(
  'read transfer info',
  fc.record({ name: nameChoice, gaining, code }),
  (model, { name: choice, gaining, code }) => {
    const { domain, name, path } = address(model, choice, 'sponsor');
    const who = gainingRegistrar(domain, gaining);
    const own = domain?.sponsor === who;
    const right = code === 'right' && domain?.transferCode !== undefined;
    const closed = codesClosed(model, name, who);
    const refusals = !domain
      ? absence(model, who, name)
      : collect(!own && closed && TOO_MANY_CODES, !own && !right && !closed && WRONG_CODE);
    const sent = right ? domain?.transferCode : WRONG;
    return {
      reads: true,
      call: {
        who,
        method: 'GET',
        target: `${path}/transfer_info`,
        ...(!own && sent && { headers: { 'Auth-Code': sent } }),
      },
      refusals,
      trace({ at }) {
        if (refusals[0] === WRONG_CODE) countWrongCode(model, name, who, at.until);
      },
      effect({ reply: { body } }) {
        if (!domain) return;
        const codes = (contacts: readonly Data[]) => contacts.map((contact) => contact.code).toSorted();
        const { registrant, admin_contacts, tech_contacts } = body.data;
        const reported = [codes([registrant]), codes(admin_contacts), codes(tech_contacts)];
        const expected = [codes([domain.registrant]), codes(domain.admins), codes(domain.techs)];
        if (JSON.stringify(reported) !== JSON.stringify(expected))
          throw new Error(`the contacts are ${reported}`);
      },
    };
  },
);

type Item = { readonly name: NameChoice; readonly code: 'right' | 'wrong' };

/** Each name once; every item is answered separately. */
export const bulkTransfers = steps(
  'transfer many',
  fc.record({
    who: registrar,
    items: fc.uniqueArray(fc.record<Item>({ name: nameChoice, code }), { minLength: 1, maxLength: 3 }),
  }),
  (model, { who, items: chosen }) => {
    const items = chosen
      .filter(
        ({ name }, index) =>
          chosen.findIndex((item) => nameOf(model, item.name) === nameOf(model, name)) === index,
      )
      .map(({ name: choice, code }) => {
        const name = nameOf(model, choice);
        const domain = model.domains.get(name);
        const right = code === 'right' && domain?.transferCode !== undefined;
        const refusals = domain ? transferRefusals(model, who, domain, right) : [UNKNOWN];
        return {
          name,
          written: spell(model, choice),
          domain,
          refusals,
          sent: right ? domain?.transferCode : WRONG,
        };
      });
    return {
      call: {
        who,
        method: 'POST',
        target: '/domains/transfer',
        body: {
          data: {
            domain_transfers: items.map(({ written, sent }) => ({
              domain_name: written,
              transfer_code: sent,
            })),
          },
        },
      },
      refusals: [],
      trace({ at }) {
        for (const { name, refusals } of items)
          if (refusals[0] === WRONG_CODE) countWrongCode(model, name, who, at.until);
      },
      async effect(done) {
        const { success, failed } = done.reply.body.data;
        for (const { name, written, refusals } of items) {
          const taken = success.some(
            (item: Data) => item.domain_name === name && item.type === 'domain_transfer',
          );
          const failure = failed.find((item: Data) => [name, written].includes(item.domain_name));
          const fitting = refusals.some(([, expected]) => failure?.errors.code === String(expected));
          if (taken !== (refusals.length === 0) || fitting === taken)
            throw new Error(`${name} should be ${refusals.join(' or ') || 'transferred'}`);
        }
        if (success.length + failed.length !== items.length) throw new Error('not one answer for each item');
        const taken = items.filter(({ refusals }) => refusals.length === 0);
        await transfer(
          model,
          taken.flatMap(({ domain }) => domain ?? []),
          who,
          done,
        );
      },
    };
  },
);
