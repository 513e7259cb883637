import { html } from '../../html/layout.ts';
import { englishMessages } from './english-messages.ts';
import { englishSituations } from './english-situations.ts';
import type { LookupTexts } from './lookup-texts.ts';

export const english: LookupTexts = {
  lookUp: 'Look up a domain',
  registrars: 'Registrars',
  heading: 'Look up a domain',
  lead: 'Find out whether a name is registered, until when, with which registrar, and how to reach its registrant.',
  nameLabel: 'Domain name',
  nameHint: (zone) => `Such as example.${zone}`,
  search: 'Look up',
  title: (name) => `The domain ${name}`,
  unregistered: [
    (name) => `${name} is not registered`,
    'It can be registered with an accredited registrar.',
    'Accredited registrars',
  ],
  blocked: [(name) => `${name} is not available`, 'Nobody can register this name.'],
  zone: [
    (name) => `${name} is a zone of this registry`,
    'Domains are registered below it. The zone itself belongs to nobody.',
  ],
  invalid: [
    'There can be no domain of this name here',
    (zones) =>
      `A domain of this registry has one name of at most 63 letters, digits and hyphens, without a hyphen at its beginning or end, before one of these zones: ${zones}.`,
  ],
  didYouMean: [
    (name) => `Did you mean ${name}?`,
    (zones) => `Domains of this registry are one name before one of these zones: ${zones}.`,
    (name) => `Look up ${name}`,
  ],
  inDns: (ascii) => html`In the DNS: ${ascii}`,
  situations: englishSituations,
  disputedDeletion:
    'There is a dispute about the name: after that only the party that wins it can register it.',
  dates: {
    heading: 'Dates',
    registered: 'Registered',
    changed: 'Last changed',
    transferred: 'Last transferred',
    expires: 'Paid until',
    outzone: 'Leaves the zone',
    deletion: 'Deletion',
  },
  statusHeading: 'Status',
  registrar: {
    heading: 'Registrar',
    name: 'Name',
    website: 'Website',
    phone: 'Phone',
    abuse: 'To report abuse',
    notGiven: 'Turn to the registrar',
  },
  contacts: {
    heading: 'Registrant and contacts',
    roles: { registrant: 'Registrant', admin: 'Administrative contact', tech: 'Technical contact' },
    fields: {
      code: 'Code',
      name: 'Name',
      ident: 'Registry code',
      country: 'Country',
      email: 'E-mail',
      phone: 'Phone',
      address: 'Address',
    },
    hiddenPerson: 'Private person, not shown',
    hiddenOrganisation: 'Organisation, not shown',
    omitted: 'Contacts of whom nothing may be shown are left out.',
    write: 'Write to the registrant',
    writeHint: 'The e-mail address is not shown. The registry can forward a message.',
  },
  nameservers: {
    heading: 'Nameservers',
    host: 'Name',
    addresses: 'Addresses',
    none: 'The domain has no nameservers.',
    notDelegated: 'They are not published at the moment.',
  },
  dnssec: {
    heading: 'DNSSEC',
    signed: 'The domain is signed with these keys.',
    unsigned: 'The domain is not signed.',
    unpublished: 'The domain is not signed: keys are given, but not published at the moment.',
    columns: ['Key tag', 'Algorithm', 'Digest type', 'Digest'],
  },
  registrarList: {
    heading: 'Accredited registrars',
    lead: 'Domains are registered, renewed and changed with one of these registrars.',
    label: 'Name of the registrar',
    search: 'Search',
    columns: ['Registrar', 'Website', 'Phone'],
    none: (text) => `No accredited registrar has “${text}” in its name.`,
    all: 'All registrars',
  },
  message: englishMessages,
  back: 'Look up a domain',
  notice: {
    unknown: [
      'There is nothing here',
      'If you came by a link from a mail: please check that you opened the whole link. Old links no longer work.',
    ],
    notUnderstood: ['The form was not understood', 'Nothing was sent. Please go back and try again.'],
    foreign: [
      'The form came from another site',
      'Nothing was sent. Please open the page here and fill in the form again.',
    ],
    tooMany: ['Too many look-ups', 'Too many came from your network. Please wait a minute and try again.'],
    otherMethod: ['This page cannot be called like that', 'Nothing was changed. Please open it by its link.'],
    noMessages: [
      'Messages cannot be sent at the moment',
      'The registry is under maintenance. Please try again in a few minutes.',
    ],
    unavailable: ['The registry cannot be reached at the moment', 'Please try again in a few minutes.'],
    fault: ['Something went wrong', 'The mistake is ours and has been written down. Please try again later.'],
  },
};
