import type { Policy } from '../../../policy/policy.ts';
import type { LookUp } from '../../../registry/lookup/look-up-domain.ts';
import { type DomainName, parseDomainName } from '../../../registry/names/name.ts';
import { html } from '../../html/layout.ts';
import { domainPage } from './looked-up-domain.ts';
import { framed, type LookupSetting, lookupAddress, nameSearch, textsIn } from './lookup-frame.ts';

/** The search box alone. */
export function searchPage(setting: LookupSetting): string {
  const { heading, lead } = textsIn(setting.lang);
  const body = html`<p class="lead">${lead}</p>\n${nameSearch('', setting)}`;
  return framed({ title: heading, heading, body }, setting);
}

export type AnswerPage = { readonly status: 200 | 400 | 404; readonly page: string };

/** What a look-up found. */
export function answerPage(found: LookUp, asked: string, setting: LookupSetting): AnswerPage {
  const texts = textsIn(setting.lang);
  if (found.result === 'registered') return { status: 200, page: domainPage(found.domain, setting) };
  if (found.result === 'unregistered') {
    const [heading, advice, link] = texts.unregistered;
    const registrars = html`<p><a href="${lookupAddress('/registrars', setting.lang)}">${link}</a></p>`;
    return {
      status: 404,
      page: plain(heading(found.name.unicode), advice, found.name.unicode, setting, registrars),
    };
  }
  if (found.result === 'blocked') {
    const [heading, advice] = texts.blocked;
    return { status: 404, page: plain(heading(found.name.unicode), advice, found.name.unicode, setting) };
  }
  if (found.result === 'zone') {
    const [heading, advice] = texts.zone;
    return { status: 200, page: plain(heading(asked.toLowerCase()), advice, asked, setting) };
  }
  const zones = setting.policy.zones.map(({ origin }) => `.${origin}`).join(', ');
  const meant = meantName(asked, setting.policy)?.unicode;
  if (meant === undefined) {
    const [heading, advice] = texts.invalid;
    return { status: 400, page: plain(heading, advice(zones), asked, setting) };
  }
  const [heading, advice, link] = texts.didYouMean;
  const suggestion = html`<p><a class="go" href="${lookupAddress('', setting.lang, { name: meant })}">${link(meant)}</a></p>`;
  return { status: 400, page: plain(heading(meant), advice(zones), asked, setting, suggestion) };
}

function plain(
  heading: string,
  advice: string,
  asked: string,
  setting: LookupSetting,
  further: ReturnType<typeof html> | false = false,
): string {
  const body = html`<p class="lead">${advice}</p>\n${further}${nameSearch(asked, setting)}`;
  return framed({ title: heading, heading, body, query: { name: asked } }, setting);
}

/** The domain in the address of a page, of a mailbox or of a host, or the label without its zone. */
export function meantName(asked: string, policy: Policy): DomainName | undefined {
  const host = asked
    .trim()
    .toLowerCase()
    .replace(/^[a-z]{1,10}:\/\//, '')
    .split(/[/?#:]/, 1)[0]
    ?.split('@')
    .at(-1)
    ?.replace(/\.$/, '');
  if (!host) return undefined;
  const labels = host.split('.');
  if (labels.length === 1) return parseDomainName(`${host}.${policy.zones[0]?.origin ?? ''}`, policy);
  const candidates = labels.map((_, from) => labels.slice(from).join('.'));
  return candidates.map((candidate) => parseDomainName(candidate, policy)).find((name) => name !== undefined);
}
