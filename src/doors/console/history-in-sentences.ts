import type { MailDelivery } from '../../registry/history/timeline.ts';
import type { Language } from '../html/layout.ts';

export type TimelineTexts = {
  readonly heading: string;
  readonly columns: readonly [when: string, what: string, who: string, charge: string];
  readonly registry: string;
  readonly message: string;
  readonly mail: {
    /** By the role of the recipient. */
    readonly to: Readonly<Partial<Record<string, string>>>;
    readonly toSomebody: string;
    readonly deliveries: Readonly<Record<MailDelivery, string>>;
  };
  readonly none: string;
  readonly older: string;
  readonly newest: string;
  readonly pages: string;
  /** Operations that say more in words than by their name. */
  readonly operations: Readonly<Partial<Record<string, string>>>;
  readonly noValue: string;
  readonly masked: string;
};

const english: TimelineTexts = {
  heading: 'Timeline',
  columns: ['When', 'What', 'Who', 'Charged'],
  registry: 'the registry or the registrant',
  message: 'Message',
  mail: {
    to: {
      registrant: 'Mail to the registrant',
      'new registrant': 'Mail to the new registrant',
      admin: 'Mail to an admin contact',
    },
    toSomebody: 'Mail',
    deliveries: {
      sent: 'sent',
      waiting: 'waits to be sent',
      'given up': 'could not be delivered',
    },
  },
  none: 'Nothing has happened yet.',
  older: 'Older entries',
  newest: 'Back to the newest',
  pages: 'Pages of the timeline',
  operations: {
    create: 'Created',
    update: 'Changed',
    renew: 'Renewed',
    delete: 'Deleted',
    transfer: 'Transferred to you',
    expire: 'Expired',
    remind: 'Reminder of the expiry, by mail to the registrant unless the domain is being deleted',
    outzone: 'Left the zone',
    restore: 'Restored',
    'view transfer code': 'Transfer code viewed',
    'change registrant': 'Given to another registrant',
    'set clientHold': 'Put on hold by the registrar',
    'remove clientHold': 'The registrar’s hold was lifted',
    copy: 'Copied with a transfer',
    'ask for registrant change': 'The registrant was asked by mail to confirm a new registrant',
    'ask for deletion': 'The registrant was asked by mail to confirm the deletion',
    'set force delete': 'The registry began to delete it',
    'lift force delete': 'The registry lifted the force delete',
    'correct balance': 'The registry corrected the balance',
    'cancel invoice': 'The registry cancelled it',
    'refund invoice': 'The registry pays it back',
  },
  noValue: 'nothing',
  masked: 'hidden',
};

const estonian: TimelineTexts = {
  heading: 'Ajajoon',
  columns: ['Millal', 'Mis', 'Kes', 'Tasu'],
  registry: 'register või registreerija',
  message: 'Teade',
  mail: {
    to: {
      registrant: 'Kiri registreerijale',
      'new registrant': 'Kiri uuele registreerijale',
      admin: 'Kiri halduskontaktile',
    },
    toSomebody: 'Kiri',
    deliveries: {
      sent: 'saadetud',
      waiting: 'ootab saatmist',
      'given up': 'ei õnnestunud kohale toimetada',
    },
  },
  none: 'Midagi ei ole veel juhtunud.',
  older: 'Vanemad kirjed',
  newest: 'Tagasi uusimate juurde',
  pages: 'Ajajoone leheküljed',
  operations: {
    create: 'Loodud',
    update: 'Muudetud',
    renew: 'Pikendatud',
    delete: 'Kustutatud',
    transfer: 'Sinu juurde üle kantud',
    expire: 'Aegunud',
    remind: 'Meeldetuletus aegumise kohta, kirjaga registreerijale, kui domeen ei ole kustutamisel',
    outzone: 'Tsoonist eemaldatud',
    restore: 'Taastatud',
    'view transfer code': 'Vaadati ülekandekoodi',
    'change registrant': 'Registreerija vahetati',
    'set clientHold': 'Registripidaja peatas',
    'remove clientHold': 'Registripidaja lõpetas peatamise',
    copy: 'Kopeeriti ülekandega',
    'ask for registrant change': 'Registreerijal paluti kirjaga kinnitada registreerija vahetus',
    'ask for deletion': 'Registreerijal paluti kirjaga kinnitada kustutamine',
    'set force delete': 'Register alustas kustutamist',
    'lift force delete': 'Register lõpetas sundkustutuse',
    'correct balance': 'Register parandas saldot',
    'cancel invoice': 'Register tühistas',
    'refund invoice': 'Register maksab tagasi',
  },
  noValue: 'puudub',
  masked: 'peidetud',
};

const TEXTS: Readonly<Record<Language, TimelineTexts>> = { en: english, et: estonian };
export const timelineTexts = (lang: Language): TimelineTexts => TEXTS[lang];
