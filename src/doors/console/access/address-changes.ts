import { parseAddressRange } from '../../../platform/values/ip-addresses.ts';
import { normaliseText } from '../../../platform/values/text.ts';
import type { AddressPurpose } from '../../../registry/registrars/address-list.ts';
import { allowAddresses } from '../../../registry/registrars/allow-addresses.ts';
import { disallowAddresses } from '../../../registry/registrars/disallow-addresses.ts';
import { carryOutFor } from '../account/person-change.ts';
import {
  type ChangeOutcome,
  type ConsoleChange,
  type ConsoleParts,
  consoleAddress,
  type FormInput,
  type Visit,
} from '../page.ts';
import { accessView, loadAccess } from './access-page.ts';
import { type AccessTexts, accessTexts } from './access-texts.ts';

const MAX_NOTE = 100;

type Meant = { readonly purpose: AddressPurpose; readonly range: string; readonly note: string };

/** The two lists of addresses of the registrar. */
export const addressChanges: readonly ConsoleChange[] = [
  {
    ...{ path: '/access/addresses', right: 'access', needsRecentLogin: true },
    run: async (parts, visit, input) => {
      const purpose = purposeOf(input);
      if (!purpose) return refused(parts, visit, { purpose: 'api', range: '', note: '' }, 'range', 400);
      const text = input.field(`${purpose}-range`).trim();
      const note = normaliseText(input.field(`${purpose}-note`).trim(), MAX_NOTE) ?? '';
      const range = parseAddressRange(text);
      if (!range) return refused(parts, visit, { purpose, range: text, note }, 'range', 400);
      const meant = { purpose, range: `${range.address}/${range.prefix}`, note };
      const outcome = await allow(parts, visit, meant);
      if (outcome === 'changed') return { to: consoleAddress('/access'), notice: 'addressAllowed' };
      return refused(parts, visit, { ...meant, range: text }, outcome, 409);
    },
  },
  {
    ...{ path: '/access/addresses/remove', right: 'access', needsRecentLogin: true },
    run: async (parts, visit, input) => {
      const purpose = purposeOf(input);
      const range = input.field('range');
      if (!purpose || !parseAddressRange(range)) return { to: consoleAddress('/access') };
      const outcome = await disallow(parts, visit, { purpose, range, note: '' });
      if (outcome === 'outside') return refused(parts, visit, { purpose, range: '', note: '' }, outcome, 409);
      return {
        to: consoleAddress('/access'),
        ...(outcome === 'changed' && { notice: 'addressDisallowed' }),
      };
    },
  },
];

const purposeOf = ({ field }: FormInput): AddressPurpose | undefined =>
  (['api', 'console'] as const).find((known) => known === field('purpose'));

type Fault = Extract<keyof AccessTexts['faults'], 'range' | 'listed' | 'tooMany' | 'outside'>;

/** The registrar of a session exists. */
const FAULTS: Readonly<Record<string, Fault>> = {
  addressRangeInvalid: 'range',
  ownAddressOutside: 'outside',
  tooManyAddresses: 'tooMany',
};

/** Whoever changes the list of people must not shut itself out. */
const rangeOf = ({ session, client }: Visit, { purpose, range }: Meant) => ({
  ...{ registrar: session.registrarCode, range, purpose },
  ...(purpose === 'console' && { ownAddress: client.address }),
});

async function allow(parts: ConsoleParts, visit: Visit, meant: Meant): Promise<'changed' | Fault> {
  const range = { ...rangeOf(visit, meant), note: meant.note };
  const outcome = await carryOutFor(visit, parts, allowAddresses, range);
  return 'answer' in outcome ? 'changed' : (FAULTS[outcome.refused[0]] ?? 'listed');
}

async function disallow(
  parts: ConsoleParts,
  visit: Visit,
  meant: Meant,
): Promise<'changed' | 'unchanged' | 'outside'> {
  const outcome = await carryOutFor(visit, parts, disallowAddresses, rangeOf(visit, meant));
  if ('answer' in outcome) return 'changed';
  return outcome.refused[0] === 'ownAddressOutside' ? 'outside' : 'unchanged';
}

async function refused(
  parts: ConsoleParts,
  visit: Visit,
  { purpose, range, note }: Meant,
  fault: Fault,
  status: number,
): Promise<ChangeOutcome> {
  const { faults: texts } = accessTexts(visit.lang);
  const text = fault === 'outside' ? texts.outside(visit.client.address) : texts[fault];
  const faults = { [`${purpose}-range`]: text };
  return {
    ...accessView(await loadAccess(parts, visit), visit, parts, { purpose, range, note, faults }),
    status,
  };
}
