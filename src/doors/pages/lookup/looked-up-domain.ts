import { addressLine } from '../../../registry/contacts/postal-address.ts';
import type { DisclosedContact } from '../../../registry/lookup/disclosure.ts';
import type { ShownDomain } from '../../../registry/lookup/look-up-domain.ts';
import { factList } from '../../html/fact-list.ts';
import { countryIn, isolated, timeIn } from '../../html/language.ts';
import { type Html, type HtmlValue, html } from '../../html/layout.ts';
import { statusList, wordsOf } from '../../html/status-texts.ts';
import { table } from '../../html/table.ts';
import { situationBox, situationDetails } from './domain-situation.ts';
import {
  framed,
  type LookupSetting,
  lookupAddress,
  mailLink,
  nameSearch,
  phoneLink,
  siteLink,
  textsIn,
} from './lookup-frame.ts';

/** A registered domain, for people. */
export function domainPage(domain: ShownDomain, setting: LookupSetting): string {
  const texts = textsIn(setting.lang);
  const { name, asciiName } = domain;
  const body = html`${asciiName !== name && html`<p class="ascii">${texts.inDns(html`<code>${asciiName}</code>`)}</p>\n`}${situationBox(domain, setting)}
<h2>${texts.dates.heading}</h2>
${dates(domain, setting)}<h2>${texts.statusHeading}</h2>
${statusList(domain.statuses, (status) => wordsOf(setting.lang, status))}<h2>${texts.registrar.heading}</h2>
${registrarFacts(domain, setting)}<h2>${texts.contacts.heading}</h2>
${contacts(domain, setting)}<h2>${texts.nameservers.heading}</h2>
${nameservers(domain, setting)}<h2>${texts.dnssec.heading}</h2>
${dnssec(domain, setting)}<div class="again">${nameSearch(name, setting)}</div>`;
  return framed({ title: texts.title(name), heading: isolated(name), body, query: { name } }, setting);
}

function dates(domain: ShownDomain, setting: LookupSetting): Html {
  const { lang, policy } = setting;
  const { dates: labels } = textsIn(lang);
  const { outzone, deletion } = situationDetails(domain, setting);
  const time = (text: string | null) => text !== null && timeIn(lang, new Date(text), policy);
  return factList([
    [labels.registered, time(domain.createdAt)],
    [labels.changed, domain.updatedAt !== domain.createdAt && time(domain.updatedAt)],
    [labels.transferred, time(domain.transferredAt)],
    [labels.expires, time(domain.expireTime)],
    [labels.outzone, outzone !== undefined && time(domain.outzoneAt)],
    [
      labels.deletion,
      deletion !== undefined && html`<time datetime="${domain.deleteDate}">${deletion}</time>`,
    ],
  ]);
}

function registrarFacts({ registrar }: ShownDomain, { lang }: LookupSetting): Html {
  const { registrar: labels } = textsIn(lang);
  const { abuseEmail, abusePhone } = registrar;
  const abuse = [
    abuseEmail !== null && mailLink(abuseEmail),
    abusePhone !== null && phoneLink(abusePhone),
  ].filter((each) => each !== false);
  return factList([
    [labels.name, isolated(registrar.name)],
    [labels.website, registrar.website !== '' && siteLink(registrar.website)],
    [labels.phone, registrar.phone !== null && phoneLink(registrar.phone)],
    [
      labels.abuse,
      abuse.length > 0
        ? abuse.map((each, place) => html`${place > 0 && html`<br>`}${each}`)
        : labels.notGiven,
    ],
  ]);
}

function contacts(domain: ShownDomain, { lang }: LookupSetting): Html {
  const { contacts: texts } = textsIn(lang);
  const lists = domain.contacts.map(
    (contact) =>
      html`<h3>${texts.roles[contact.role]}</h3>\n${contactFacts(contact, lang)}${
        contact.role === 'registrant' &&
        contact.shown.email === undefined &&
        html`<p class="quiet">${texts.writeHint}</p>
<p><a class="go" href="${lookupAddress('/contact', lang, { name: domain.name })}">${texts.write}</a></p>\n`
      }`,
  );
  return html`${lists}${domain.omittedRoles.length > 0 && html`<p class="quiet">${texts.omitted}</p>\n`}`;
}

function contactFacts({ kind, shown }: DisclosedContact, lang: LookupSetting['lang']): Html {
  const { contacts: texts } = textsIn(lang);
  const { fields: labels } = texts;
  const address = shown.address ?? undefined;
  const facts: readonly (readonly [string, HtmlValue])[] = [
    [
      labels.name,
      shown.name !== undefined
        ? isolated(shown.name)
        : kind === 'person'
          ? texts.hiddenPerson
          : texts.hiddenOrganisation,
    ],
    [labels.ident, shown.ident?.ident],
    [labels.country, shown.country !== undefined && countryIn(lang, shown.country)],
    [labels.email, shown.email !== undefined && mailLink(shown.email)],
    [labels.phone, shown.phone !== undefined && phoneLink(shown.phone)],
    [labels.address, address && isolated(addressLine(address, countryIn(lang, address.countryCode)))],
  ];
  return factList(facts);
}

function nameservers({ nameservers: hosts, isDelegated }: ShownDomain, { lang }: LookupSetting): Html {
  const { nameservers: texts } = textsIn(lang);
  if (hosts.length === 0) return html`<p>${texts.none}</p>\n`;
  const rows = hosts.map(({ hostname, ipv4, ipv6 }) => [
    html`<code>${hostname}</code>`,
    ipv4.length + ipv6.length > 0 &&
      [...ipv4, ...ipv6].map((address, place) => html`${place > 0 && html`<br>`}<code>${address}</code>`),
  ]);
  return html`${!isDelegated && html`<p>${texts.notDelegated}</p>\n`}${table(
    { label: texts.heading, columns: [{ title: texts.host }, { title: texts.addresses }] },
    rows,
  )}`;
}

function dnssec({ dnsKeys, delegationSigners }: ShownDomain, { lang }: LookupSetting): Html {
  const { dnssec: texts } = textsIn(lang);
  if (dnsKeys.length === 0) return html`<p>${texts.unsigned}</p>\n`;
  if (delegationSigners.length === 0) return html`<p>${texts.unpublished}</p>\n`;
  const columns = texts.columns.map((title) => ({ title }));
  const rows = delegationSigners.map(({ keyTag, alg, digestType, digest }) => [
    keyTag,
    alg,
    digestType,
    html`<code class="digest">${digest}</code>`,
  ]);
  return html`<p>${texts.signed}</p>\n${table({ label: texts.heading, columns }, rows)}`;
}
