import type { PublicRegistrar } from '../../../registry/lookup/find-registrar.ts';
import { searchForm } from '../../html/form.ts';
import { isolated } from '../../html/language.ts';
import { html } from '../../html/layout.ts';
import { table } from '../../html/table.ts';
import { framed, type LookupSetting, lookupAddress, phoneLink, siteLink, textsIn } from './lookup-frame.ts';

/** The accredited registrars whose name holds the text. */
export function registrarsPage(
  registrars: readonly PublicRegistrar[],
  asked: string,
  setting: LookupSetting,
): string {
  const { lang } = setting;
  const { registrarList: texts } = textsIn(lang);
  const wanted = asked.trim().toLowerCase();
  const found = registrars.filter(({ name }) => name.toLowerCase().includes(wanted));
  const rows = found.map(({ name, website, phone }) => [
    isolated(name),
    website === '' ? '' : siteLink(website),
    phone === null ? '' : phoneLink(phone),
  ]);
  const form = searchForm({
    name: 'search',
    label: texts.label,
    value: asked,
    maxLength: 100,
    action: '/lookup/registrars',
    button: texts.search,
    hidden: { lang },
  });
  const body = html`<p class="lead">${texts.lead}</p>
${form}${
  rows.length > 0
    ? table({ label: texts.heading, columns: texts.columns.map((title) => ({ title })) }, rows)
    : html`<p>${texts.none(asked)}</p>\n`
}${wanted !== '' && html`<p><a href="${lookupAddress('/registrars', lang)}">${texts.all}</a></p>`}`;
  return framed(
    { title: texts.heading, heading: texts.heading, body, query: wanted === '' ? {} : { search: asked } },
    setting,
  );
}
