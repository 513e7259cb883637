import type { Language } from '../../html/layout.ts';

type Task = {
  readonly title: string;
  readonly lead: string;
  /** The button that carries it out. */
  readonly confirm: string;
};

/** What the single bulk changes say. */
export type TaskTexts = {
  readonly renew: Task & {
    readonly period: string;
    readonly years: (count: number) => string;
    readonly months: (count: number) => string;
    readonly expires: (before: string, after: string) => string;
  };
  readonly nameservers: Task & {
    readonly how: string;
    readonly changes: Readonly<Record<'set' | 'replace' | 'add' | 'remove', string>>;
    readonly next: string;
    readonly nextHint: string;
    readonly current: string;
    readonly currentHint: string;
    readonly become: (before: string, after: string) => string;
    readonly same: string;
  };
  readonly tech: Task & {
    readonly current: string;
    readonly next: string;
    readonly hint: string;
    readonly have: (contacts: string) => string;
  };
  readonly transfer: Task & { readonly comes: (day: string) => string };
};

const english: TaskTexts = {
  renew: {
    title: 'Renew domains',
    lead: 'Each domain is renewed for the same period. Everything is paid together from the balance.',
    confirm: 'Renew these domains',
    period: 'Period',
    years: (count) => (count === 1 ? '1 year' : `${count} years`),
    months: (count) => `${count} months`,
    expires: (before, after) => `Expires on ${after} instead of ${before}`,
  },
  nameservers: {
    title: 'Change nameservers',
    lead: 'Set the whole list of many domains, or add, remove or replace some. Each domain changes from the old list to the new one in one step.',
    confirm: 'Change these domains',
    how: 'Change',
    changes: {
      set: 'Set the whole list',
      replace: 'Replace some',
      add: 'Add',
      remove: 'Remove',
    },
    next: 'New nameservers',
    nextHint: 'One per line. Add IP addresses only for hosts inside one of the domains.',
    current: 'Nameservers to replace or remove',
    currentHint: 'One per line. Not needed to set a whole list or to add.',
    become: (before, after) => `${before || 'none'} → ${after || 'none'}`,
    same: 'Nothing changes',
  },
  tech: {
    title: 'Replace a technical contact',
    lead: 'Puts one technical contact in the place of another.',
    confirm: 'Change these domains',
    current: 'Technical contact to replace',
    next: 'New technical contact',
    hint: 'The code of a contact of yours',
    have: (contacts) => `Has then ${contacts}`,
  },
  transfer: {
    title: 'Transfer domains to you',
    lead: 'The registrants give you the transfer codes. The transfers happen at once and are free of charge.',
    confirm: 'Transfer these domains',
    comes: (day) => `Comes to you, with its expiry on ${day}`,
  },
};

const estonian: TaskTexts = {
  renew: {
    title: 'Pikenda domeene',
    lead: 'Kõiki sama perioodi võrra. Kõik tasutakse korraga saldost.',
    confirm: 'Pikenda neid domeene',
    period: 'Periood',
    years: (count) => (count === 1 ? '1 aasta' : `${count} aastat`),
    months: (count) => `${count} kuud`,
    expires: (before, after) => `Aegub ${before} asemel ${after}`,
  },
  nameservers: {
    title: 'Muuda nimeservereid',
    lead: 'Määra paljudele domeenidele kogu loend või lisa, eemalda või asenda mõni nimeserver. Iga domeen läheb vanalt loendilt uuele ühe sammuga.',
    confirm: 'Muuda neid domeene',
    how: 'Muudatus',
    changes: {
      set: 'Määra kogu loend',
      replace: 'Asenda mõned',
      add: 'Lisa',
      remove: 'Eemalda',
    },
    next: 'Uued nimeserverid',
    nextHint: 'Igal real üks. IP-aadressid lisa ainult siis, kui nimeserver asub mõne domeeni enda all.',
    current: 'Asendatavad või eemaldatavad nimeserverid',
    currentHint: 'Igal real üks. Kogu loendi määramiseks ja lisamiseks pole neid vaja.',
    become: (before, after) => `${before || 'puuduvad'} → ${after || 'puuduvad'}`,
    same: 'Midagi ei muutu',
  },
  tech: {
    title: 'Asenda tehniline kontakt',
    lead: 'Asendab ühe tehnilise kontakti teisega.',
    confirm: 'Muuda neid domeene',
    current: 'Asendatav tehniline kontakt',
    next: 'Uus tehniline kontakt',
    hint: 'Sinu kontakti kood',
    have: (contacts) => `Pärast seda: ${contacts}`,
  },
  transfer: {
    title: 'Too domeenid üle',
    lead: 'Ülekandekoodid saad registreerijatelt. Ülekanded toimuvad kohe ja on tasuta.',
    confirm: 'Too need domeenid üle',
    comes: (day) => `Tuleb sinu juurde, aegub ${day}`,
  },
};

const TEXTS: Readonly<Record<Language, TaskTexts>> = { en: english, et: estonian };
export const taskTexts = (lang: Language): TaskTexts => TEXTS[lang];
