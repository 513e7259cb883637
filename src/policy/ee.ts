import { birthDayOf, isEstonianPersonalCode } from './estonian-personal-code.ts';
import type { DisclosureRules, Policy } from './policy.ts';

const ALL_SHOWN: DisclosureRules = {
  ...{ code: 'shown', name: 'shown', ident: 'shown', country: 'shown' },
  ...{ email: 'shown', phone: 'shown', address: 'shown' },
};
/** Persons are published by consent only. */
const BY_PREFERENCE: DisclosureRules = {
  ...{ code: 'hidden', name: 'preference', ident: 'hidden', country: 'hidden' },
  ...{ email: 'preference', phone: 'preference', address: 'preference' },
};
const NAMED: DisclosureRules = { ...BY_PREFERENCE, name: 'shown' };
/** Organisations are public. */
const IDENTIFIED: DisclosureRules = { ...NAMED, ident: 'shown', country: 'shown' };

/** Estonia. Another country provides a file like this one. */
export const ee: Policy = {
  country: 'EE',
  timeZone: 'Europe/Tallinn',
  currency: 'EUR',
  repositoryId: 'EE',
  reasons: [
    'registrar-request',
    'registrant-request',
    'court-order',
    'authority-order',
    'abuse',
    'wrong-data',
    'unpaid',
    'security',
    'technical',
    'mistake',
  ],
  zones: ['ee', 'com.ee', 'pri.ee', 'fie.ee', 'med.ee'].map((origin) => ({
    origin,
    suggest: true,
    // Fictitious, to be replaced by the registry's own.
    soa: {
      ...{ primary: 'ns1.registry.example', mailbox: 'hostmaster.registry.example' },
      ...{ refresh: 3_600, retry: 900, expire: 1_209_600, minimum: 3_600 },
    },
    nameservers: [{ hostname: 'ns1.registry.example' }, { hostname: 'ns2.registry.example' }],
    ttls: { apex: 86_400, nameservers: 3_600, delegationSigners: 3_600, glue: 3_600 },
  })),
  zoneChangeDays: 7,
  labels: /^[a-z0-9õäöüšž]([a-z0-9õäöüšž-]{0,61}[a-z0-9õäöüšž])?$/u,
  domains: {
    nameservers: { min: 2, max: 11 },
    glueMayBePrivate: false,
    mostDnssecKeys: 9,
    dnssecAlgorithms: [3, 5, 6, 7, 8, 10, 13, 14, 15, 16],
    mostAdminContacts: 10,
    mostTechContacts: 10,
    adminRequired: false,
    adminAgeYears: 18,
    clientStatuses: ['clientHold'],
    longestYears: 10,
    renewalWindowDays: undefined,
    expiryGraceDays: 15,
    redemptionDays: 30,
    reminderDays: 2,
    disputeMonths: 36,
    confirmationHours: 48,
    transferCodeLength: { min: 8, max: 64 },
    wrongCodesPerHour: 10,
  },
  // Were every domain registered for a year and none renewed in time, 0.3 % would expire each day.
  dailyLimit: { maxShare: 0.02, minCount: 100 },
  // A clock that is ahead makes everything due; a day of ordinary work is at most half of a table.
  purgeLimit: { maxShare: 0.9, minCount: 1_000 },
  contacts: {
    codeLength: 100,
    nameLength: 255,
    emailLength: 254,
    identLength: 100,
    phone: /^\+(?!0+\.)\d{1,3}\.(?!0+$)\d{1,14}$/,
    phoneLength: 17,
    forbiddenInPersonNames:
      /[!"#$%&()*+,:;<=>?@[\\\]^_{|}~\u00A1-\u00B3\u00B5-\u00BF\u2040-\u206F\u20A0-\u20BF\u2100-\u218F]/u,
    forbiddenAnywhere: /[<>\p{Cc}\u2028-\u202E\u2066-\u2069]|%3[ce]/iu,
    identFormats: [
      {
        country: 'EE',
        type: 'priv',
        accepts: isEstonianPersonalCode,
        birthDay: birthDayOf,
        expected: 'an Estonian personal code',
      },
      {
        country: 'EE',
        type: 'org',
        accepts: (ident) => /^\d{8}$/.test(ident),
        expected: 'an Estonian registry code of 8 digits',
      },
    ],
    noBirthdayCountries: [
      ...['BE', 'HR', 'CZ', 'DK', 'FI', 'IT', 'LV', 'LT', 'LU', 'MT'],
      ...['NL', 'NO', 'PL', 'PT', 'RO', 'SK', 'SI', 'ES', 'SE', 'EE'],
    ],
    oldestAgeYears: 150,
    address: 'optional',
    clientStatuses: [],
    domainsShown: 1000,
    archiveMonths: 6,
  },
  lookup: {
    disclosure: {
      public: {
        registrant: { person: BY_PREFERENCE, organisation: IDENTIFIED },
        admin: { person: BY_PREFERENCE, organisation: NAMED },
        tech: { person: BY_PREFERENCE, organisation: NAMED },
      },
      // The codes of all contacts and the registrant's name, as in the registrar API.
      registrar: {
        registrant: {
          person: { ...NAMED, code: 'shown' },
          organisation: { ...IDENTIFIED, code: 'shown' },
        },
        admin: { person: { ...BY_PREFERENCE, code: 'shown' }, organisation: { ...NAMED, code: 'shown' } },
        tech: { person: { ...BY_PREFERENCE, code: 'shown' }, organisation: { ...NAMED, code: 'shown' } },
      },
      sponsor: shownToAll(),
      requester: shownToAll(),
    },
    requestDays: 365,
    messageHours: 24,
    messageDays: 30,
    messagesPerDomain: 5,
    messagesPerSender: 5,
    messagesPerAddress: 10,
    messagesPerNetwork: 50,
    busyFromUnconfirmedMessages: 200,
    busyMessagesPerNetwork: 3,
    unconfirmedMessagesPerHour: 2_000,
  },
  legalDocuments: {
    required: false,
    minCharacters: 4_209,
    maxCharacters: 8_388_608,
    types: [
      ...['pdf', 'asice', 'asics', 'sce', 'scs', 'adoc', 'bdoc', 'edoc', 'ddoc'],
      ...['zip', 'rar', 'gz', 'tar', '7z', 'odt', 'doc', 'docx'],
    ],
    retentionYears: 10,
  },
  certificates: {
    authorityYears: 10,
    validDays: 365,
    reminderDays: [30, 7, 1],
    listDays: 7,
    renewListDays: 3,
  },
  billing: {
    vatPercent: 24,
    dueDays: 30,
    numberRanges: { regular: { first: 150005, last: 199999 }, deposit: { first: 10001, last: 14001 } },
    leastTopUp: 1n,
    cancelOverdueAfterDays: 30,
    // Fictitious, to be replaced by the registry's own. The accounts have valid check digits and a bank that does not exist.
    seller: {
      name: 'Eesti Näidisregistri Sihtasutus',
      registryCode: '90000000',
      vatNumber: 'EE100000000',
      address: ['Näidise tee 1', '10000 Tallinn', 'Eesti / Estonia'],
      postalAddress: { street: 'Näidise tee 1', city: 'Tallinn', postalCode: '10000', country: 'EE' },
      email: 'arved@registry.example',
      bankAccounts: [
        { bank: 'Esimene Näidispank', iban: 'EE489900000000000001' },
        { bank: 'Teine Näidispank', iban: 'EE949800000000000002' },
      ],
    },
    unnamedBuyer: 'Eraisik / Private person',
    accounting: {
      vatCodes: {
        ...{ home: '54', reverseCharge: '4', outside: '6' },
        union: {
          ...{ LV: '21', PL: '22', AT: '23', BE: '24', BG: '25', CY: '26', CZ: '27', DE: '28', DK: '29' },
          ...{ GR: '30', ES: '31', FI: '32', FR: '33', HR: '34', HU: '35', IE: '36', IT: '37', LT: '38' },
          ...{ LU: '39', MT: '40', NL: '41', PT: '42', RO: '43', SE: '44', SI: '45', SK: '46' },
        },
      },
      products: {
        registry: 'ETTEM06',
        auction: 'OKSJON',
        eeid: 'ETTEM06',
        business_registry: 'ETTEM06',
      },
      privateCustomer: 'ERA',
      paymentTerm: 'R',
      salesAgent: 'REGISTER',
    },
  },
  reservations: {
    freeDays: 7,
    paidYears: 1,
    price: 1000n,
    mostNames: 20,
    organizationNameLength: 100,
    legalForms: [
      ...['AS', 'OÜ', 'FIE', 'MTÜ', 'SA', 'TÜ', 'UÜ', 'KÜ', 'TulÜ'],
      ...['aktsiaselts', 'osaühing', 'füüsilisest isikust ettevõtja', 'mittetulundusühing', 'sihtasutus'],
      ...['täisühing', 'usaldusühing', 'korteriühistu', 'tulundusühistu'],
    ],
  },
};

function shownToAll() {
  const both = { person: ALL_SHOWN, organisation: ALL_SHOWN };
  return { registrant: both, admin: both, tech: both };
}
