import type { DomainsInNeed } from '../../../registry/registrars/attention.ts';
import type { Language } from '../../html/layout.ts';

export type StartTexts = {
  readonly title: string;
  readonly welcome: (registrar: string) => string;
  readonly attention: string;
  readonly nothing: string;
  readonly inNeed: Readonly<Record<keyof DomainsInNeed, string>>;
  readonly messages: string;
  readonly unread: string;
  readonly newest: string;
  readonly noMessages: string;
  readonly money: string;
  readonly balance: string;
  readonly low: (threshold: string) => string;
  readonly debt: string;
  readonly unpaid: string;
  readonly failed: string;
  readonly overdue: string;
};

const english: StartTexts = {
  title: 'Overview',
  welcome: (registrar) => registrar,
  attention: 'Domains that need attention',
  nothing: 'No domain needs attention.',
  inNeed: {
    expiring: 'Expire within 30 days',
    pendingUpdate: 'New registrant to be confirmed',
    pendingDeleteConfirmation: 'Deletion to be confirmed',
    serverForceDelete: 'Under force delete',
    serverHold: 'On hold by the registry',
    clientHold: 'On hold by you',
    pendingDelete: 'Deleted, can still be brought back',
  },
  messages: 'Messages',
  unread: 'Unread messages',
  newest: 'The newest',
  noMessages: 'There are no unread messages.',
  money: 'Money',
  balance: 'Balance',
  low: (threshold) => `Low: below ${threshold}`,
  debt: 'Debt',
  unpaid: 'Unpaid invoices',
  failed: 'Invoices whose payment failed',
  overdue: 'Overdue invoices',
};

const estonian: StartTexts = {
  title: 'Ülevaade',
  welcome: (registrar) => registrar,
  attention: 'Tähelepanu vajavad domeenid',
  nothing: 'Ükski domeen ei vaja tähelepanu.',
  inNeed: {
    expiring: 'Aeguvad 30 päeva jooksul',
    pendingUpdate: 'Uus registreerija ootab kinnitust',
    pendingDeleteConfirmation: 'Kustutamine ootab kinnitust',
    serverForceDelete: 'Sundkustutamisel',
    serverHold: 'Registri peatatud',
    clientHold: 'Sinu peatatud',
    pendingDelete: 'Kustutatud, veel taastatavad',
  },
  messages: 'Teated',
  unread: 'Lugemata teateid',
  newest: 'Uusim',
  noMessages: 'Lugemata teateid ei ole.',
  money: 'Raha',
  balance: 'Saldo',
  low: (threshold) => `Madal: alla ${threshold}`,
  debt: 'Võlg',
  unpaid: 'Tasumata arveid',
  failed: 'Ebaõnnestunud maksega arveid',
  overdue: 'Tähtaja ületanud arveid',
};

const TEXTS: Readonly<Record<Language, StartTexts>> = { en: english, et: estonian };
export const startTexts = (lang: Language): StartTexts => TEXTS[lang];
