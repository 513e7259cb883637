import type { Policy } from '../../../policy/policy.ts';
import { identTypes } from '../../../registry/contacts/ident.ts';
import { type Html, html } from '../../html/layout.ts';
import { isolated, shortDayIn, shortDayOf } from '../../html/language.ts';
import type { Visit } from '../console-page.ts';
import { type FieldTexts, fieldTexts, type HistoryField, type InternalField } from './field-texts.ts';
import {
  addressItem,
  type Item,
  keyItem,
  listOf,
  nameserverItem,
  statusItems,
  textItem,
  writtenItem,
} from './field-items.ts';
import { contactFormTexts } from '../contacts/contact-form-texts.ts';
import { identText } from '../contacts/contact-query.ts';
import { contactAddress } from '../domains/domain-columns.ts';

/** What the words of a field depend on. */
export type FieldReader = {
  readonly visit: Visit;
  readonly policy: Policy;
  readonly contactNames: ReadonlyMap<string, string>;
  /** The operation is named after it. */
  readonly toldStatus: string | undefined;
};

type Snapshot = Readonly<Record<string, unknown>>;
/** One value, or a list of which items are added and removed. */
type Telling =
  | { readonly one: (value: unknown, reader: FieldReader) => Item }
  | { readonly items: (value: unknown, reader: FieldReader) => readonly Item[] };

const TEXT: Telling = { one: textItem };
const CONTACTS: Telling = {
  items: (value, reader) => listOf(value).map((code) => contactItem(code, reader)),
};

const TELLINGS: Readonly<Record<Exclude<HistoryField, InternalField | 'force_delete'>, Telling>> = {
  name: TEXT,
  registrant: { one: contactItem },
  expire_time: { one: timeItem },
  outzone_at: { one: timeItem },
  delete_date: { one: dayItem },
  statuses: {
    items: (value, { visit, toldStatus }) => statusItems(value, toldStatus, visit.lang),
  },
  admin_contacts: CONTACTS,
  tech_contacts: CONTACTS,
  nameservers: { items: (value) => listOf(value).map(nameserverItem) },
  dnssec_keys: { items: (value) => listOf(value).map(keyItem) },
  code: TEXT,
  email: TEXT,
  phone: TEXT,
  ident: { one: identItem },
  address: { one: (value, { visit }) => addressItem(value, visit.lang) },
  disclosed_attributes: {
    items: (value, { visit }) => {
      const { attributes } = contactFormTexts(visit.lang);
      const words: Readonly<Record<string, string>> = attributes;
      return listOf(value).map((name) => textItem(words[String(name)] ?? name));
    },
  },
  copy_of: TEXT,
};
const INTERNAL: readonly InternalField[] = ['hold_causes'];
const isInternal = (name: string): boolean => INTERNAL.some((known) => known === name);

/** What was changed of an object that was there before and after, a sentence for each field. */
export function changedFields(before: Snapshot | null, after: Snapshot | null, reader: FieldReader): Html[] {
  if (!before || !after) return [];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((name) => !isInternal(name) && JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .flatMap((name) =>
      name === 'force_delete'
        ? forceDeleteSentences(before[name], after[name], reader)
        : sentences(name, before[name], after[name], reader),
    );
}

function sentences(name: string, before: unknown, after: unknown, reader: FieldReader): Html[] {
  const texts = fieldTexts(reader.visit.lang);
  // Of a later version.
  if (!Object.hasOwn(TELLINGS, name))
    return oneSentence(html`<code>${name}</code>`, writtenItem(before), writtenItem(after), texts);
  const known = name as keyof typeof TELLINGS;
  const telling = TELLINGS[known];
  const label = html`${texts.names[known]}`;
  if ('items' in telling)
    return listSentence(label, telling.items(before, reader), telling.items(after, reader), texts);
  const item = (value: unknown) =>
    value === undefined || value === null ? undefined : telling.one(value, reader);
  return oneSentence(label, item(before), item(after), texts);
}

function oneSentence(
  label: Html,
  before: Item | undefined,
  after: Item | undefined,
  { noValue }: FieldTexts,
): Html[] {
  if (before?.key === after?.key) return [];
  if (!before) return [html`${label}: ${after?.shown}`];
  return [html`${label}: ${before.shown} → ${after ? after.shown : noValue}`];
}

function listSentence(
  label: Html,
  before: readonly Item[],
  after: readonly Item[],
  { added, removed }: FieldTexts,
): Html[] {
  const not = (items: readonly Item[], others: readonly Item[]) =>
    items.filter(({ key }) => !others.some((other) => other.key === key));
  const parts = [[added, not(after, before)] as const, [removed, not(before, after)] as const].filter(
    ([, items]) => items.length > 0,
  );
  if (parts.length === 0) return [];
  return [
    html`${label}: ${parts.map(
      ([word, items], at) =>
        html`${at > 0 && '; '}${word} ${items.map(({ shown }, index) => html`${index > 0 && ', '}${shown}`)}`,
    )}`,
  ];
}

/** Its dates and its reason; what it has done to the statuses stands there. */
function forceDeleteSentences(before: unknown, after: unknown, reader: FieldReader): Html[] {
  const { lang } = reader.visit;
  const texts = fieldTexts(lang);
  const [was, is] = [membersOf(before), membersOf(after)];
  const tellings = { kind: kindItem, reason: textItem, start: dayItem, date: dayItem } as const;
  return (Object.keys(tellings) as (keyof typeof tellings)[]).flatMap((name) => {
    const item = (value: unknown) =>
      value === undefined || value === null ? undefined : tellings[name](value, reader);
    return oneSentence(html`${texts.forceDelete[name]}`, item(was[name]), item(is[name]), texts);
  });
}

const membersOf = (value: unknown): Snapshot =>
  typeof value === 'object' && value !== null ? (value as Snapshot) : {};

function kindItem(value: unknown, { visit }: FieldReader): Item {
  const { kinds } = fieldTexts(visit.lang);
  const words: Readonly<Record<string, string | undefined>> = kinds;
  return textItem(words[String(value)] ?? value);
}

/** By its name, where the registrar still has the contact. */
function contactItem(value: unknown, { contactNames }: FieldReader): Item {
  const code = String(value);
  const name = contactNames.get(code);
  const shown =
    name === undefined
      ? isolated(code)
      : html`<a href="${contactAddress(code)}">${isolated(name)}</a> (${isolated(code)})`;
  return { key: code, shown };
}

function timeItem(value: unknown, { visit, policy }: FieldReader): Item {
  const at = new Date(String(value));
  return Number.isNaN(at.getTime())
    ? textItem(value)
    : { key: at.toISOString(), shown: shortDayIn(visit.lang, at, policy) };
}

function dayItem(value: unknown, { visit }: FieldReader): Item {
  const day = String(value);
  return /^\d{4}-\d\d-\d\d$/.test(day) ? { key: day, shown: shortDayOf(visit.lang, day) } : textItem(value);
}

function identItem(value: unknown, { visit }: FieldReader): Item {
  const { code, type, country_code: countryCode } = membersOf(value);
  const key = JSON.stringify(value);
  const known = identTypes.find((one) => one === type);
  if (typeof code !== 'string' || !known || typeof countryCode !== 'string')
    return { key, shown: visit.may('objects') ? html`${key}` : html`${fieldTexts(visit.lang).masked}` };
  return { key, shown: isolated(identText({ ident: code, type: known, countryCode }, visit)) };
}
