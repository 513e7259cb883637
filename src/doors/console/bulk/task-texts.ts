import type { Language } from '../../html/layout.ts';

export type Task = {
  readonly title: string;
  readonly lead: string;
  /** The button that carries it out, with the number of domains and what they cost. */
  readonly confirm: (count: number, price?: string) => string;
};

const numberIn = (locale: string, count: number) => new Intl.NumberFormat(locale).format(count);
const en = (count: number, one: string, many: string) =>
  count === 1 ? `1 ${one}` : `${numberIn('en-GB', count)} ${many}`;
const et = (count: number) => `${numberIn('et', count)} ${count === 1 ? 'domeen' : 'domeeni'}`;
const domains = (count: number) => en(count, 'domain', 'domains');

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
  readonly contacts: Task & {
    readonly role: string;
    readonly roles: Readonly<Record<'admin' | 'tech', string>>;
    readonly how: string;
    readonly changes: Readonly<Record<'set' | 'replace' | 'add' | 'remove', string>>;
    readonly next: string;
    readonly hint: string;
    readonly current: string;
    readonly currentHint: string;
    readonly become: (before: string, after: string) => string;
    readonly same: string;
  };
  readonly keys: Task & {
    readonly how: string;
    readonly changes: Readonly<Record<'add' | 'set' | 'remove', string>>;
    readonly next: string;
    readonly become: (before: string, after: string) => string;
    readonly same: string;
  };
  readonly registrant: Task & {
    readonly next: string;
    readonly hint: string;
    readonly verified: string;
    readonly asked: (hours: number) => string;
    readonly atOnce: string;
    readonly same: string;
  };
  readonly undo: Task & { readonly same: string };
  readonly tech: Task & {
    readonly current: string;
    readonly next: string;
    readonly hint: string;
    readonly have: (contacts: string) => string;
  };
  readonly hold: Task & {
    readonly change: string;
    readonly changes: Readonly<Record<'hold' | 'release', string>>;
    readonly held: string;
    readonly released: string;
    readonly same: string;
  };
  readonly transfer: Task & { readonly comes: (day: string) => string };
};

const english: TaskTexts = {
  renew: {
    title: 'Renew domains',
    lead: 'Each domain is renewed for the same period, or for the one on its line, and paid from the balance.',
    confirm: (count, price) => `Renew ${domains(count)}${price === undefined ? '' : ` · ${price}`}`,
    period: 'Period',
    years: (count) => (count === 1 ? '1 year' : `${count} years`),
    months: (count) => `${count} months`,
    expires: (before, after) => `Expires on ${after} instead of ${before}`,
  },
  nameservers: {
    title: 'Change nameservers',
    lead: 'Set the whole list for many domains, or add, remove or replace some nameservers. Each domain changes from the old list to the new one in one step.',
    confirm: (count) => `Change ${domains(count)}`,
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
  contacts: {
    title: 'Change contacts',
    lead: 'Set the administrative or technical contacts of many domains, or add, remove or replace some.',
    confirm: (count) => `Change ${domains(count)}`,
    role: 'Which contacts',
    roles: { admin: 'Administrative', tech: 'Technical' },
    how: 'Change',
    changes: { set: 'Set the whole list', replace: 'Replace some', add: 'Add', remove: 'Remove' },
    next: 'New contacts',
    hint: 'Codes of your contacts, one per line.',
    current: 'Contacts to replace or remove',
    currentHint: 'Codes, one per line. Not needed to set a whole list or to add.',
    become: (before, after) => `${before || 'none'} → ${after || 'none'}`,
    same: 'Nothing changes',
  },
  keys: {
    title: 'Change DNSSEC keys',
    lead: 'Add keys to many domains, replace all their keys, or remove them: then a domain is no longer signed.',
    confirm: (count) => `Change ${domains(count)}`,
    how: 'Change',
    changes: { add: 'Add', set: 'Set the whole list', remove: 'Remove all' },
    next: 'Keys',
    become: (before, after) =>
      after === '' ? `${before} → none: no longer signed` : `${before || 'none'} → ${after}`,
    same: 'Nothing changes',
  },
  registrant: {
    title: 'Change the registrant',
    lead: 'Give many domains one registrant. Where that is somebody else, the present registrant is asked by mail first, unless they have agreed already.',
    confirm: (count) => `Change the registrant of ${domains(count)}`,
    next: 'New registrant',
    hint: 'The code of one of your contacts',
    verified: 'The present registrants have agreed, and we keep the proof of it',
    asked: (hours) => `The registrant is asked by mail and has ${hours} hours to confirm`,
    atOnce: 'Changes at once; new transfer code',
    same: 'Nothing changes',
  },
  undo: {
    title: 'Undo a bulk change',
    lead: 'Each domain gets back what it had before the job, unless somebody has changed that since.',
    confirm: (count) => `Undo ${domains(count)}`,
    same: 'Nothing changes',
  },
  tech: {
    title: 'Replace a technical contact',
    lead: 'Replace one technical contact with another.',
    confirm: (count) => `Change ${domains(count)}`,
    current: 'Technical contact to replace',
    next: 'New technical contact',
    hint: 'The code of one of your contacts',
    have: (contacts) => `New technical contacts: ${contacts}`,
  },
  hold: {
    title: 'Put domains on hold',
    lead: 'Websites and e-mail of domains on hold do not work until you lift the hold. Holding and lifting are free of charge.',
    confirm: (count) => `Change ${domains(count)}`,
    change: 'Change',
    changes: { hold: 'Put on hold', release: 'Lift the hold' },
    held: 'Will be put on hold',
    released: 'Will work again within a minute',
    same: 'Nothing changes',
  },
  transfer: {
    title: 'Transfer domains to you',
    lead: 'The registrants give you the transfer codes. The transfers happen at once and are free of charge.',
    confirm: (count) => `Transfer ${domains(count)}`,
    comes: (day) => `Will move to you; expires ${day}`,
  },
};

const estonian: TaskTexts = {
  renew: {
    title: 'Pikenda domeene',
    lead: 'Iga domeeni pikendatakse sama perioodi või selle real oleva perioodi võrra; tasutakse saldost.',
    confirm: (count, price) => `Pikenda: ${et(count)}${price === undefined ? '' : ` · ${price}`}`,
    period: 'Periood',
    years: (count) => (count === 1 ? '1 aasta' : `${count} aastat`),
    months: (count) => `${count} kuud`,
    expires: (before, after) => `Aegub ${before} asemel ${after}`,
  },
  nameservers: {
    title: 'Muuda nimeservereid',
    lead: 'Määra paljudele domeenidele kogu loend või lisa, eemalda või asenda mõni nimeserver. Iga domeen läheb vanalt loendilt uuele ühe sammuga.',
    confirm: (count) => `Muuda: ${et(count)}`,
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
  contacts: {
    title: 'Muuda kontakte',
    lead: 'Määra paljude domeenide haldus- või tehnilised kontaktid või lisa, eemalda või asenda mõni.',
    confirm: (count) => `Muuda: ${et(count)}`,
    role: 'Millised kontaktid',
    roles: { admin: 'Halduskontaktid', tech: 'Tehnilised kontaktid' },
    how: 'Muudatus',
    changes: {
      set: 'Määra kogu loend',
      replace: 'Asenda mõned',
      add: 'Lisa',
      remove: 'Eemalda',
    },
    next: 'Uued kontaktid',
    hint: 'Sinu kontaktide koodid, igal real üks.',
    current: 'Asendatavad või eemaldatavad kontaktid',
    currentHint: 'Koodid, igal real üks. Kogu loendi määramiseks ja lisamiseks pole neid vaja.',
    become: (before, after) => `${before || 'puuduvad'} → ${after || 'puuduvad'}`,
    same: 'Midagi ei muutu',
  },
  keys: {
    title: 'Muuda DNSSEC-võtmeid',
    lead: 'Lisa paljudele domeenidele võtmeid, asenda kõik võtmed või eemalda need: siis ei ole domeen enam allkirjastatud.',
    confirm: (count) => `Muuda: ${et(count)}`,
    how: 'Muudatus',
    changes: { add: 'Lisa', set: 'Määra kogu loend', remove: 'Eemalda kõik' },
    next: 'Võtmed',
    become: (before, after) =>
      after === ''
        ? `${before} → puuduvad: ei ole enam allkirjastatud`
        : `${before || 'puuduvad'} → ${after}`,
    same: 'Midagi ei muutu',
  },
  registrant: {
    title: 'Vaheta registreerijat',
    lead: 'Anna paljudele domeenidele üks registreerija. Kui see on keegi teine, palutakse enne kirjaga praeguse registreerija kinnitust, kui ta ei ole juba nõustunud.',
    confirm: (count) => `Vaheta registreerija: ${et(count)}`,
    next: 'Uus registreerija',
    hint: 'Sinu kontakti kood',
    verified: 'Praegused registreerijad on nõus ja meil on selle kohta tõend',
    asked: (hours) => `Registreerijalt palutakse kirjaga kinnitust; aega on ${hours} tundi`,
    atOnce: 'Vahetub kohe; uus ülekandekood',
    same: 'Midagi ei muutu',
  },
  undo: {
    title: 'Võta hulgitoiming tagasi',
    lead: 'Iga domeen saab tagasi selle, mis tal enne tööd oli, kui seda ei ole vahepeal muudetud.',
    confirm: (count) => `Võta tagasi: ${et(count)}`,
    same: 'Midagi ei muutu',
  },
  tech: {
    title: 'Asenda tehniline kontakt',
    lead: 'Asenda üks tehniline kontakt teisega.',
    confirm: (count) => `Muuda: ${et(count)}`,
    current: 'Asendatav tehniline kontakt',
    next: 'Uus tehniline kontakt',
    hint: 'Sinu kontakti kood',
    have: (contacts) => `Uued tehnilised kontaktid: ${contacts}`,
  },
  hold: {
    title: 'Peata domeene',
    lead: 'Peatatud domeenide veebilehed ja e-post ei tööta, kuni peatamise lõpetad. Peatamine ja selle lõpetamine on tasuta.',
    confirm: (count) => `Muuda: ${et(count)}`,
    change: 'Muudatus',
    changes: { hold: 'Peata', release: 'Lõpeta peatamine' },
    held: 'Peatatakse',
    released: 'Töötab taas minuti jooksul',
    same: 'Midagi ei muutu',
  },
  transfer: {
    title: 'Too domeenid üle',
    lead: 'Ülekandekoodid saad registreerijatelt. Ülekanded toimuvad kohe ja on tasuta.',
    confirm: (count) => `Too üle: ${et(count)}`,
    comes: (day) => `Tuleb sinu juurde, aegub ${day}`,
  },
};

const TEXTS: Readonly<Record<Language, TaskTexts>> = { en: english, et: estonian };
export const taskTexts = (lang: Language): TaskTexts => TEXTS[lang];
