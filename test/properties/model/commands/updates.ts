import fc from 'fast-check';
import {
  address,
  caller,
  codeOf,
  contactChoice,
  judge,
  nameChoice,
  ownContact,
  sameHolder,
} from '../choices.ts';
import { startDeletion } from '../lifecycle.ts';
import { NOT_THERE, POLICY, STATUS_PROHIBITS, WRONG_CODE } from '../outcomes.ts';
import { recode } from '../state.ts';
import { deletionProhibited, updateProhibited } from '../statuses.ts';
import { steps } from '../step.ts';

const chosenCode = fc.option(fc.constantFrom('chosen-at-first', 'chosen-later'), { freq: 2, nil: undefined });

export const registrantChanges = steps(
  'change registrant',
  fc.record({
    name: nameChoice,
    who: caller,
    contact: contactChoice,
    verified: fc.boolean(),
    code: chosenCode,
  }),
  (model, { name, who, contact, verified, code }) => {
    const { domain, path, absent, ...addressed } = address(model, name, who);
    const registrant = codeOf(model, addressed.who, contact);
    const next = ownContact(model, addressed.who, registrant);
    const asked =
      domain !== undefined && next !== undefined && !verified && !sameHolder(domain.registrant, next);
    return {
      call: {
        who: addressed.who,
        method: 'PUT',
        target: path,
        body: {
          domain: {
            registrant: { code: registrant, ...(verified && { verified }) },
            ...(code && { transfer_code: code }),
          },
        },
      },
      refusals: judge({ domain, absent }, (found) => [
        !next && NOT_THERE,
        updateProhibited(found) && STATUS_PROHIBITS,
      ]),
      pending: asked,
      data: { domain: { name: addressed.name, ...(asked && { pending: true }) } },
      async effect({ at, world }) {
        if (!domain || !next) return;
        if (asked) {
          const link = await world.mailbox.linkAbout(domain.name);
          model.ask(domain, { kind: 'update', made: at, newRegistrant: next, newCode: code, link });
        } else if (domain.registrant !== next || code !== undefined) {
          domain.registrant = next;
          recode(domain, code);
        }
      },
    };
  },
);

export const codeChanges = steps(
  'choose transfer code',
  fc.record({ name: nameChoice, who: caller, code: fc.constantFrom('chosen-at-first', 'chosen-later') }),
  (model, { name, who, code }) => {
    const { domain, path, absent, ...addressed } = address(model, name, who);
    return {
      call: { who: addressed.who, method: 'PUT', target: path, body: { domain: { transfer_code: code } } },
      refusals: judge({ domain, absent }, (found) => [updateProhibited(found) && STATUS_PROHIBITS]),
      data: { domain: { name: addressed.name } },
      effect: () => domain && recode(domain, code),
    };
  },
);

export const holds = steps(
  'set or remove clientHold',
  fc.record({ name: nameChoice, who: caller, method: fc.constantFrom('PUT', 'DELETE') }),
  (model, { name, who, method }) => {
    const { domain, path, absent, ...addressed } = address(model, name, who);
    const unset = method === 'DELETE' && !domain?.statuses.has('clientHold');
    return {
      call: { who: addressed.who, method, target: `${path}/statuses/clientHold` },
      refusals: judge({ domain, absent }, (found) => [
        updateProhibited(found) && STATUS_PROHIBITS,
        unset && POLICY,
      ]),
      data: method === 'PUT' ? { domain: addressed.name, status: 'clientHold' } : {},
      effect() {
        if (method === 'PUT') domain?.statuses.add('clientHold');
        else domain?.statuses.delete('clientHold');
      },
    };
  },
);

export const deletions = steps(
  'delete',
  fc.record({
    name: nameChoice,
    who: caller,
    verified: fc.boolean(),
    code: fc.constantFrom('none', 'none', 'right', 'wrong'),
  }),
  (model, { name, who, verified, code }) => {
    const { domain, path, absent, ...addressed } = address(model, name, who);
    const right = domain?.transferCode ?? 'of nothing at all';
    const wrong = code === 'wrong' || (code === 'right' && !domain);
    return {
      call: {
        who: addressed.who,
        method: 'DELETE',
        target: path,
        body: { domain: { delete: { verified } } },
        ...(code !== 'none' && { headers: { 'Auth-Code': wrong ? 'surely-not-this' : right } }),
      },
      refusals: judge({ domain, absent }, (found) => [
        wrong && WRONG_CODE,
        deletionProhibited(found) && STATUS_PROHIBITS,
      ]),
      pending: !verified,
      data: { domain: { name: addressed.name, ...(!verified && { pending: true }) } },
      async effect({ at, world }) {
        if (!domain) return;
        if (verified) return startDeletion(domain, at);
        model.ask(domain, { kind: 'delete', made: at, link: await world.mailbox.linkAbout(domain.name) });
      },
    };
  },
);
