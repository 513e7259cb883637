import { messageTypes } from '../../../registry/poll/send-messages.ts';
import { type ChangeEvent, eventOfMessage, TEST_EVENT } from '../../../registry/webhooks/event-types.ts';
import type { Language } from '../../html/layout.ts';
import { messageTexts } from '../messages/message-texts.ts';

/** Events that are no poll messages, or are named differently; the others have the texts of the messages. */
type OwnTexts = Readonly<Record<ChangeEvent | 'domain.released' | typeof TEST_EVENT, string>>;

const english: OwnTexts = {
  'domain.registered': 'Domain registered',
  'domain.updated': 'Domain changed',
  'domain.renewed': 'Domain renewed',
  'domain.deleted': 'Domain deleted, to be released later',
  'domain.expiring': 'Domain expires soon',
  'domain.released': 'Domain released',
  'domain.update_pending': 'New registrant waits for confirmation',
  'domain.deletion_pending': 'Deletion waits for confirmation',
  'contact.created': 'Contact created',
  'contact.updated': 'Contact changed',
  'contact.deleted': 'Contact deleted',
  'user.created': 'API user created',
  'user.updated': 'API user changed',
  'user.disabled': 'API user disabled',
  'user.enabled': 'API user enabled',
  'user.password_changed': 'Password of an API user changed',
  'certificate.issued': 'Certificate issued',
  'certificate.revoked': 'Certificate revoked',
  'maintenance.announced': 'Maintenance announced',
  'invoice.payment_failed': 'Payment of an invoice failed',
  'job.finished': 'Bulk change done',
  [TEST_EVENT]: 'Test event',
};

const estonian: OwnTexts = {
  'domain.registered': 'Domeen registreeritud',
  'domain.updated': 'Domeen muudetud',
  'domain.renewed': 'Domeen pikendatud',
  'domain.deleted': 'Domeen kustutatud, vabaneb hiljem',
  'domain.expiring': 'Domeen aegub varsti',
  'domain.released': 'Domeen vabanenud',
  'domain.update_pending': 'Uus registreerija ootab kinnitust',
  'domain.deletion_pending': 'Kustutamine ootab kinnitust',
  'contact.created': 'Kontakt loodud',
  'contact.updated': 'Kontakt muudetud',
  'contact.deleted': 'Kontakt kustutatud',
  'user.created': 'API kasutaja loodud',
  'user.updated': 'API kasutaja muudetud',
  'user.disabled': 'API kasutaja ligipääs suletud',
  'user.enabled': 'API kasutaja ligipääs avatud',
  'user.password_changed': 'API kasutaja parool vahetatud',
  'certificate.issued': 'Sertifikaat väljastatud',
  'certificate.revoked': 'Sertifikaat tühistatud',
  'maintenance.announced': 'Hooldustöödest teatati',
  'invoice.payment_failed': 'Arve maksmine ebaõnnestus',
  'job.finished': 'Hulgitoiming on valmis',
  [TEST_EVENT]: 'Proovisündmus',
};

const textsIn = (lang: Language, own: OwnTexts): ReadonlyMap<string, string> =>
  new Map([
    ...messageTypes.map((type): [string, string] => [eventOfMessage(type), messageTexts(lang).types[type]]),
    ...Object.entries(own),
  ]);

const TEXTS: Readonly<Record<Language, ReadonlyMap<string, string>>> = {
  en: textsIn('en', english),
  et: textsIn('et', estonian),
};

/** What an event means, in words. */
export const eventText = (lang: Language, type: string): string => TEXTS[lang].get(type) ?? type;
