import { checkNames, type Unavailable } from '../../../registry/names/availability.ts';
import { quotePrices } from '../../../registry/prices/prices.ts';
import { amountIn } from '../../html/amount-in.ts';
import type { Language } from '../../html/layout.ts';
import { type ConsoleExport, consoleAddress, wholeFile } from '../console-page.ts';

const PATH = '/domains/availability.json';
export const availabilityAddress = consoleAddress(PATH);
const MAX_YEARS = 10;

/** What the form of a registration says while a name is typed: the check of the APIs, in words. */
export const nameAvailability: ConsoleExport = {
  path: PATH,
  right: 'objects',
  download: async ({ database, policy }, { lang, now }, { query }) => {
    const [check] = await checkNames(database.reads, [query('name')], { policy, now });
    const years = Number(query('years'));
    const months = Number.isInteger(years) && years >= 1 && years <= MAX_YEARS ? years * 12 : 12;
    const { zone, available = false, name = '', reason = 'invalid' } = check ?? {};
    const asked = available && zone !== undefined ? [{ zone, operation: 'create', months } as const] : [];
    const [price] = await quotePrices(database.reads, asked, { policy, now });
    const texts = TEXTS[lang];
    const cost = price === undefined ? undefined : amountIn(lang, price, policy.currency);
    const text = reason === null ? texts.available(name, cost) : texts.unavailable[reason];
    return wholeFile('availability.json', 'application/json', JSON.stringify({ available, text }));
  },
};

type AvailabilityTexts = {
  readonly available: (name: string, price: string | undefined) => string;
  readonly unavailable: Readonly<Record<Unavailable, string>>;
};

const english: AvailabilityTexts = {
  available: (name, price) => `${name} is available${price === undefined ? '' : `: ${price}`}`,
  unavailable: {
    'in use': 'This name is taken.',
    blocked: 'This name cannot be registered.',
    reserved: 'This name is reserved. You need its code.',
    disputed: 'This name is disputed. You need its code.',
    zone: 'This name is a zone.',
    invalid: 'This is not a domain name of this registry yet.',
  },
};

const estonian: AvailabilityTexts = {
  available: (name, price) => `${name} on vaba${price === undefined ? '' : `: ${price}`}`,
  unavailable: {
    'in use': 'See nimi on juba registreeritud.',
    blocked: 'Seda nime ei saa registreerida.',
    reserved: 'See nimi on reserveeritud. Vaja on selle koodi.',
    disputed: 'See nimi on vaidlustatud. Vaja on selle koodi.',
    zone: 'See nimi on tsoon.',
    invalid: 'See ei ole veel selle registri domeeninimi.',
  },
};

const TEXTS: Readonly<Record<Language, AvailabilityTexts>> = { en: english, et: estonian };
