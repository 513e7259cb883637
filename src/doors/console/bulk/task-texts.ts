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
  readonly nameserver: Task & {
    readonly current: string;
    readonly currentHint: string;
    readonly next: string;
    readonly addresses: Readonly<Record<'ipv4' | 'ipv6', string>>;
    readonly addressesHint: string;
    readonly have: (hosts: string) => string;
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
  nameserver: {
    title: 'Replace a nameserver',
    lead: 'Replace or add a nameserver.',
    confirm: 'Change these domains',
    current: 'Nameserver to replace',
    currentHint: 'Leave it empty to add the new one to the domains that you name.',
    next: 'New nameserver',
    addresses: { ipv4: 'IPv4 addresses', ipv6: 'IPv6 addresses' },
    addressesHint: 'Only for a nameserver below one of the domains; several with spaces between them.',
    have: (hosts) => `Has then ${hosts}`,
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
  nameserver: {
    title: 'Asenda nimeserver',
    lead: 'Asendab ühe nimeserveri teisega või lisab uue.',
    confirm: 'Muuda neid domeene',
    current: 'Asendatav nimeserver',
    currentHint: 'Jäta tühjaks, kui uus tuleb nimetatud domeenidele lisada.',
    next: 'Uus nimeserver',
    addresses: { ipv4: 'IPv4-aadressid', ipv6: 'IPv6-aadressid' },
    addressesHint: 'Ainult siis, kui nimeserver asub mõne domeeni enda all; mitme vahele jäta tühik.',
    have: (hosts) => `Pärast seda: ${hosts}`,
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
