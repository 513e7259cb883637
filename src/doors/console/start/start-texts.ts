import type { DomainNeed } from '../../../registry/registrars/attention.ts';
import type { Snooze } from '../../../registry/people/snoozed-lines.ts';
import type { Language } from '../../html/layout.ts';

/** `count` is written as a number is, or "more than 1,000"; `only` is the name where there is one domain; within `days` it counts as expiring. */
type Needs = Readonly<Record<DomainNeed, (count: string, only: string | undefined, days: number) => string>>;

export type StartTexts = {
  readonly title: string;
  readonly worklist: string;
  readonly nothing: string;
  readonly things: (count: number, urgent: number) => string;
  readonly needs: Needs;
  readonly furtherDomains: string;
  readonly renew: (count: string) => string;
  readonly webhookFails: (name: string) => string;
  readonly since: string;
  readonly jobFailed: (task: string, refused: string, total: string) => string;
  readonly jobStopped: (task: string, done: string, total: string) => string;
  readonly unread: (count: string) => string;
  readonly debt: (amount: string) => string;
  readonly debtMeans: string;
  readonly low: (threshold: string) => string;
  readonly balanceIs: (amount: string) => string;
  readonly invoices: Readonly<Record<'unpaid' | 'failed' | 'overdue', (count: number) => string>>;
  readonly firstDue: (number: number, amount: string, day: string) => string;
  readonly snooze: (line: string) => string;
  readonly until: Readonly<Record<Snooze, string>>;
  readonly snoozed: (count: number) => string;
  /** Before a day. */
  readonly untilDay: string;
  readonly showNow: string;
  readonly notSnooze: string;
  readonly enoughUntil: (day: string) => string;
  readonly enoughForYear: string;
  readonly enoughFor: (day: string) => string;
  readonly ifRenewed: string;
  readonly remaining: string;
  readonly remainingFrom: (first: string, last: string) => string;
  readonly months: string;
  readonly monthsAre: (registered: string, renewed: string, deleted: string) => string;
  readonly asTable: string;
};

const english: StartTexts = {
  title: 'Overview',
  worklist: 'To do',
  nothing: 'Nothing to do today.',
  things: (count, urgent) =>
    `${count === 1 ? '1 thing' : `${count} things`} to do${urgent === 0 ? '' : `, ${urgent} of them urgent`}`,
  needs: {
    serverHold: (count, only) =>
      `${only ?? `${count} domains`} ${only ? 'is' : 'are'} on hold by the registry`,
    expired: (count, only) => `${only ?? `${count} domains`} ${only ? 'has' : 'have'} expired`,
    serverForceDelete: (count, only) =>
      `${only ?? `${count} domains`} ${only ? 'is' : 'are'} under forced deletion`,
    pendingDelete: (count, only) =>
      only
        ? `${only} is being deleted and can still be restored`
        : `${count} domains are being deleted and can still be restored`,
    expiring: (count, only, days) =>
      only ? `${only} expires within ${days} days` : `${count} domains expire within ${days} days`,
    pendingUpdate: (count, only) =>
      only
        ? `${only} waits for a new registrant to be confirmed`
        : `${count} new registrants are not confirmed yet`,
    pendingDeleteConfirmation: (count, only) =>
      only ? `${only} waits for its deletion to be confirmed` : `${count} deletions are not confirmed yet`,
    clientHold: (count, only) => `${only ?? `${count} domains`} ${only ? 'is' : 'are'} on hold by you`,
  },
  furtherDomains: 'and others',
  renew: (count) => `Renew ${count}`,
  webhookFails: (name) => `The webhook ${name} fails`,
  since: 'Since',
  jobFailed: (task, refused, total) => `${task}: ${refused} of ${total} failed`,
  jobStopped: (task, done, total) => `${task}: stopped after ${done} of ${total}`,
  unread: (count) => (count === '1' ? '1 unread message' : `${count} unread messages`),
  debt: (amount) => `You owe ${amount}`,
  debtMeans: 'Until it is paid, nothing can be bought.',
  low: (threshold) => `The balance is below ${threshold}`,
  balanceIs: (amount) => `It is ${amount}.`,
  invoices: {
    unpaid: (count) => (count === 1 ? '1 invoice is unpaid' : `${count} invoices are unpaid`),
    failed: (count) =>
      count === 1 ? 'The payment of 1 invoice failed' : `The payments of ${count} invoices failed`,
    overdue: (count) => (count === 1 ? '1 invoice is overdue' : `${count} invoices are overdue`),
  },
  firstDue: (number, amount, day) => `${number} of ${amount} is due on ${day}`,
  snooze: (line) => `Postpone: ${line}`,
  until: { tomorrow: 'Until tomorrow', week: 'Until next week' },
  snoozed: (count) => `${count} postponed`,
  untilDay: 'until',
  showNow: 'Show now',
  notSnooze: 'tomorrow or next week',
  enoughUntil: (day) => `Enough until about ${day}`,
  enoughForYear: 'Enough for a year',
  enoughFor: (day) => `Enough until ${day} at least`,
  ifRenewed: 'if every expiring domain is renewed for a year',
  remaining: 'Balance in the next twelve weeks',
  remainingFrom: (first, last) => `From ${first} down to ${last}.`,
  months: 'Last 12 months',
  monthsAre: (registered, renewed, deleted) =>
    `${registered} registrations, ${renewed} renewals, ${deleted} deletions`,
  asTable: 'As a table',
};

const estonian: StartTexts = {
  title: 'Ülevaade',
  worklist: 'Teha',
  nothing: 'Täna ei ole midagi teha.',
  things: (count, urgent) =>
    `${count === 1 ? '1 asi' : `${count} asja`} teha${urgent === 0 ? '' : `, neist ${urgent === 1 ? '1 kiire' : `${urgent} kiiret`}`}`,
  needs: {
    serverHold: (count, only) => `${only ?? `${count} domeeni`} on registri peatatud`,
    expired: (count, only) => `${only ?? `${count} domeeni`} on aegunud`,
    serverForceDelete: (count, only) => `${only ?? `${count} domeeni`} on sundkustutamisel`,
    pendingDelete: (count, only) =>
      only
        ? `${only} on kustutamisel, kuid veel taastatav`
        : `${count} domeeni on kustutamisel, kuid veel taastatavad`,
    expiring: (count, only, days) => `${only ?? `${count} domeeni`} aegub ${days} päeva jooksul`,
    pendingUpdate: (count, only) => `${only ?? `${count} domeeni`}: uus registreerija on kinnitamata`,
    pendingDeleteConfirmation: (count, only) => `${only ?? `${count} domeeni`}: kustutamine on kinnitamata`,
    clientHold: (count, only) => `${only ?? `${count} domeeni`} on sinu peatatud`,
  },
  furtherDomains: 'ja teised',
  renew: (count) => `Pikenda ${count}`,
  webhookFails: (name) => `Veebihaak ${name} ei toimi`,
  since: 'Alates',
  jobFailed: (task, refused, total) => `${task}: ${refused}/${total} ebaõnnestus`,
  jobStopped: (task, done, total) => `${task}: peatatud, tehtud ${done}/${total}`,
  unread: (count) => (count === '1' ? '1 lugemata teade' : `${count} lugemata teadet`),
  debt: (amount) => `Võlgned ${amount}`,
  debtMeans: 'Enne selle tasumist ei saa midagi osta.',
  low: (threshold) => `Saldo on alla ${threshold}`,
  balanceIs: (amount) => `Saldo on ${amount}.`,
  invoices: {
    unpaid: (count) => (count === 1 ? '1 arve on tasumata' : `${count} arvet on tasumata`),
    failed: (count) => (count === 1 ? '1 arve makse ebaõnnestus' : `${count} arve makse ebaõnnestus`),
    overdue: (count) => (count === 1 ? '1 arve tähtaeg on möödas' : `${count} arve tähtaeg on möödas`),
  },
  firstDue: (number, amount, day) => `Arve ${number} summas ${amount}, tähtaeg ${day}`,
  snooze: (line) => `Lükka edasi: ${line}`,
  until: { tomorrow: 'Homseni', week: 'Järgmise nädalani' },
  snoozed: (count) => `${count} edasi lükatud`,
  untilDay: 'kuni',
  showNow: 'Näita kohe',
  notSnooze: 'homseni või järgmise nädalani',
  enoughUntil: (day) => `Piisab umbes kuupäevani ${day}`,
  enoughForYear: 'Piisab aastaks',
  enoughFor: (day) => `Piisab vähemalt kuupäevani ${day}`,
  ifRenewed: 'kui iga aeguvat domeeni pikendatakse aasta võrra',
  remaining: 'Saldo järgmise kaheteistkümne nädala jooksul',
  remainingFrom: (first, last) => `Algul ${first}, lõpuks ${last}.`,
  months: 'Viimased 12 kuud',
  monthsAre: (registered, renewed, deleted) =>
    `registreeritud ${registered}, pikendatud ${renewed}, kustutatud ${deleted}`,
  asTable: 'Tabelina',
};

const TEXTS: Readonly<Record<Language, StartTexts>> = { en: english, et: estonian };
export const startTexts = (lang: Language): StartTexts => TEXTS[lang];
