import type { Author } from '../../../registry/history/change-author.ts';
import type { MailDelivery } from '../../../registry/history/timeline.ts';
import type { Language } from '../../html/layout.ts';

export type TimelineTexts = {
  readonly heading: string;
  readonly columns: readonly [when: string, what: string, who: string, charge: string];
  readonly authors: Readonly<Record<Author, string>>;
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
};

const english: TimelineTexts = {
  heading: 'Timeline',
  columns: ['When', 'What', 'Who', 'Charged'],
  authors: { registry: 'Registry', registrant: 'Registrant', automatic: 'Automatic' },
  message: 'Message',
  mail: {
    to: {
      registrant: 'Mail to the registrant',
      'new registrant': 'Mail to the new registrant',
      admin: 'Mail to an administrative contact',
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
};

const estonian: TimelineTexts = {
  heading: 'Ajajoon',
  columns: ['Millal', 'Mis', 'Kes', 'Tasu'],
  authors: { registry: 'Register', registrant: 'Registreerija', automatic: 'Automaatne' },
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
};

const TEXTS: Readonly<Record<Language, TimelineTexts>> = { en: english, et: estonian };
export const timelineTexts = (lang: Language): TimelineTexts => TEXTS[lang];
