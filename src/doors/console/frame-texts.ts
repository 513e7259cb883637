import { MAX_COUNTED } from '../../platform/paging/keyset-search.ts';
import type { PersonRole } from '../../registry/people/person.ts';
import type { Language } from '../html/layout.ts';

export type MenuItem =
  | 'start'
  | 'domains'
  | 'bulk'
  | 'jobs'
  | 'contacts'
  | 'messages'
  | 'figures'
  | 'balance'
  | 'invoices'
  | 'statements'
  | 'people'
  | 'access'
  | 'webhooks'
  | 'activity';
export type MenuGroup = 'portfolio' | 'money' | 'developers' | 'team';
/** What a page says instead of its content. */
export type Problem =
  | 'unknown'
  | 'notAllowed'
  | 'otherAddress'
  | 'foreign'
  | 'otherMethod'
  | 'notUnderstood'
  | 'tooLarge'
  | 'tooMany'
  | 'unavailable'
  | 'maintenance'
  | 'fault';

export type FrameTexts = {
  readonly console: string;
  readonly skip: string;
  readonly menu: string;
  readonly items: Readonly<Record<MenuItem | 'account', string>>;
  readonly groups: Readonly<Record<MenuGroup, string>>;
  /** On a telephone. */
  readonly tabs: string;
  readonly more: string;
  readonly findLabel: string;
  readonly find: string;
  /** Leads to what explains the page. */
  readonly guide: string;
  readonly zone: (timeZone: string) => string;
  readonly counts: {
    readonly unread: (count: number) => string;
    readonly owed: (count: number) => string;
  };
  readonly logOut: string;
  readonly actsFor: string;
  readonly changeRegistrar: string;
  readonly otherLanguage: string;
  readonly roles: Readonly<Record<PersonRole, string>>;
  readonly problems: Readonly<Record<Problem, readonly [heading: string, advice: string]>>;
  readonly toStart: string;
};

const english: FrameTexts = {
  console: 'Registrars’ console',
  skip: 'Skip to the content',
  menu: 'Menu',
  items: {
    start: 'Overview',
    domains: 'Domains',
    bulk: 'Bulk changes',
    jobs: 'Jobs',
    contacts: 'Contacts',
    messages: 'Inbox',
    figures: 'Reports',
    balance: 'Account',
    invoices: 'Invoices',
    statements: 'Statements',
    people: 'People',
    access: 'API access',
    webhooks: 'Webhooks',
    activity: 'Activity',
    account: 'My account',
  },
  groups: { portfolio: 'Portfolio', money: 'Money', developers: 'Developers', team: 'Team' },
  tabs: 'Main pages',
  more: 'More',
  findLabel: 'Search everything',
  find: 'Domain, person, ID code, e-mail, nameserver, invoice…',
  guide: 'About this page',
  zone: (timeZone) => `Times in ${timeZone}`,
  counts: {
    unread: (count) => (count > MAX_COUNTED ? `${MAX_COUNTED}+` : String(count)),
    owed: (count) => `${count} overdue`,
  },
  logOut: 'Log out',
  actsFor: 'Registrar',
  changeRegistrar: 'Change',
  otherLanguage: 'Eesti keeles',
  roles: { admin: 'administrator', domains: 'domains', billing: 'billing', reader: 'reader' },
  problems: {
    unknown: ['Page not found', 'The address is wrong, or the object belongs to another registrar.'],
    notAllowed: [
      'You don’t have access to this page',
      'An administrator of your registrar can give it to you.',
    ],
    otherAddress: [
      'Your registrar lets nobody in from here',
      'An administrator of your registrar, or the registry, can add your internet address to the list.',
    ],
    foreign: [
      'This form came from another site',
      'Nothing was changed. Open the page in the console and try again.',
    ],
    otherMethod: ['This page cannot be opened this way', 'Go back and try again.'],
    notUnderstood: ['This form could not be read', 'Nothing was changed. Go back and try again.'],
    tooLarge: ['This form is too large', 'Nothing was changed. Go back, shorten it and try again.'],
    tooMany: ['Too many requests', 'Nothing was changed. Try again in a minute.'],
    unavailable: ['The registry cannot answer now', 'Nothing was changed. Try again in a minute.'],
    maintenance: [
      'The registry is under maintenance',
      'Nothing can be seen or changed meanwhile. Try again later.',
    ],
    fault: ['Something went wrong here', 'It was logged. Try again, or ask the registry for help.'],
  },
  toStart: 'To the overview',
};

const estonian: FrameTexts = {
  console: 'Registripidajate konsool',
  skip: 'Liigu sisu juurde',
  menu: 'Menüü',
  items: {
    start: 'Ülevaade',
    domains: 'Domeenid',
    bulk: 'Hulgitoimingud',
    jobs: 'Tööd',
    contacts: 'Kontaktid',
    messages: 'Postkast',
    figures: 'Aruanded',
    balance: 'Konto',
    invoices: 'Arved',
    statements: 'Väljavõtted',
    people: 'Inimesed',
    access: 'API ligipääs',
    webhooks: 'Veebihaagid',
    activity: 'Tegevus',
    account: 'Minu konto',
  },
  groups: { portfolio: 'Portfell', money: 'Raha', developers: 'Arendajale', team: 'Meeskond' },
  tabs: 'Põhilehed',
  more: 'Veel',
  findLabel: 'Otsi kõigest',
  find: 'Domeen, isik, isikukood, e-post, nimeserver, arve…',
  guide: 'Selle lehe juhend (inglise keeles)',
  zone: (timeZone) => `Ajad vööndis ${timeZone}`,
  counts: {
    unread: (count) => (count > MAX_COUNTED ? `${MAX_COUNTED}+` : String(count)),
    owed: (count) => `${count} üle tähtaja`,
  },
  logOut: 'Logi välja',
  actsFor: 'Registripidaja',
  changeRegistrar: 'Vaheta',
  otherLanguage: 'In English',
  roles: { admin: 'administraator', domains: 'domeenid', billing: 'arveldus', reader: 'lugeja' },
  problems: {
    unknown: ['Lehte ei leitud', 'Aadress on vale või kuulub objekt teisele registripidajale.'],
    notAllowed: ['Sul ei ole sellele lehele ligipääsu', 'Seda saab anda sinu registripidaja administraator.'],
    otherAddress: [
      'Siit sinu registripidaja konsooli ei lubata',
      'Sinu internetiaadressi saab nimekirja lisada registripidaja administraator või register.',
    ],
    foreign: ['See vorm tuli teiselt saidilt', 'Midagi ei muudetud. Ava leht konsoolis ja proovi uuesti.'],
    otherMethod: ['Seda lehte ei saa nii avada', 'Mine tagasi ja proovi uuesti.'],
    notUnderstood: ['Seda vormi ei õnnestunud lugeda', 'Midagi ei muudetud. Mine tagasi ja proovi uuesti.'],
    tooLarge: ['See vorm on liiga suur', 'Midagi ei muudetud. Mine tagasi, lühenda seda ja proovi uuesti.'],
    tooMany: ['Päringuid on liiga palju', 'Midagi ei muudetud. Proovi minuti pärast uuesti.'],
    unavailable: ['Register ei saa praegu vastata', 'Midagi ei muudetud. Proovi minuti pärast uuesti.'],
    maintenance: ['Registris on hooldustööd', 'Seni ei saa midagi vaadata ega muuta. Proovi hiljem uuesti.'],
    fault: ['Midagi läks siin valesti', 'See on logitud. Proovi uuesti või küsi registrilt abi.'],
  },
  toStart: 'Ülevaatesse',
};

const TEXTS: Readonly<Record<Language, FrameTexts>> = { en: english, et: estonian };
export const frameTexts = (lang: Language): FrameTexts => TEXTS[lang];
