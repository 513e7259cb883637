import type { SchemaNode } from '../../http/validation.ts';
import { isMembers, mapAt, valueAt, without } from './body-paths.ts';

type Members = Readonly<Record<string, unknown>>;

/** What the incumbent takes and this API has no use for, and what this API takes and the incumbent does not know. */
const DISCARDED = [
  'locale',
  'legal_document',
  'contact.addr',
  'contact.legal_document',
  'domain.legal_document',
  'contact.reference',
  'domain.reference',
];

/**
 * The object in which the members of a body may also come without it, and which of them. Others that are not in their
 * object are not seen by the incumbent either.
 */
const WRAPPED: Readonly<Record<string, { readonly name: string; readonly members: readonly string[] }>> = {
  createContact: { name: 'contact', members: ['id', 'name', 'email', 'phone', 'ident'] },
  updateContact: { name: 'contact', members: ['name', 'email', 'phone', 'ident'] },
  createDomain: {
    name: 'domain',
    members: [
      'name',
      'period',
      'period_unit',
      'transfer_code',
      'nameservers_attributes',
      'dnskeys_attributes',
    ],
  },
  updateDomain: { name: 'domain', members: ['transfer_code'] },
  acknowledgeNotification: { name: 'notification', members: ['read'] },
  transferDomain: { name: 'transfer', members: ['transfer_code'] },
};

/** A body that is no object has no members for the incumbent. */
export const objectOf = (body: unknown): unknown => (body === undefined || isMembers(body) ? body : {});

/** Members outside of their object as members of it. */
export function withWrapper(call: string, body: unknown): unknown {
  const wrapper = WRAPPED[call];
  if (!wrapper || !isMembers(body) || Object.hasOwn(body, wrapper.name)) return body;
  const isInner = ([name]: [string, unknown]) => wrapper.members.includes(name);
  const entries = Object.entries(body);
  const outer = entries.filter((entry) => !isInner(entry));
  return { ...Object.fromEntries(outer), [wrapper.name]: Object.fromEntries(entries.filter(isInner)) };
}

/** The body without what has no counterpart here; the names of that are added. */
export function withoutDiscarded(body: unknown, discarded: Set<string>): unknown {
  return DISCARDED.reduce((value, name) => {
    const rest = without(value, name.split('.'));
    if (rest !== value) discarded.add(name);
    return rest;
  }, body);
}

/** The lists in which the incumbent passes over items that it cannot use. */
const PASSED_OVER: Readonly<
  Record<string, { readonly path: string; readonly isUsed: (item: Members) => boolean }>
> = {
  addDomainContacts: { path: 'contacts', isUsed: ({ type }) => isRole(type) },
  removeDomainContacts: { path: 'contacts', isUsed: ({ type }) => isRole(type) },
  updateDomain: { path: 'domain.contacts', isUsed: ({ type }) => isRole(type) },
  addNameservers: { path: 'nameservers', isUsed: hasHostname },
  createDomain: { path: 'domain.nameservers_attributes', isUsed: hasHostname },
};

/** Another text than the two roles; what is missing or no text is refused. */
const isRole = (type: unknown): boolean => typeof type !== 'string' || ['admin', 'tech', ''].includes(type);
function hasHostname({ hostname }: Members): boolean {
  return hostname !== '';
}

/** Calls whose whole change is the list. */
const LISTS_ALONE = new Set(['addDomainContacts', 'removeDomainContacts', 'addNameservers']);

/** The body without the items that the incumbent passes over, and whether nothing is left to do. */
export function withoutUnused(
  call: string,
  body: unknown,
  discarded: Set<string>,
): { readonly body: unknown; readonly isEmptied: boolean } {
  const rule = PASSED_OVER[call];
  if (!rule) return { body, isEmptied: false };
  let isEmptied = false;
  const kept = mapAt(body, rule.path.split('.'), (list) => {
    if (!Array.isArray(list)) return list;
    const used = list.filter((item) => !isMembers(item) || rule.isUsed(item));
    if (used.length < list.length) {
      discarded.add(rule.path);
      isEmptied = used.length === 0;
    }
    return used;
  });
  return { body: kept, isEmptied: isEmptied && LISTS_ALONE.has(call) };
}

/** The body without members that the schema does not know, without nulls and, in domains, without blank texts. */
export function withoutUnknown(
  value: unknown,
  schema: SchemaNode | undefined,
  discarded: Set<string>,
  path = '',
): unknown {
  if (Array.isArray(value)) {
    const items = schema?.items as SchemaNode | undefined;
    return value.map((item) => withoutUnknown(item, items, discarded, path));
  }
  if (!isMembers(value) || !schema?.properties) return value;
  const properties = schema.properties as Readonly<Record<string, SchemaNode>>;
  const required = (schema.required ?? []) as readonly string[];
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => {
      const here = path === '' ? name : `${path}.${name}`;
      if (!Object.hasOwn(properties, name)) {
        discarded.add(here);
        return [];
      }
      const isAbsent = item === null && !required.includes(name);
      return isAbsent ? [] : [[name, withoutUnknown(item, properties[name], discarded, here)]];
    }),
  );
}

/** Members that forms of a portal send empty. */
const BLANK = ['domain.reserved_pw', 'domain.transfer_code'];
const BLANK_ITEMS = [
  'domain.admin_contacts',
  'domain.tech_contacts',
  'domain.nameservers_attributes.*.ipv4',
  'domain.nameservers_attributes.*.ipv6',
  'domain.nameservers.*.ipv4',
  'domain.nameservers.*.ipv6',
  'nameservers.*.ipv4',
  'nameservers.*.ipv6',
  'data.attributes.ipv4',
  'data.attributes.ipv6',
];

/** An empty text is as good as none. */
export function withoutBlanks(body: unknown): unknown {
  const isBlank = (value: unknown) => value === '';
  const filled = BLANK_ITEMS.reduce(
    (value, path) =>
      mapAt(value, path.split('.'), (list) =>
        Array.isArray(list) ? list.filter((item) => !isBlank(item)) : list,
      ),
    body,
  );
  return BLANK.reduce((value, path) => {
    const [object = '', name = ''] = path.split('.');
    return mapAt(value, [object], (members) =>
      isMembers(members) && isBlank(members[name]) ? without(members, [name]) : members,
    );
  }, filled);
}

const CONTACT_CALLS = new Set(['createContact', 'updateContact']);
const CONTACT_TEXTS = ['id', 'name', 'email', 'phone'];

/** In contacts a number is a text; what is neither is passed over in an update, and missing in a new contact. */
export function withScalars(call: string, body: unknown, discarded: Set<string>): unknown {
  if (!CONTACT_CALLS.has(call)) return body;
  const asText = (value: unknown) => (typeof value === 'number' ? String(value) : value);
  const texts = CONTACT_TEXTS.reduce((value, name) => mapAt(value, ['contact', name], asText), body);
  const numbered = mapAt(texts, ['contact', 'ident', 'ident'], asText);
  if (call === 'createContact') return numbered;
  return CONTACT_TEXTS.reduce((value, name) => {
    const given = valueAt(value, ['contact', name]);
    if (typeof given !== 'object' || given === null) return value;
    discarded.add(`contact.${name}`);
    return without(value, ['contact', name]);
  }, numbered);
}

const MAX_NAMES = 20;

/** The names for a header, which cannot hold every character. */
export const headerOf = (discarded: ReadonlySet<string>): string =>
  [...discarded]
    .slice(0, MAX_NAMES)
    .map((name) => name.slice(0, 100).replace(/[^\w.[\]-]/g, '?'))
    .join(', ');
