import type { MessageType } from '../../../registry/poll/send-messages.ts';
import type { Language } from '../../html/layout.ts';
import type { MessageFilterName } from './message-query.ts';
import { englishTypes, estonianTypes } from './message-type-texts.ts';

export type MessageTexts = {
  readonly title: string;
  readonly filter: string;
  readonly fields: Readonly<Record<MessageFilterName, string>>;
  readonly faults: Readonly<Record<Exclude<MessageFilterName, 'show'>, string>>;
  readonly shown: Readonly<Record<'unread' | 'all', string>>;
  readonly anyType: string;
  readonly noneUnread: string;
  readonly none: string;
  readonly choose: (text: string) => string;
  readonly andMore: (shown: string, more: number) => string;
  readonly acknowledge: string;
  readonly acknowledgeChosen: string;
  readonly types: Readonly<Record<MessageType, string>>;
  readonly back: string;
  readonly unread: string;
  readonly facts: Readonly<
    Record<
      | 'number'
      | 'at'
      | 'read'
      | 'domain'
      | 'contact'
      | 'losing'
      | 'gaining'
      | 'expires'
      | 'outcome'
      | 'who'
      | 'reason'
      | 'request',
      string
    >
  >;
  readonly outcomes: Readonly<Record<'succeeded' | 'failed', string>>;
};

const english: MessageTexts = {
  title: 'Inbox',
  filter: 'Filter of messages',
  fields: { show: 'Which', type: 'Type', from: 'From', to: 'Until' },
  faults: {
    type: 'There is no such type.',
    from: 'Write the day as 2030-12-31.',
    to: 'Write the day as 2030-12-31.',
  },
  shown: { unread: 'Unread', all: 'All' },
  anyType: 'Any',
  noneUnread: 'There are no unread messages.',
  none: 'No message matches.',
  choose: (text) => `Choose: ${text}`,
  andMore: (shown, more) => `${shown} and ${more} more`,
  acknowledge: 'Mark as read',
  acknowledgeChosen: 'Mark as read',
  types: englishTypes,
  back: 'Back to the inbox',
  unread: 'Unread',
  facts: {
    number: 'Number',
    at: 'When',
    read: 'Read',
    domain: 'Domain',
    contact: 'Contact',
    losing: 'Registrar before',
    gaining: 'Registrar now',
    expires: 'Expires',
    outcome: 'Outcome',
    who: 'By',
    reason: 'Reason',
    request: 'Request',
  },
  outcomes: { succeeded: 'It was carried out', failed: 'It was not carried out' },
};

const estonian: MessageTexts = {
  title: 'Postkast',
  filter: 'Teadete filter',
  fields: { show: 'Millised', type: 'Liik', from: 'Alates', to: 'Kuni' },
  faults: {
    type: 'Sellist liiki ei ole.',
    from: 'Kirjuta kuupäev kujul 2030-12-31.',
    to: 'Kirjuta kuupäev kujul 2030-12-31.',
  },
  shown: { unread: 'Lugemata', all: 'Kõik' },
  anyType: 'Kõik',
  noneUnread: 'Lugemata teateid ei ole.',
  none: 'Ükski teade ei vasta filtrile.',
  choose: (text) => `Vali: ${text}`,
  andMore: (shown, more) => `${shown} ja veel ${more}`,
  acknowledge: 'Märgi loetuks',
  acknowledgeChosen: 'Märgi valitud loetuks',
  types: estonianTypes,
  back: 'Tagasi postkasti',
  unread: 'Lugemata',
  facts: {
    number: 'Number',
    at: 'Millal',
    read: 'Loetud',
    domain: 'Domeen',
    contact: 'Kontakt',
    losing: 'Varasem registripidaja',
    gaining: 'Uus registripidaja',
    expires: 'Aegub',
    outcome: 'Tulemus',
    who: 'Tegija',
    reason: 'Põhjus',
    request: 'Päring',
  },
  outcomes: { succeeded: 'See viidi ellu', failed: 'Seda ei viidud ellu' },
};

const TEXTS: Readonly<Record<Language, MessageTexts>> = { en: english, et: estonian };
export const messageTexts = (lang: Language): MessageTexts => TEXTS[lang];
