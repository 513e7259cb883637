import { findFactors } from '../../../registry/people/code-generator.ts';
import { relyingPartyOf } from '../../../registry/people/passkey-ceremony.ts';
import {
  addPasskey,
  beginPasskey,
  listPasskeys,
  MAX_PASSKEY_NAME,
  type Passkey,
  removePasskey,
} from '../../../registry/people/passkeys.ts';
import { issueRecoveryCodes } from '../../../registry/people/recovery-codes.ts';
import { field } from '../../html/form.ts';
import { isolated, momentIn } from '../../html/language.ts';
import { type Html, html } from '../../html/layout.ts';
import { table } from '../../html/table.ts';
import { passkeysAddress } from '../assets.ts';
import { defineAtOnce } from '../at-once-form.ts';
import { found } from '../form-context.ts';
import { refusal } from '../form-refusals.ts';
import { passkeyForm } from '../login/passkey-form.ts';
import {
  type ConsoleChange,
  type ConsoleParts,
  consoleAddress,
  definePage,
  type View,
  type Visit,
} from '../console-page.ts';
import { browserName } from './browser-name.ts';
import { recoveryCodesView } from './code-generator-page.ts';
import { passkeyTexts } from './passkey-texts.ts';
import { personChangeOf } from './person-change.ts';

const PASSKEY_ID = /^[1-9]\d{0,14}$/;

const load = ({ database }: ConsoleParts, { session }: Visit) =>
  listPasskeys(database.reads, session.personId);

export const passkeysPage = definePage({
  path: '/account/passkeys',
  right: undefined,
  beforeSecondFactor: true,
  load,
  view: (passkeys: readonly Passkey[], visit, parts) => listView(passkeys, visit, parts),
});

export const passkeyChanges: readonly ConsoleChange[] = [
  {
    path: '/account/passkeys/new',
    right: undefined,
    beforeSecondFactor: true,
    needsRecentLogin: true,
    run: async (parts, visit, input) => {
      const { database, wallClock, publicUrl } = parts;
      const party = relyingPartyOf(publicUrl());
      const request = await beginPasskey(database.writes, party, visit.session, wallClock.now());
      const texts = passkeyTexts(visit.lang);
      if (!request) return listView(await load(parts, visit), visit, parts, texts.tooMany);
      const form = passkeyForm({
        kind: 'create',
        request,
        button: texts.again,
        failed: texts.failed,
        action: consoleAddress('/account/passkeys/add'),
        hidden: { name: input.field('name') },
      });
      const body = html`<h1>${texts.addTitle}</h1>\n<p class="lead">${texts.addLead}</p>\n${form}`;
      return { title: texts.addTitle, body, scripts: [passkeysAddress] };
    },
  },
  {
    path: '/account/passkeys/add',
    right: undefined,
    beforeSecondFactor: true,
    longFields: ['response'],
    run: async (parts, visit, input) => {
      const { writes } = parts.database;
      const change = personChangeOf(parts, visit);
      const texts = passkeyTexts(visit.lang);
      const name = input.field('name').trim().slice(0, MAX_PASSKEY_NAME) || deviceOf(visit);
      const answer = { token: input.field('step'), response: input.field('response'), name };
      const party = relyingPartyOf(parts.publicUrl());
      const sessionToken = await addPasskey(writes, party, answer, visit.session, change);
      if (sessionToken === undefined) return listView(await load(parts, visit), visit, parts, texts.refused);
      const { unusedRecoveryCodes } = await findFactors(writes, change.personId);
      if (unusedRecoveryCodes > 0)
        return { to: consoleAddress('/account/passkeys'), notice: 'passkeyAdded', sessionToken };
      const codes = await issueRecoveryCodes(writes, change);
      return { ...recoveryCodesView(codes, visit.lang, texts.done), sessionToken };
    },
  },
  defineAtOnce({
    path: '/account/passkeys/remove',
    right: undefined,
    needsRecentLogin: true,
    page: passkeysPage,
    load: async () => ({}),
    read: ({ field }, _passkeys, parts, visit) => {
      const id = field('passkey');
      return PASSKEY_ID.test(id)
        ? { value: { id: Number(id), change: personChangeOf(parts, visit) } }
        : { refusals: [refusal('objectMissing')] };
    },
    run: (database, { id, change }) => found(removePasskey(database.writes, id, change)),
    to: () => consoleAddress('/account/passkeys'),
    done: 'passkeyRemoved',
  }),
];

const deviceOf = ({ client }: Visit): string => browserName(client.userAgent) || '?';

function listView(
  passkeys: readonly Passkey[],
  visit: Visit,
  { policy }: ConsoleParts,
  fault?: string,
): View {
  const { lang } = visit;
  const texts = passkeyTexts(lang);
  const rows = passkeys.map(({ id, name, createdAt, lastUsedAt }) => [
    isolated(name),
    momentIn(lang, createdAt, policy),
    lastUsedAt === null ? texts.never : momentIn(lang, lastUsedAt, policy),
    removal(id, name, texts.remove),
  ]);
  const titles = [texts.name, texts.added, texts.lastUsed, texts.remove];
  const name = {
    name: 'name',
    label: texts.name,
    hint: texts.nameHint,
    value: deviceOf(visit),
    maxLength: MAX_PASSKEY_NAME,
    autocomplete: 'off',
  };
  return {
    title: texts.title,
    scripts: [passkeysAddress],
    status: fault === undefined ? 200 : 400,
    body: html`<h1>${texts.title}</h1>
${fault !== undefined && html`<p class="outcome failed" role="alert">${fault}</p>\n`}<p class="lead">${texts.lead}</p>
${rows.length > 0 && table({ label: texts.title, columns: titles.map((title) => ({ title })) }, rows)}<form method="post" action="${consoleAddress('/account/passkeys/new')}" data-passkeys hidden>
${field(name)}<p><button>${texts.add}</button></p>
</form>
<noscript><p>${texts.needsScript}</p></noscript>
`,
  };
}

const removal = (id: number, name: string, text: string): Html =>
  html`<form method="post" action="${consoleAddress('/account/passkeys/remove')}"><button class="plain" name="passkey" value="${id}">${text}<span class="hidden"> ${name}</span></button></form>`;
