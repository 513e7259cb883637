import { countUnpaid } from '../../billing/invoices/count-unpaid.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { countUnreadMessages } from '../../registry/registrars/attention.ts';
import { type Html, html } from '../html/layout.ts';
import type { Visit } from './console-page.ts';
import { frameTexts, type MenuGroup, type MenuItem } from './frame-texts.ts';
import type { IconName } from './icons.ts';
import { messageScope } from './messages/message-scope.ts';

/** Only what a person does every day is above the first heading; what is the person's own is in the header. */
export const MENU: readonly { readonly heading?: MenuGroup; readonly items: readonly MenuItem[] }[] = [
  { items: ['start', 'messages'] },
  { heading: 'portfolio', items: ['domains', 'contacts', 'bulk', 'jobs', 'figures'] },
  { heading: 'money', items: ['balance', 'invoices', 'statements'] },
  { heading: 'developers', items: ['access', 'webhooks', 'activity'] },
  { heading: 'team', items: ['people'] },
];
export const TABS: readonly MenuItem[] = ['start', 'domains', 'messages'];

export const MENU_ICONS: Readonly<Record<MenuItem, IconName>> = {
  start: 'overview',
  messages: 'inbox',
  domains: 'domains',
  contacts: 'contacts',
  bulk: 'bulk',
  jobs: 'jobs',
  figures: 'reports',
  balance: 'account',
  invoices: 'invoices',
  statements: 'statements',
  people: 'people',
  access: 'access',
  webhooks: 'webhooks',
  activity: 'activity',
};

/** The key that leads there, after a `g`. */
export const MENU_KEYS: Readonly<Partial<Record<MenuItem, string>>> = {
  start: 'o',
  messages: 'i',
  domains: 'd',
  contacts: 'c',
  jobs: 'j',
  balance: 'm',
};

/** Beside an item where something is to be done. */
export type MenuCounts = Readonly<Partial<Record<MenuItem, Html>>>;

/** A count that cannot be read is left out: the page matters more. */
export async function readMenuCounts(reads: Sql, visit: Visit): Promise<MenuCounts> {
  const { counts } = frameTexts(visit.lang);
  const [unread, invoices] = await Promise.all([
    visit.may('read') ? countUnreadMessages(reads, messageScope(visit)).catch(() => 0) : 0,
    visit.may('money') ? countUnpaid(reads, visit.principal.registrarId).catch(() => undefined) : undefined,
  ]);
  const owed = invoices ? invoices.overdue + invoices.failed : 0;
  return {
    ...(unread > 0 && { messages: html`<span class="count">${counts.unread(unread)}</span>` }),
    ...(owed > 0 && { invoices: html`<span class="count urgent">${counts.owed(owed)}</span>` }),
  };
}
