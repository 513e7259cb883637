import {
  beginCodeGenerator,
  confirmCodeGenerator,
  findFactors,
  type NewCodeGenerator,
  removeCodeGenerator,
} from '../../../registry/people/code-generator.ts';
import { issueRecoveryCodes } from '../../../registry/people/recovery-codes.ts';
import { base32, totpAddress } from '../../../registry/people/totp.ts';
import { faultSummary, field } from '../../html/form.ts';
import { type Html, html, type Language } from '../../html/layout.ts';
import { defineAtOnce } from '../at-once-form.ts';
import { found } from '../form-context.ts';
import { type ConsoleChange, consoleAddress, definePage, type View, type Visit } from '../console-page.ts';
import { codeGeneratorTexts } from './code-generator-texts.ts';
import { personChangeOf } from './person-change.ts';
import { qrCode } from './qr-code.ts';
import { needsSecondFactor } from './second-factor-demand.ts';

const button = (path: string, text: string): Html =>
  html`<form method="post" action="${consoleAddress(path)}"><p><button>${text}</button></p></form>\n`;

const failed = (text: string): Html => html`<p class="outcome failed" role="alert">${text}</p>\n`;

/** The app that shows codes, and the codes for the day when it is lost. */
export const codeGeneratorPage = definePage({
  path: '/account/code',
  right: undefined,
  beforeSecondFactor: true,
  load: ({ database }, { session }) => findFactors(database.reads, session.personId),
  view: ({ hasCodeGenerator, unusedRecoveryCodes }, { lang, session }, parts) => {
    const texts = codeGeneratorTexts(lang);
    return {
      title: texts.title,
      body: html`<h1>${texts.title}</h1>
${needsSecondFactor(parts, session) && html`<p class="outcome" role="status">${texts.demanded} <a href="${consoleAddress('/account/passkeys')}">${texts.orPasskey}</a></p>\n`}<p class="lead">${texts.lead}</p>
${parts.authenticatorKeys.current ? button('/account/code/new', hasCodeGenerator ? texts.replace : texts.setUp) : failed(texts.unavailable)}${
  hasCodeGenerator &&
  html`${button('/account/code/remove', texts.remove)}<h2>${texts.recoveryTitle}</h2>
<p>${texts.recoveryLeft(unusedRecoveryCodes)}</p>
${button('/account/code/recovery-codes', texts.newRecoveryCodes)}`
}`,
    };
  },
});

export const codeGeneratorChanges: readonly ConsoleChange[] = [
  {
    path: '/account/code/new',
    right: undefined,
    beforeSecondFactor: true,
    needsRecentLogin: true,
    run: async ({ database, wallClock, authenticatorKeys: keys }, visit) => {
      const { personId } = visit.session;
      const begun = await beginCodeGenerator(database.writes, keys, personId, wallClock.now());
      return begun ? setUpView(begun, visit) : unavailableView(visit.lang);
    },
  },
  {
    path: '/account/code/confirm',
    right: undefined,
    beforeSecondFactor: true,
    run: async (parts, visit, input) => {
      const [token, code] = [input.field('step'), input.field('code')];
      const change = personChangeOf(parts, visit);
      const confirmed = await confirmCodeGenerator(
        parts.database.writes,
        parts.authenticatorKeys,
        { token, code },
        visit.session,
        change,
      );
      const texts = codeGeneratorTexts(visit.lang);
      if (!confirmed) return expiredView(visit.lang);
      if ('secret' in confirmed)
        return setUpView({ token, secret: confirmed.secret }, visit, texts.wrongCode);
      const { recoveryCodes, sessionToken } = confirmed;
      return { ...recoveryCodesView(recoveryCodes, visit.lang, texts.done), sessionToken };
    },
  },
  defineAtOnce({
    path: '/account/code/remove',
    right: undefined,
    needsRecentLogin: true,
    page: codeGeneratorPage,
    load: async () => ({}),
    read: (_form, _factors, parts, visit) => ({ value: personChangeOf(parts, visit) }),
    run: (database, change) => found(removeCodeGenerator(database.writes, change)),
    to: () => consoleAddress('/account'),
    done: 'codeGeneratorRemoved',
  }),
  {
    path: '/account/code/recovery-codes',
    right: undefined,
    needsRecentLogin: true,
    run: async (parts, visit) =>
      recoveryCodesView(
        await issueRecoveryCodes(parts.database.writes, personChangeOf(parts, visit)),
        visit.lang,
      ),
  },
];

async function setUpView(
  { token, secret }: NewCodeGenerator,
  { lang, session }: Visit,
  fault?: string,
): Promise<View> {
  const texts = codeGeneratorTexts(lang);
  const code = {
    name: 'code',
    label: texts.code,
    hint: texts.codeHint,
    fault,
    maxLength: 10,
    autocomplete: 'one-time-code',
  };
  const key = (base32(secret).match(/.{4}/g) ?? []).join(' ');
  return {
    title: texts.setUp,
    status: fault === undefined ? 200 : 400,
    body: html`<h1>${texts.setUp}</h1>
${faultSummary(texts.again, [code])}<p>${texts.scan}</p>
<p>${await qrCode(totpAddress(secret, session.email), texts.qrCode)}</p>
<p>${texts.type}<br><span class="secret">${key}</span></p>
<form method="post" action="${consoleAddress('/account/code/confirm')}">
${field(code)}<input type="hidden" name="step" value="${token}">
<p><button>${texts.confirm}</button></p>
</form>
`,
  };
}

function expiredView(lang: Language): View {
  const texts = codeGeneratorTexts(lang);
  return {
    title: texts.setUp,
    status: 400,
    body: html`<h1>${texts.setUp}</h1>
${failed(texts.expired)}${button('/account/code/new', texts.setUp)}`,
  };
}

function unavailableView(lang: Language): View {
  const texts = codeGeneratorTexts(lang);
  return {
    title: texts.setUp,
    status: 503,
    body: html`<h1>${texts.setUp}</h1>
${failed(texts.unavailable)}<p><a href="${consoleAddress('/account/passkeys')}">${texts.orPasskey}</a></p>
`,
  };
}

/** Shown once. */
export function recoveryCodesView(codes: readonly string[], lang: Language, done?: string): View {
  const texts = codeGeneratorTexts(lang);
  return {
    title: texts.recoveryTitle,
    body: html`<h1>${texts.recoveryTitle}</h1>
${done !== undefined && html`<p class="outcome" role="status">${done}</p>\n`}<p>${texts.recoveryLead}</p>
<ul class="codes">${codes.map((code) => html`<li>${code}</li>`)}</ul>
<p><a href="${consoleAddress('/account')}">${texts.toAccount}</a></p>
`,
  };
}
