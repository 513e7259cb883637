import type { Role } from '../../../registry/actor.ts';
import type { ListedCertificate } from '../../../registry/certificates/certificates.ts';
import type { AddressPurpose } from '../../../registry/registrars/address-list.ts';
import type { Language } from '../../html/layout.ts';

export type AccessTexts = {
  readonly title: string;
  readonly users: string;
  readonly usersLead: string;
  readonly noUsers: string;
  readonly username: string;
  readonly usernameHint: string;
  readonly roles: string;
  readonly roleNames: Readonly<Record<Role, string>>;
  readonly status: string;
  readonly statuses: Readonly<Record<'active' | 'disabled', string>>;
  readonly lastLogin: string;
  readonly never: string;
  readonly create: string;
  readonly createButton: string;
  readonly addresses: Readonly<Record<AddressPurpose, { readonly heading: string; readonly lead: string }>>;
  readonly anyAddress: string;
  readonly yourAddress: (address: string) => string;
  readonly range: string;
  readonly rangeHint: string;
  readonly note: string;
  readonly since: string;
  readonly remove: string;
  readonly add: string;
  readonly created: string;
  readonly changed: string;
  readonly passwordOnce: (username: string) => string;
  readonly passwordWords: string;
  readonly password: string;
  readonly passwordLead: string;
  readonly newPassword: string;
  readonly keepOld: string;
  readonly keepOldChoices: readonly (readonly [value: 'day' | 'none', text: string])[];
  readonly oldUntil: string;
  readonly dropOld: string;
  readonly saveRoles: string;
  readonly access: string;
  readonly disable: string;
  readonly enable: string;
  readonly certificates: string;
  readonly noCertificates: string;
  readonly serial: string;
  readonly certificateStatuses: Readonly<Record<ListedCertificate['status'], string>>;
  readonly validUntil: string;
  readonly download: string;
  readonly revoke: string;
  readonly revocation: {
    readonly title: string;
    readonly happens: string;
    readonly lead: string;
    readonly back: string;
  };
  readonly request: string;
  readonly requestHint: (username: string) => string;
  readonly requestButton: string;
  readonly waits: string;
  readonly withdraw: string;
  readonly refused: (reason: string) => string;
  readonly back: string;
};

const english: AccessTexts = {
  title: 'API access',
  users: 'API users',
  usersLead: 'The programs of your registrar log in with these, over REST and EPP.',
  noUsers: 'There is no API user yet.',
  username: 'Username',
  usernameHint: '1 to 64 letters, digits and . _ @ -',
  roles: 'Roles',
  roleNames: { super: 'everything', epp: 'domains and contacts', billing: 'money' },
  status: 'Status',
  statuses: { active: 'active', disabled: 'disabled' },
  lastLogin: 'Last login',
  never: 'none known',
  create: 'New API user',
  createButton: 'Create the user',
  addresses: {
    api: {
      heading: 'Addresses of API users',
      lead: 'From where programs may log in. Once you add a range, only listed addresses can connect.',
    },
    console: {
      heading: 'Addresses of people',
      lead: 'From where people may use this console. Once you add a range, all other addresses are refused at once.',
    },
  },
  anyAddress: 'No restrictions: any address can connect.',
  yourAddress: (address) => `Your address is ${address}.`,
  range: 'Address or range',
  rangeHint: 'Such as 203.0.113.7 or 2001:db8::/32',
  note: 'Note',
  since: 'Since',
  remove: 'Remove',
  add: 'Add',
  created: 'The user is created',
  changed: 'The password is changed',
  passwordOnce: (username) =>
    `The password of ${username} is shown only once. Keep it where only your programs read it.`,
  passwordWords: 'Password',
  password: 'New password',
  passwordLead:
    'A password is generated and shown once. While the old one works too, programs can change one by one.',
  newPassword: 'Generate a new password',
  keepOld: 'The old password',
  keepOldChoices: [
    ['day', 'works for one more day'],
    ['none', 'stops working at once'],
  ],
  oldUntil: 'The old password works until',
  dropOld: 'End the old password now',
  saveRoles: 'Save the roles',
  access: 'Access',
  disable: 'Disable',
  enable: 'Enable',
  certificates: 'Client certificates',
  noCertificates: 'This user has no certificate.',
  serial: 'Serial number',
  certificateStatuses: {
    valid: 'valid',
    expired: 'expired',
    revoked: 'revoked',
    untrusted: 'not trusted any more',
  },
  validUntil: 'Valid until',
  download: 'Download',
  revoke: 'Revoke',
  revocation: {
    title: 'Revoke the certificate',
    happens: 'What happens',
    lead: 'Within seconds no server lets a program with this certificate in. It cannot be made valid again.',
    back: 'Back to the user',
  },
  request: 'Certificate request',
  requestHint: (username) =>
    `Paste a CSR (PKCS #10, PEM) with CN ${username}. Make the key yourself and keep it; the registry signs the request.`,
  requestButton: 'Send the request',
  waits: 'A request waits for the registry since',
  withdraw: 'Withdraw the request',
  refused: (reason) => `The registry refused the last request: ${reason}`,
  back: 'Back to API access',
};

const estonian: AccessTexts = {
  title: 'API ligipääs',
  users: 'API kasutajad',
  usersLead: 'Nendega logivad sisse sinu registripidaja programmid, REST-i ja EPP kaudu.',
  noUsers: 'API kasutajaid veel ei ole.',
  username: 'Kasutajanimi',
  usernameHint: '1 kuni 64 tähte, numbrit või märki . _ @ -',
  roles: 'Rollid',
  roleNames: { super: 'kõik', epp: 'domeenid ja kontaktid', billing: 'raha' },
  status: 'Olek',
  statuses: { active: 'aktiivne', disabled: 'ligipääs suletud' },
  lastLogin: 'Viimane sisselogimine',
  never: 'ei ole teada',
  create: 'Uus API kasutaja',
  createButton: 'Loo kasutaja',
  addresses: {
    api: {
      heading: 'API kasutajate aadressid',
      lead: 'Kust programmid võivad sisse logida. Esimese vahemiku lisamisest alates keelatakse kõik muud aadressid.',
    },
    console: {
      heading: 'Inimeste aadressid',
      lead: 'Kust inimesed võivad seda konsooli kasutada. Esimese vahemiku lisamisest alates keelatakse kohe kõik muud aadressid.',
    },
  },
  anyAddress: 'Nimekiri on tühi: lubatud on kõik aadressid.',
  yourAddress: (address) => `Sinu aadress on ${address}.`,
  range: 'Aadress või vahemik',
  rangeHint: 'Näiteks 203.0.113.7 või 2001:db8::/32',
  note: 'Märkus',
  since: 'Alates',
  remove: 'Eemalda',
  add: 'Lisa',
  created: 'Kasutaja on loodud',
  changed: 'Parool on vahetatud',
  passwordOnce: (username) =>
    `Kasutaja ${username} parooli näidatakse ainult praegu. Hoia seda kohas, mida loevad ainult sinu programmid.`,
  passwordWords: 'Parool',
  password: 'Uus parool',
  passwordLead:
    'Parool luuakse juhuslikult ja seda näidatakse üks kord. Kuni vana parool veel töötab, saab programme ükshaaval ümber seadistada.',
  newPassword: 'Loo uus parool',
  keepOld: 'Vana parool',
  keepOldChoices: [
    ['day', 'töötab veel ühe päeva'],
    ['none', 'lakkab kohe töötamast'],
  ],
  oldUntil: 'Vana parool töötab kuni',
  dropOld: 'Lõpeta vana parool kohe',
  saveRoles: 'Salvesta rollid',
  access: 'Ligipääs',
  disable: 'Sulge ligipääs',
  enable: 'Ava ligipääs',
  certificates: 'Kliendisertifikaadid',
  noCertificates: 'Sellel kasutajal ei ole sertifikaate.',
  serial: 'Seerianumber',
  certificateStatuses: {
    valid: 'kehtiv',
    expired: 'aegunud',
    revoked: 'tühistatud',
    untrusted: 'enam mitte usaldatud',
  },
  validUntil: 'Kehtib kuni',
  download: 'Laadi alla',
  revoke: 'Tühista',
  revocation: {
    title: 'Tühista sertifikaat',
    happens: 'Mis juhtub',
    lead: 'Mõne sekundi pärast ei pääse selle sertifikaadiga enam ühtegi serverisse. Uuesti kehtivaks seda teha ei saa.',
    back: 'Tagasi kasutaja juurde',
  },
  request: 'Sertifikaadipäring',
  requestHint: (username) =>
    `Kleebi CSR (PKCS #10, PEM), mille CN on ${username}. Loo võti ise ja hoia see enda käes; register allkirjastab päringu.`,
  requestButton: 'Saada päring',
  waits: 'Päring ootab registrit alates',
  withdraw: 'Võta päring tagasi',
  refused: (reason) => `Register lükkas viimase päringu tagasi: ${reason}`,
  back: 'Tagasi API ligipääsu juurde',
};

const TEXTS: Readonly<Record<Language, AccessTexts>> = { en: english, et: estonian };
export const accessTexts = (lang: Language): AccessTexts => TEXTS[lang];
