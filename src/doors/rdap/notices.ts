import type { Policy } from '../../policy/policy.ts';
import { type Addresses, type Notice, RDAP_TYPE } from './rdap-objects.ts';

/** The gTLD profile names this page; it explains the statuses of all registries. */
const STATUS_GLOSSARY = 'https://icann.org/epp';
const WEB_PAGE = 'text/html';

const TERMS = [
  'The registry publishes these data so that anybody can learn whether and how a domain is registered, and reach those responsible for it.',
  'They may not be used for unsolicited advertising, nor be collected in bulk. The number of look-ups is limited.',
];

/** The terms, with a link to the help, which has them in full. */
export const termsNotice = ({ base, asked }: Omit<Addresses, 'page'>): Notice => ({
  title: 'Terms of Service',
  description: TERMS,
  links: [{ value: asked, rel: 'terms-of-service', href: `${base}help`, type: RDAP_TYPE }],
});

export const statusNotice = ({ asked }: Pick<Addresses, 'asked'>): Notice => ({
  title: 'Status Codes',
  description: [`For more information on domain status codes, please visit ${STATUS_GLOSSARY}`],
  links: [{ value: asked, rel: 'glossary', href: STATUS_GLOSSARY, type: WEB_PAGE }],
});

/** What can be asked, for somebody who has found nothing but the base URL. */
export const helpNotices = (
  { base, asked }: Omit<Addresses, 'page'>,
  { zones, lookupsPerMinute }: Pick<Policy, 'zones'> & { readonly lookupsPerMinute: number },
): Notice[] => [
  termsNotice({ base, asked }),
  {
    title: 'Queries',
    description: [
      `Domains in ${zones.map(({ origin }) => origin).join(', ')}, in Unicode or as A-labels: ${base}domain/{name}`,
      `Registrars, by their code: ${base}entity/{handle}`,
      `Nameservers of domains in these zones: ${base}nameserver/{name}`,
      'Searches, IP networks and autonomous systems are not offered.',
    ],
    links: [{ value: asked, rel: 'alternate', href: `${base}dns.json`, type: 'application/json' }],
  },
  {
    title: 'Redaction',
    description: [
      'Natural persons are published by their consent only, organisations always. What is left out of an answer is listed in its member "redacted" (RFC 9537).',
      'Registrars with the credentials of their API users, and requesters with a token of the registry, see more.',
    ],
  },
  {
    title: 'Limits',
    description: [
      `${lookupsPerMinute} look-ups per minute and address, and ten times as many per network; above that the answer is 429 with the header Retry-After.`,
    ],
  },
];
