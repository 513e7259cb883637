import { findLastRequest, type UserRequest } from '../../../registry/certificates/certificate-requests.ts';
import { type ListedCertificate, listCertificates } from '../../../registry/certificates/certificates.ts';
import { findRegistrarUser, type RegistrarUser } from '../../../registry/users/registrar-users.ts';
import { isUsername } from '../../../registry/users/user-rules.ts';
import { selectField } from '../../html/choices.ts';
import { field } from '../../html/form.ts';
import { momentIn } from '../../html/language.ts';
import { type Html, html } from '../../html/layout.ts';
import { table } from '../../html/table.ts';
import {
  type ConsoleParts,
  consoleAddress,
  definePage,
  type PageInput,
  type RefusedForm,
  type View,
  type Visit,
} from '../console-page.ts';
import { accessTexts } from './access-texts.ts';
import { userRolesField } from './user-roles.ts';

export type ShownUser = {
  readonly user: RegistrarUser;
  readonly certificates: readonly ListedCertificate[];
  readonly request: UserRequest | undefined;
};

/** One API user: roles, password, access, certificates. */
export const userPage = definePage({
  path: '/access/users/:user',
  right: 'access',
  load: loadUser,
  view: userView,
});

/** Undefined for a user of another registrar. */
export async function loadUser(
  { database: { reads } }: ConsoleParts,
  { session: { registrarId, registrarCode: registrar }, now }: Visit,
  { params: { user: username = '' } }: PageInput,
): Promise<ShownUser | undefined> {
  const user = isUsername(username) ? await findRegistrarUser(reads, registrarId, username, now) : undefined;
  return (
    user && {
      user,
      certificates: await listCertificates(reads, now, { user: username, registrar }),
      request: await findLastRequest(reads, registrarId, username),
    }
  );
}

export const userAddress = (username: string, change = ''): string =>
  consoleAddress(`/access/users/${encodeURIComponent(username)}${change}`);

function userView(shown: ShownUser, visit: Visit, parts: ConsoleParts, refused: RefusedForm): View {
  const texts = accessTexts(visit.lang);
  const { username, roles, status, lastLogin } = shown.user;
  return {
    title: username,
    body: html`<h1>${username}</h1>
<dl class="facts"><div><dt>${texts.status}</dt><dd>${texts.statuses[status]}</dd></div>
<div><dt>${texts.lastLogin}</dt><dd>${lastLogin ? momentIn(visit.lang, lastLogin, parts.policy) : texts.never}</dd></div></dl>
<form method="post" action="${userAddress(username, '/roles')}">
${userRolesField(visit.lang, roles, refused)}<p><button>${texts.saveRoles}</button></p>
</form>
<h2>${texts.password}</h2>
${passwordForms(shown.user, visit, parts)}<h2>${texts.access}</h2>
${button(userAddress(username, status === 'active' ? '/disable' : '/enable'), status === 'active' ? texts.disable : texts.enable)}<h2>${texts.certificates}</h2>
${certificatesTable(shown.certificates, visit, parts)}${requestForm(shown, visit, parts, refused)}<p><a href="${consoleAddress('/access')}">${texts.back}</a></p>
`,
  };
}

const button = (address: string, text: string): Html =>
  html`<form method="post" action="${address}"><p><button>${text}</button></p></form>\n`;

function passwordForms(
  { username, oldPasswordUntil }: RegistrarUser,
  { lang }: Visit,
  { policy }: ConsoleParts,
): Html {
  const texts = accessTexts(lang);
  return html`${
    oldPasswordUntil &&
    html`<p>${texts.oldUntil} ${momentIn(lang, oldPasswordUntil, policy)}.</p>\n${button(userAddress(username, '/drop-old-password'), texts.dropOld)}`
  }<p>${texts.passwordLead}</p>
<form method="post" action="${userAddress(username, '/password')}">
${selectField({ name: 'old', label: texts.keepOld, value: 'day', choices: texts.keepOldChoices })}<p><button>${texts.newPassword}</button></p>
</form>
`;
}

function certificatesTable(
  certificates: readonly ListedCertificate[],
  { lang }: Visit,
  { policy }: ConsoleParts,
): Html {
  const texts = accessTexts(lang);
  if (certificates.length === 0) return html`<p>${texts.noCertificates}</p>\n`;
  const columns = [texts.serial, texts.status, texts.validUntil, texts.download, texts.revoke];
  const rows = certificates.map(({ serial, status, validUntil }) => {
    const address = consoleAddress(`/access/certificates/${serial}`);
    return [
      html`<code class="digest">${serial}</code>`,
      texts.certificateStatuses[status],
      momentIn(lang, validUntil, policy),
      html`<a href="${address}">${texts.download}<span class="hidden"> ${serial}</span></a>`,
      status === 'valid' &&
        html`<a href="${address}/revoke">${texts.revoke}<span class="hidden"> ${serial}</span></a>`,
    ];
  });
  return table({ label: texts.certificates, columns: columns.map((title) => ({ title })) }, rows);
}

function requestForm(
  { user: { username }, request }: ShownUser,
  { lang }: Visit,
  { policy }: ConsoleParts,
  refused: RefusedForm,
): Html {
  const texts = accessTexts(lang);
  if (request?.outcome === null)
    return html`<p>${texts.waits} ${momentIn(lang, request.since, policy)}.</p>
${button(userAddress(username, '/withdraw-request'), texts.withdraw)}`;
  return html`${request?.outcome === 'refused' && html`<p>${texts.refused(request.reason ?? '')}</p>\n`}<form method="post" action="${userAddress(username, '/request')}">
${field({
  name: 'request',
  label: texts.request,
  hint: texts.requestHint(username),
  lines: 8,
  value: refused.value('request'),
  fault: refused.fault('request'),
  maxLength: 20_000,
  autocomplete: 'off',
})}<p><button>${texts.requestButton}</button></p>
</form>
`;
}
