import { type Html, html } from '../../html/layout.ts';
import { consoleAddress, type Visit } from '../console-page.ts';
import { bulkTexts } from './bulk-texts.ts';

/** From a list of domains to what can be done with all of them; the parameters are those of the list. */
export function bulkLinks(parameters: Readonly<Record<string, string>>, { lang }: Visit): Html {
  const { links } = bulkTexts(lang);
  const shown = [
    ['/bulk/renew', links.renew],
    ['/bulk/nameservers', links.nameserver],
    ['/bulk/tech-contact', links.tech],
  ] as const;
  return html`<nav aria-label="${links.label}"><ul class="actions">${shown.map(
    ([path, text]) =>
      html`<li><a href="${consoleAddress(path, { ...parameters, list: '1' })}">${text}</a></li>`,
  )}</ul></nav>
`;
}
