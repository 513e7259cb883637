/**
 * Which page of the guide explains what one looks at: files of the documentation, with an anchor where a part of the page
 * does. A test compares them with the pages that there are.
 */
export const GUIDE_LINKS = {
  /** By API, then by the group of its calls; the first one explains the API as a whole. */
  apis: {
    registrar: {
      '': 'docs/registrar-api.md',
      Billing: 'docs/registrar-api.md#invoices',
      'Poll messages': 'docs/registrar-api.md#poll-messages',
      'Event feed': 'docs/registrar-api.md#poll-messages',
      Webhooks: 'docs/webhooks.md',
      Contacts: 'docs/registrar-api.md#contacts',
      Domains: 'docs/registrar-api.md#domains',
      Nameservers: 'docs/registrar-api.md#nameservers',
      DNSSEC: 'docs/registrar-api.md#nameservers',
      Statuses: 'docs/registrar-api.md#nameservers',
      Transfers: 'docs/registrar-api.md#transfers',
      'Bulk actions': 'docs/registrar-api.md#transfers',
    },
    reservation: { '': 'docs/reservation-api.md' },
    billing: { '': 'docs/billing.md' },
  },
  /** By the beginning of the path below /console: the longest that fits. */
  console: {
    '': 'docs/console.md',
    '/account': 'docs/console.md#logging-in',
    '/bulk': 'docs/console.md#bulk-changes',
    '/contacts': 'docs/console.md#contacts',
    '/domains': 'docs/console.md#changing-something',
    '/messages': 'docs/console.md#messages',
    '/webhooks': 'docs/console.md#webhooks',
  },
  /** Each refusal has its name as an anchor. */
  refusals: 'docs/errors.md',
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

/** What explains a page of the console. */
export function guideOfConsole(path: string): string {
  const [, file] = Object.entries(GUIDE_LINKS.console)
    .filter(([start]) => path.startsWith(start))
    .reduce((best, each) => (each[0].length > best[0].length ? each : best));
  return guideAddress(file);
}

/** What explains a refusal, by its name. */
export const guideOfRefusal = (reason: string): string => `${guideAddress(GUIDE_LINKS.refusals)}#${reason}`;
