import { html } from '../../html/layout.ts';
import { type ConsolePage, consoleAddress } from '../console-page.ts';
import { bulkTexts } from './bulk-texts.ts';
import { contactLists } from './contact-lists-form.ts';
import { bulkHold } from './holds-form.ts';
import { keyLists } from './key-lists-form.ts';
import { nameserverLists } from './nameserver-lists-form.ts';
import { bulkRegistrant } from './registrants-form.ts';
import { bulkRenewal } from './renewals-form.ts';
import { techReplacement } from './replace-tech-contact-form.ts';
import { type TaskTexts, taskTexts } from './task-texts.ts';
import { bulkTransfer } from './transfers-form.ts';
import { bulkUndo } from './undo-form.ts';

const TASKS: readonly (readonly [keyof TaskTexts, ConsolePage])[] = [
  ['renew', bulkRenewal.page],
  ['nameservers', nameserverLists.page],
  ['contacts', contactLists.page],
  ['tech', techReplacement.page],
  ['keys', keyLists.page],
  ['registrant', bulkRegistrant.page],
  ['hold', bulkHold.page],
  ['transfer', bulkTransfer.page],
];

/** What can be done with many domains at once. */
export const bulkPage: ConsolePage = {
  path: '/bulk',
  right: 'objects',
  menu: 'bulk',
  answer: async (_parts, { lang }) => {
    const { title, lead } = bulkTexts(lang);
    const texts = taskTexts(lang);
    const body = html`<h1>${title}</h1>
<p class="lead">${lead}</p>
<ul class="tasks">${TASKS.map(([task, { path }]) => html`<li><a href="${consoleAddress(path)}">${texts[task].title}</a><p>${texts[task].lead}</p></li>\n`)}</ul>
`;
    return { title, body };
  },
};

export const bulkForms = [
  bulkRenewal,
  nameserverLists,
  contactLists,
  techReplacement,
  keyLists,
  bulkRegistrant,
  bulkHold,
  bulkTransfer,
  bulkUndo,
] as const;
