import { findFactors, type PersonFactors } from '../../../registry/people/code-generator.ts';
import { listOwnSessions, type OwnSession } from '../../../registry/people/own-sessions.ts';
import { isolated, momentIn } from '../../html/language.ts';
import { type Html, html } from '../../html/layout.ts';
import { table } from '../../html/table.ts';
import { frameTexts } from '../frame-texts.ts';
import { type ConsoleParts, consoleAddress, definePage, type Visit } from '../console-page.ts';
import { accountTexts } from './account-texts.ts';
import { browserName } from './browser-name.ts';
import { codeGeneratorTexts } from './code-generator-texts.ts';
import { passkeyTexts } from './passkey-texts.ts';

/** Who somebody is, how it logs in, and where it is logged in. */
export const accountPage = definePage({
  path: '/account',
  right: undefined,
  load: async ({ database, wallClock }, { session }) => ({
    factors: await findFactors(database.reads, session.personId),
    sessions: await listOwnSessions(database.reads, session.personId, wallClock.now()),
  }),
  view: ({ factors, sessions }, visit, parts) => {
    const texts = accountTexts(visit.lang);
    return {
      title: texts.title,
      body: html`<h1>${texts.title}</h1>
${factsOf(visit)}<h2>${texts.login}</h2>
${waysToLogIn(factors, visit, parts)}<h2>${texts.sessions}</h2>
<p>${texts.sessionsLead}</p>
${sessionsTable(sessions, visit, parts)}${
  sessions.length > 1 &&
  html`<form method="post" action="${consoleAddress('/account/sessions/end-others')}"><p><button>${texts.endOthers}</button></p></form>\n`
}`,
    };
  },
});

function factsOf({ lang, session }: Visit): Html {
  const texts = accountTexts(lang);
  const { roles } = frameTexts(lang);
  return html`<dl class="facts"><div><dt>${texts.name}</dt><dd>${isolated(session.name)}</dd></div>
<div><dt>${texts.email}</dt><dd>${session.email}</dd></div>
<div><dt>${texts.rolesAt(session.registrarName)}</dt><dd>${session.roles.map((role) => roles[role]).join(', ')}</dd></div></dl>
`;
}

function waysToLogIn(
  { hasPassword, hasCodeGenerator, unusedRecoveryCodes, passkeys, identity }: PersonFactors,
  { lang }: Visit,
  parts: ConsoleParts,
): Html {
  const texts = accountTexts(lang);
  const { state, recoveryLeft } = codeGeneratorTexts(lang);
  return html`<ul class="ways">
${hasPassword && html`<li><a href="${consoleAddress('/account/password')}">${texts.changePassword}</a></li>`}
<li><a href="${consoleAddress('/account/code')}">${codeGeneratorTexts(lang).title}</a>: ${state[hasCodeGenerator ? 'on' : 'off']}${hasCodeGenerator && html`<br>${recoveryLeft(unusedRecoveryCodes)}`}</li>
<li><a href="${consoleAddress('/account/passkeys')}">${passkeyTexts(lang).title}</a>: ${passkeyTexts(lang).state(passkeys)}</li>
${parts.identity.isConfigured && html`<li>${identity === null ? html`<a href="${consoleAddress('/login/identity/link')}">${texts.linkIdentity}</a>` : html`${texts.identityIs(identity)} <form method="post" action="${consoleAddress('/account/identity/unlink')}"><button class="plain">${texts.unlinkIdentity}</button></form>`}</li>`}
</ul>
`;
}

function sessionsTable(sessions: readonly OwnSession[], visit: Visit, { policy }: ConsoleParts): Html {
  const { lang, session: current } = visit;
  const texts = accountTexts(lang);
  const columns = [
    texts.browser,
    texts.address,
    texts.registrar,
    texts.factor,
    texts.begun,
    texts.lastSeen,
    texts.end,
  ];
  const rows = sessions.map(({ id, userAgent, address, registrarName, factor, createdAt, lastSeenAt }) => {
    const browser = browserName(userAgent) || texts.unknownBrowser;
    const end = html`<form method="post" action="${consoleAddress('/account/sessions/end')}"><button class="plain" name="session" value="${id}">${texts.end}<span class="hidden"> ${texts.endNamed(browser)}</span></button></form>`;
    return [
      browser,
      address,
      isolated(registrarName),
      texts.factors[factor],
      momentIn(lang, createdAt, policy),
      momentIn(lang, lastSeenAt, policy),
      id === current.id ? texts.thisOne : end,
    ];
  });
  return table({ label: texts.sessions, columns: columns.map((title) => ({ title })) }, rows);
}
