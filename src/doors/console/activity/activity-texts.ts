import type { Language } from '../../html/layout.ts';
import type { ResultKind } from './result-kind.ts';

export type ActivityTexts = {
  readonly title: string;
  readonly lead: string;
  readonly filter: string;
  readonly day: string;
  readonly dayHint: string;
  readonly notDay: string;
  readonly who: string;
  readonly anybody: string;
  readonly notWho: string;
  readonly callsOf: (day: string) => string;
  readonly callColumns: readonly [who: string, call: string, result: string, number: string];
  readonly interfaces: Readonly<Record<'http' | 'epp' | 'console', string>>;
  readonly results: Readonly<Record<ResultKind, string>>;
  readonly noCalls: string;
  readonly cut: (shown: number) => string;
  readonly days: string;
  readonly dayColumns: readonly [day: string, calls: string, failed: string];
  readonly noDays: string;
  readonly changes: string;
  readonly changeColumns: readonly [when: string, object: string, what: string, who: string];
  /** Kinds of objects, as history calls them. */
  readonly objects: Readonly<Partial<Record<string, string>>>;
  readonly copies: string;
  readonly noChanges: string;
  readonly pages: string;
  readonly newest: string;
  readonly older: string;
  readonly number: (number: number) => string;
};

const english: ActivityTexts = {
  title: 'Activity',
  lead: 'The calls of your API users, and every change made for your registrar.',
  filter: 'Filter the activity',
  day: 'Calls of the day',
  dayHint: 'Calls are kept for 90 days.',
  notDay: 'Write the day as 2030-12-31',
  who: 'API user or person',
  anybody: 'everybody',
  notWho: 'There is nobody of this name',
  callsOf: (day) => `API calls of ${day}`,
  callColumns: ['User', 'Call', 'Result', 'Count'],
  interfaces: { http: 'API', epp: 'EPP', console: 'console' },
  results: {
    done: 'done',
    refused: 'refused',
    brokenOff: 'cancelled by the client',
    fault: 'fault of the registry',
  },
  noCalls: 'There were no calls on this day.',
  cut: (shown) => `Only the ${shown} most frequent are shown. Choose a user to see fewer.`,
  days: 'API calls of the last 14 days',
  dayColumns: ['Day', 'Calls', 'Failed'],
  noDays: 'There were no calls on these days.',
  changes: 'Changes',
  changeColumns: ['When', 'Object', 'What', 'Who'],
  objects: {
    domain: 'Domain',
    contact: 'Contact',
    person: 'Person',
    user: 'API user',
    registrar: 'Registrar',
    invoice: 'Invoice',
    webhook: 'Webhook',
    certificate: 'Certificate',
    payment: 'Payment',
  },
  copies: 'Contacts copied for you:',
  noChanges: 'Nothing was changed.',
  pages: 'Pages of the changes',
  newest: 'Back to the newest',
  older: 'Older changes',
  number: (number) => new Intl.NumberFormat('en-GB').format(number),
};

const estonian: ActivityTexts = {
  title: 'Tegevus',
  lead: 'Mida sinu API kasutajad teevad ja mida on muutnud kõik, kes sinu registripidaja nimel tegutsevad.',
  filter: 'Tegevuse filter',
  day: 'Päringud päeval',
  dayHint: 'Päringute arvu hoitakse 90 päeva.',
  notDay: 'Kirjuta kuupäev kujul 2030-12-31',
  who: 'API kasutaja või inimene',
  anybody: 'kõik',
  notWho: 'Sellise nimega ei ole kedagi',
  callsOf: (day) => `API päringud: ${day}`,
  callColumns: ['Kasutaja', 'Päring', 'Tulemus', 'Arv'],
  interfaces: { http: 'API', epp: 'EPP', console: 'konsool' },
  results: { done: 'tehtud', refused: 'keelduti', brokenOff: 'klient katkestas', fault: 'registri viga' },
  noCalls: 'Sel päeval päringuid ei olnud.',
  cut: (shown) => `Näidatakse ainult ${shown} kõige sagedasemat. Vähem näed, kui valid kasutaja.`,
  days: 'Viimase 14 päeva API päringud',
  dayColumns: ['Päev', 'Päringuid', 'Ebaõnnestus'],
  noDays: 'Neil päevadel päringuid ei olnud.',
  changes: 'Muudatused',
  changeColumns: ['Millal', 'Objekt', 'Mis', 'Kes'],
  objects: {
    domain: 'Domeen',
    contact: 'Kontakt',
    person: 'Inimene',
    user: 'API kasutaja',
    registrar: 'Registripidaja',
    invoice: 'Arve',
    webhook: 'Veebihaak',
    certificate: 'Sertifikaat',
    payment: 'Makse',
  },
  copies: 'Sinu jaoks kopeeritud kontaktid:',
  noChanges: 'Midagi ei ole muudetud.',
  pages: 'Muudatuste leheküljed',
  newest: 'Tagasi uusimate juurde',
  older: 'Vanemad muudatused',
  number: (number) => new Intl.NumberFormat('et').format(number),
};

const TEXTS: Readonly<Record<Language, ActivityTexts>> = { en: english, et: estonian };
export const activityTexts = (lang: Language): ActivityTexts => TEXTS[lang];
