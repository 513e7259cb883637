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
  registry: 'Registry or registrant',
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
  operations: {
    create: 'Created',
    update: 'Changed',
    renew: 'Renewed',
    delete: 'Deleted',
    transfer: 'Transferred to you',
    expire: 'Expired',
    expiring: 'Notice that it expires soon',
    remind: 'Reminder of the expiry, by mail to the registrant unless the domain is being deleted',
    outzone: 'Left the zone',
    restore: 'Restored',
    'view transfer code': 'Transfer code viewed',
    'change registrant': 'Registrant changed',
    'set clientHold': 'Put on hold by the registrar',
    'remove clientHold': 'The registrar’s hold was lifted',
    copy: 'Copied with a transfer',
    'ask for registrant change': 'The registrant was asked by mail to confirm a new registrant',
    'ask for deletion': 'The registrant was asked by mail to confirm the deletion',
    'ask again for registrant change': 'The registrant was asked again to confirm a new registrant',
    'ask again for deletion': 'The registrant was asked again to confirm the deletion',
    'withdraw registrant change': 'The request for a new registrant was withdrawn',
    'withdraw deletion': 'The request for a deletion was withdrawn',
    'set force delete': 'The registry began to delete it',
    'lift force delete': 'The registry cancelled the forced deletion',
    'correct balance': 'The registry corrected the balance',
    'cancel invoice': 'The registry cancelled it',
    'refund invoice': 'The registry pays it back',
    'replace nameserver': 'Nameserver replaced',
    'replace tech contact': 'Technical contact replaced',
    'replace admin contact': 'Administrative contact replaced',
    'set serverHold': 'Put on hold by the registry',
    'cancel serverHold': 'The registry lifted its hold',
    'hold under force delete': 'Put on hold under the forced deletion',
    'begin force delete': 'The grace period of the forced deletion began',
    'open dispute': 'A dispute was opened',
    'close dispute': 'The dispute was decided',
    purge: 'Deleted for good',
    release: 'Released',
    archive: 'Archived: no domain has used it for a long time',
    'request certificate': 'Certificate requested',
    'withdraw certificate request': 'Certificate request withdrawn',
    'refuse certificate request': 'Certificate request refused by the registry',
    'enter certificate': 'Certificate issued',
    'revoke certificate': 'Certificate revoked',
    'change password': 'Password changed',
    'drop old password': 'Old password ended',
    disable: 'Disabled',
    enable: 'Enabled',
    invite: 'Invited',
    withdraw: 'Invitation withdrawn',
    'accept invitation': 'Invitation accepted',
    remove: 'Removed',
    add: 'Added',
    'rotate secret': 'Secret replaced',
    replay: 'Deliveries sent again',
    'set low balance': 'Low-balance warning changed',
    'finish bulk job': 'Bulk change done',
  },
  noValue: 'nothing',
  masked: 'hidden',
};

const estonian: TimelineTexts = {
  heading: 'Ajajoon',
  columns: ['Millal', 'Mis', 'Kes', 'Tasu'],
  registry: 'Register või registreerija',
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
    expiring: 'Teade, et domeen aegub varsti',
    remind: 'Meeldetuletus aegumise kohta, kirjaga registreerijale, kui domeen ei ole kustutamisel',
    outzone: 'Tsoonist eemaldatud',
    restore: 'Taastatud',
    'view transfer code': 'Ülekandekoodi vaadati',
    'change registrant': 'Registreerija vahetati',
    'set clientHold': 'Registripidaja peatas',
    'remove clientHold': 'Registripidaja lõpetas peatamise',
    copy: 'Kopeeriti ülekandega',
    'ask for registrant change': 'Registreerijal paluti kirjaga kinnitada registreerija vahetus',
    'ask for deletion': 'Registreerijal paluti kirjaga kinnitada kustutamine',
    'ask again for registrant change': 'Registreerijal paluti uuesti kinnitada registreerija vahetus',
    'ask again for deletion': 'Registreerijal paluti uuesti kinnitada kustutamine',
    'withdraw registrant change': 'Registreerija vahetuse taotlus võeti tagasi',
    'withdraw deletion': 'Kustutamise taotlus võeti tagasi',
    'set force delete': 'Register alustas kustutamist',
    'lift force delete': 'Register tühistas sundkustutamise',
    'correct balance': 'Register parandas saldot',
    'cancel invoice': 'Register tühistas',
    'refund invoice': 'Register maksab tagasi',
    'replace nameserver': 'Nimeserver vahetati',
    'replace tech contact': 'Tehniline kontakt vahetati',
    'replace admin contact': 'Halduskontakt vahetati',
    'set serverHold': 'Register peatas',
    'cancel serverHold': 'Register lõpetas peatamise',
    'hold under force delete': 'Peatati sundkustutamise tõttu',
    'begin force delete': 'Sundkustutamise ooteaeg algas',
    'open dispute': 'Vaidlus avati',
    'close dispute': 'Vaidlus lahendati',
    purge: 'Lõplikult kustutatud',
    release: 'Vabastatud',
    archive: 'Arhiivitud: ükski domeen ei ole seda kaua kasutanud',
    'request certificate': 'Sertifikaadipäring saadeti',
    'withdraw certificate request': 'Sertifikaadipäring võeti tagasi',
    'refuse certificate request': 'Register lükkas sertifikaadipäringu tagasi',
    'enter certificate': 'Sertifikaat väljastati',
    'revoke certificate': 'Sertifikaat tühistati',
    'change password': 'Parool vahetati',
    'drop old password': 'Vana parool lõpetati',
    disable: 'Suletud',
    enable: 'Avatud',
    invite: 'Kutsutud',
    withdraw: 'Kutse võeti tagasi',
    'accept invitation': 'Kutse võeti vastu',
    remove: 'Eemaldatud',
    add: 'Lisatud',
    'rotate secret': 'Salajane võti vahetati',
    replay: 'Sündmused saadeti uuesti',
    'set low balance': 'Madala saldo hoiatust muudeti',
    'finish bulk job': 'Hulgitoiming on valmis',
  },
  noValue: 'puudub',
  masked: 'peidetud',
};

const TEXTS: Readonly<Record<Language, TimelineTexts>> = { en: english, et: estonian };
export const timelineTexts = (lang: Language): TimelineTexts => TEXTS[lang];
