import type { DeliveryState } from '../../../registry/webhooks/list-deliveries.ts';
import type { Language } from '../../html/layout.ts';

type FormWords = {
  readonly title: string;
  readonly lead: string;
  readonly confirm: string;
};
export type EventGroup = 'domains' | 'contacts' | 'access' | 'money' | 'registry';

export type WebhookTexts = {
  readonly title: string;
  readonly lead: string;
  readonly off: string;
  readonly none: string;
  readonly name: string;
  readonly url: string;
  readonly urlHint: string;
  readonly description: string;
  readonly descriptionHint: string;
  readonly events: string;
  readonly eventsHint: string;
  readonly allEvents: string;
  readonly chosenEvents: string;
  readonly eventCount: (count: number) => string;
  readonly groups: Readonly<Record<EventGroup, string>>;
  readonly state: string;
  readonly enabled: string;
  readonly failing: string;
  readonly disabled: string;
  readonly created: string;
  readonly lastSuccess: string;
  readonly never: string;
  readonly oldSecretUntil: string;
  readonly actions: string;
  readonly create: FormWords;
  readonly change: FormWords;
  readonly rotate: FormWords;
  readonly remove: FormWords;
  readonly happens: string;
  readonly createdTitle: string;
  readonly rotatedTitle: string;
  readonly secretOnce: string;
  readonly secret: string;
  readonly test: string;
  readonly disable: string;
  readonly disableLead: string;
  readonly enable: string;
  readonly enableLead: string;
  readonly deliveries: string;
  readonly deliveriesLead: string;
  readonly noDeliveries: string;
  readonly filter: string;
  readonly anyState: string;
  readonly wrongState: string;
  readonly states: Readonly<Record<DeliveryState, string>>;
  readonly columns: Readonly<Record<'event' | 'at' | 'attempts' | 'result' | 'next' | 'again', string>>;
  readonly delivery: string;
  readonly eventId: string;
  readonly lastAttempt: string;
  readonly finished: string;
  readonly body: string;
  readonly bodyLead: string;
  readonly answered: (status: number) => string;
  /** Of an attempt that failed without an answer, by its English text. */
  readonly failures: Readonly<Partial<Record<string, string>>>;
  readonly refusedWith: (status: number) => string;
  readonly attempts: string;
  readonly attemptColumns: Readonly<Record<'at' | 'result' | 'seconds' | 'answer', string>>;
  readonly noAttempts: string;
  readonly showAnswer: string;
  readonly emptyAnswer: string;
  readonly seconds: (ms: number) => string;
  readonly again: string;
  readonly againAll: string;
  readonly againSince: string;
  readonly againSinceHint: (most: number) => string;
  readonly back: string;
  readonly toWebhook: string;
};

const english: WebhookTexts = {
  title: 'Webhooks',
  lead: 'Get signed events about your domains, contacts, money and access.',
  off: 'This registry does not send webhooks.',
  none: 'There is no webhook yet.',
  name: 'Webhook',
  url: 'Address (URL)',
  urlHint: 'https, port 443, with the full name of a public host',
  description: 'Description',
  descriptionHint: 'A note of your own, at most 200 characters',
  events: 'Events',
  eventsHint: '“All” includes future ones. The boxes below count only for the chosen ones.',
  allEvents: 'all',
  chosenEvents: 'the chosen ones',
  eventCount: (count) => (count === 1 ? '1 type' : `${count} types`),
  groups: {
    domains: 'Events of domains',
    contacts: 'Events of contacts',
    access: 'Events of access',
    money: 'Events of money',
    registry: 'Events of the registry',
  },
  state: 'State',
  enabled: 'enabled',
  failing: 'failing',
  disabled: 'disabled',
  created: 'Created',
  lastSuccess: 'Last delivered',
  never: 'nothing yet',
  oldSecretUntil: 'The old secret signs until',
  actions: 'What you can do with this webhook',
  create: {
    title: 'Create a webhook',
    lead: 'Its secret is shown once, after it is created. Your program checks the signatures with it.',
    confirm: 'Create',
  },
  change: {
    title: 'Change the webhook',
    lead: 'Events that wait are sent to the new address.',
    confirm: 'Save',
  },
  rotate: {
    title: 'Replace the secret',
    lead: 'A new secret is made and shown once. The present one also signs for 24 more hours; one replaced earlier stops at once.',
    confirm: 'Make a new secret',
  },
  remove: {
    title: 'Delete the webhook',
    lead: 'The webhook is deleted with its secrets and its list of deliveries. Waiting events are not sent.',
    confirm: 'Delete',
  },
  happens: 'What happens',
  createdTitle: 'The webhook is created',
  rotatedTitle: 'The webhook has a new secret',
  secretOnce: 'The secret is shown only once. Keep it where only your program reads it.',
  secret: 'Secret',
  test: 'Send a test event',
  disable: 'Disable',
  disableLead: 'Events during a pause are not sent later.',
  enable: 'Enable',
  enableLead: 'What failed before can be sent again afterwards.',
  deliveries: 'Deliveries',
  deliveriesLead: 'What was sent in the last 30 days and what is waiting, newest first.',
  noDeliveries: 'There are no deliveries.',
  filter: 'Filter of the deliveries',
  anyState: 'any',
  wrongState: 'There is no such state.',
  states: { waiting: 'waiting', sending: 'being sent', delivered: 'delivered', failed: 'failed' },
  columns: {
    event: 'Event',
    at: 'Time',
    attempts: 'Attempts',
    result: 'Last result',
    next: 'Next attempt',
    again: 'Send again',
  },
  delivery: 'Delivery',
  eventId: 'Id of the event',
  lastAttempt: 'Last attempt',
  finished: 'Finished',
  body: 'Content',
  bodyLead:
    'What is posted, here with line ends for reading. The signature is of the body as your program receives it.',
  answered: (status) => `Taken, answered with ${status}`,
  failures: {},
  refusedWith: (status) => `Refused, answered with ${status}`,
  attempts: 'Attempts',
  attemptColumns: { at: 'Time', result: 'Result', seconds: 'Seconds', answer: 'Answer' },
  noAttempts: 'No attempt is recorded.',
  showAnswer: 'Show the answer',
  emptyAnswer: 'empty',
  seconds: (ms) =>
    (ms / 1000).toLocaleString('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
  again: 'Send again',
  againAll: 'Send all failed ones again',
  againSince: 'Failed since',
  againSinceHint: (most) =>
    `Events from the beginning of this day on, at most ${most.toLocaleString('en-GB')} at once, the oldest first`,
  back: 'All webhooks',
  toWebhook: 'Back to the webhook',
};

const estonian: WebhookTexts = {
  title: 'Veebihaagid',
  lead: 'Sinu programm saab allkirjastatud sündmusi sinu domeenide, kontaktide, raha ja ligipääsu kohta.',
  off: 'See register ei kasuta veebihaake.',
  none: 'Veebihaake veel ei ole.',
  name: 'Veebihaak',
  url: 'Aadress (URL)',
  urlHint: 'https, port 443, avaliku serveri täisnimega',
  description: 'Kirjeldus',
  descriptionHint: 'Sinu enda märkus, kuni 200 märki',
  events: 'Sündmused',
  eventsHint: '„Kõik“ hõlmab ka hiljem lisanduvaid. Allolevad märkeruudud kehtivad ainult valitute puhul.',
  allEvents: 'kõik',
  chosenEvents: 'valitud',
  eventCount: (count) => (count === 1 ? '1 liik' : `${count} liiki`),
  groups: {
    domains: 'Domeenide sündmused',
    contacts: 'Kontaktide sündmused',
    access: 'Ligipääsu sündmused',
    money: 'Raha sündmused',
    registry: 'Registri sündmused',
  },
  state: 'Olek',
  enabled: 'sisse lülitatud',
  failing: 'ei toimi',
  disabled: 'välja lülitatud',
  created: 'Loodud',
  lastSuccess: 'Viimati kohale jõudnud',
  never: 'veel mitte midagi',
  oldSecretUntil: 'Vana salajase võtmega allkirjastatakse kuni',
  actions: 'Mida selle veebihaagiga teha saab',
  create: {
    title: 'Loo veebihaak',
    lead: 'Salajast võtit näidatakse üks kord, pärast veebihaagi loomist. Sellega kontrollib sinu programm allkirju.',
    confirm: 'Loo',
  },
  change: {
    title: 'Muuda veebihaaki',
    lead: 'Ootel sündmused saadetakse uuele aadressile.',
    confirm: 'Salvesta',
  },
  rotate: {
    title: 'Vaheta salajane võti',
    lead: 'Luuakse uus salajane võti ja seda näidatakse üks kord. Praeguse võtmega allkirjastatakse veel 24 tundi; varem vahetatud võti lõpeb kohe.',
    confirm: 'Loo uus võti',
  },
  remove: {
    title: 'Kustuta veebihaak',
    lead: 'Veebihaak kustutatakse koos salajaste võtmete ja saadetiste loendiga. Ootel sündmusi ei saadeta.',
    confirm: 'Kustuta',
  },
  happens: 'Mis juhtub',
  createdTitle: 'Veebihaak on loodud',
  rotatedTitle: 'Veebihaagil on uus salajane võti',
  secretOnce: 'Salajast võtit näidatakse ainult praegu. Hoia seda kohas, mida loeb ainult sinu programm.',
  secret: 'Salajane võti',
  test: 'Saada proovisündmus',
  disable: 'Lülita välja',
  disableLead: 'Väljalülitatud veebihaagile ei saadeta midagi, ka mitte hiljem.',
  enable: 'Lülita sisse',
  enableLead: 'Varem ebaõnnestunud saadetised saab pärast uuesti saata.',
  deliveries: 'Saadetised',
  deliveriesLead: 'Mida on viimase 30 päeva jooksul saadetud ja mis ootab, uuemad eespool.',
  noDeliveries: 'Saadetisi ei ole.',
  filter: 'Saadetiste filter',
  anyState: 'kõik',
  wrongState: 'Sellist olekut ei ole.',
  states: { waiting: 'ootel', sending: 'saatmisel', delivered: 'kohale jõudnud', failed: 'ebaõnnestunud' },
  columns: {
    event: 'Sündmus',
    at: 'Aeg',
    attempts: 'Katseid',
    result: 'Viimane tulemus',
    next: 'Järgmine katse',
    again: 'Uuesti',
  },
  delivery: 'Saadetis',
  eventId: 'Sündmuse tunnus',
  lastAttempt: 'Viimane katse',
  finished: 'Lõpetatud',
  body: 'Sisu',
  bodyLead:
    'See, mis saadetakse, siin lugemiseks ridadeks jaotatud. Allkiri on antud sisule sellisena, nagu programm selle saab.',
  answered: (status) => `Vastu võetud, vastus ${status}`,
  failures: {
    'The URL, or an address of its host, is not allowed': 'Aadress või serveri IP-aadress ei ole lubatud',
    'The name of the host could not be resolved': 'Serveri nimele ei leitud IP-aadressi',
    'No connection could be made': 'Ühendust ei saadud',
    'No secure connection could be made: the certificate is not trusted, or not of this host':
      'Turvalist ühendust ei saadud: sertifikaati ei usaldata või see ei ole selle serveri oma',
    'The connection ended without a valid answer': 'Ühendus katkes ilma korrektse vastuseta',
    'No answer (time is up)': 'Vastust ei saadud õigel ajal',
    'Not sent': 'Saatmata',
  },
  refusedWith: (status) => `Vastu võtmata, vastus ${status}`,
  attempts: 'Katsed',
  attemptColumns: { at: 'Aeg', result: 'Tulemus', seconds: 'Sekundeid', answer: 'Vastus' },
  noAttempts: 'Ühtki katset ei ole salvestatud.',
  showAnswer: 'Näita vastust',
  emptyAnswer: 'tühi',
  seconds: (ms) => (ms / 1000).toLocaleString('et', { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
  again: 'Saada uuesti',
  againAll: 'Saada kõik ebaõnnestunud uuesti',
  againSince: 'Ebaõnnestunud alates',
  againSinceHint: (most) =>
    `Sündmused selle päeva algusest, korraga kuni ${most.toLocaleString('et')}, vanemad eespool`,
  back: 'Kõik veebihaagid',
  toWebhook: 'Tagasi veebihaagi juurde',
};

const TEXTS: Readonly<Record<Language, WebhookTexts>> = { en: english, et: estonian };
export const webhookTexts = (lang: Language): WebhookTexts => TEXTS[lang];
