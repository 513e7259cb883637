/**
 * Which page of the guide explains what one looks at: files of the documentation, with an anchor where a part of the page
 * does. A test compares them with the pages that there are.
 */
export const GUIDE_LINKS = {
  /** By API, then by the group of its calls; the first one explains the API as a whole. */
  apis: {
    registrar: {
      '': 'docs/integrate/rest.md',
      Billing: 'docs/integrate/money.md',
      'Poll messages': 'docs/integrate/messages.md',
      'Event feed': 'docs/integrate/messages.md',
      Webhooks: 'docs/integrate/webhooks.md',
      Contacts: 'docs/integrate/contacts.md',
      Domains: 'docs/integrate/domains.md',
      Nameservers: 'docs/integrate/domain-changes.md',
      DNSSEC: 'docs/integrate/domain-changes.md',
      Statuses: 'docs/integrate/domain-changes.md',
      Transfers: 'docs/integrate/transfers.md',
      'Bulk actions': 'docs/integrate/transfers.md',
    },
    reservation: { '': 'docs/integrate/reservation-api.md' },
    billing: { '': 'docs/integrate/billing.md' },
  },
  /** By the beginning of the path below /console: the longest that fits. */
  console: {
    '': 'docs/integrate/console.md',
    '/account': 'docs/integrate/console.md#logging-in',
    '/balance': 'docs/integrate/money.md#balance',
    '/bulk': 'docs/integrate/console.md#bulk-changes',
    '/domains': 'docs/integrate/console.md#changing-something',
    '/jobs': 'docs/integrate/console.md#bulk-changes',
    '/contacts': 'docs/integrate/contacts.md',
    '/invoices': 'docs/integrate/money.md#invoices',
    '/messages': 'docs/integrate/messages.md#poll-messages',
    '/people': 'docs/integrate/console.md#roles',
    '/webhooks': 'docs/integrate/webhooks.md',
  },
  /** Each refusal has its name as an anchor. */
  refusals: 'docs/integrate/errors.md',
} as const;

const GUIDE = '/guide';

/** Where a file of the documentation is shown. A README.md is the page of its folder. */
export function guideAddress(file: string): string {
  const [path = '', anchor] = file.split('#', 2);
  const place = path.includes('/') ? path.replace(/^docs\//, '') : path.toLowerCase();
  const shown = place.replace(/(^|\/)README\.md$/, '').replace(/\.md$/, '');
  return `${GUIDE}${shown && '/'}${shown}${anchor === undefined ? '' : `#${anchor}`}`;
}

const APIS: Readonly<Record<string, Readonly<Record<string, string>>>> = GUIDE_LINKS.apis;

/** What explains the calls of a group, or an API as a whole. */
export function guideOfApi(api: string, group = ''): string | undefined {
  const file = APIS[api]?.[group] ?? APIS[api]?.[''];
  return file === undefined ? undefined : guideAddress(file);
}

/** The path of what explains each API as a whole. */
export const GUIDE_OF_APIS = {
  registrar: guideAddress(GUIDE_LINKS.apis.registrar['']),
  reservation: guideAddress(GUIDE_LINKS.apis.reservation['']),
  billing: guideAddress(GUIDE_LINKS.apis.billing['']),
} as const;

/** What explains a page of the console. */
export function guideOfConsole(path: string): string {
  const [, file] = Object.entries(GUIDE_LINKS.console)
    .filter(([start]) => path.startsWith(start))
    .reduce((best, each) => (each[0].length > best[0].length ? each : best));
  return guideAddress(file);
}

/** What explains a refusal, by its name. */
export const guideOfRefusal = (reason: string): string => `${guideAddress(GUIDE_LINKS.refusals)}#${reason}`;
