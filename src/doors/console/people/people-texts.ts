import type { PersonRole } from '../../../registry/people/person.ts';
import type { RegistrarPerson } from '../../../registry/people/registrar-people.ts';
import type { Language } from '../../html/layout.ts';

export type PeopleTexts = {
  readonly title: string;
  readonly lead: string;
  readonly name: string;
  readonly email: string;
  readonly roles: string;
  readonly status: string;
  readonly lastLogin: string;
  readonly secondFactor: string;
  readonly change: string;
  readonly never: string;
  readonly yes: string;
  readonly no: string;
  readonly statuses: Readonly<Record<RegistrarPerson['status'], string>>;
  readonly roleHints: Readonly<Record<PersonRole, string>>;
  readonly you: string;
  readonly invitations: string;
  readonly noInvitations: string;
  readonly invitedBy: string;
  readonly validUntil: string;
  readonly withdraw: string;
  readonly withdrawNamed: (email: string) => string;
  readonly invite: string;
  readonly inviteLead: string;
  readonly inviteButton: string;
  readonly language: string;
  readonly languages: Readonly<Record<Language, string>>;
  readonly saveRoles: string;
  readonly access: string;
  readonly openSessions: (count: number) => string;
  readonly endSessions: string;
  readonly disable: string;
  readonly disableLead: string;
  readonly enable: string;
  readonly resetFactors: string;
  readonly resetLead: string;
  readonly reset: {
    readonly title: (name: string) => string;
    readonly consequence: string;
  };
  readonly remove: string;
  readonly removeLead: string;
  readonly removal: {
    readonly title: (name: string) => string;
    readonly happens: string;
    readonly back: string;
  };
  readonly back: string;
};

const english: PeopleTexts = {
  title: 'People',
  lead: 'People who can use this console. Programs are under API access.',
  name: 'Name',
  email: 'Email address',
  roles: 'Roles',
  status: 'Status',
  lastLogin: 'Last login',
  secondFactor: 'Second factor',
  change: 'Change',
  never: 'over 30 days ago',
  yes: 'yes',
  no: 'no',
  statuses: {
    active: 'active',
    disabled: 'disabled',
    'disabled by the registry': 'disabled by the registry',
  },
  roleHints: {
    admin: 'full access, including people and API access',
    domains: 'domains, contacts, messages, transfer codes',
    billing: 'balance and invoices',
    reader: 'sees domains, contacts and messages',
  },
  you: 'you',
  invitations: 'Pending invitations',
  noInvitations: 'No pending invitations.',
  invitedBy: 'Invited by',
  validUntil: 'Valid until',
  withdraw: 'Withdraw',
  withdrawNamed: (email) => `the invitation of ${email}`,
  invite: 'Invite a colleague',
  inviteLead:
    'The mail has a link that works once and for 48 hours. A new invitation replaces a pending one.',
  inviteButton: 'Send the invitation',
  language: 'Language of the mail',
  languages: { en: 'English', et: 'Estonian' },
  saveRoles: 'Save the roles',
  access: 'Access',
  openSessions: (count) =>
    count === 1
      ? 'One session is open.'
      : count === 0
        ? 'No session is open.'
        : `${count} sessions are open.`,
  endSessions: 'End the sessions',
  disable: 'Disable',
  disableLead:
    'Disabling somebody ends their sessions at once. It can be undone, and applies to this registrar only.',
  enable: 'Enable',
  resetFactors: 'Reset the second factor',
  resetLead: 'For somebody who has lost their phone and recovery codes.',
  reset: {
    title: (name) => `Reset the second factor of ${name}`,
    consequence:
      'Authenticator app, passkeys, recovery codes and linked identity are removed and all sessions end. The password stays; the next login leads to the set-up of a second factor. A mail tells the person. First make sure, by phone or in person, who asks for it.',
  },
  remove: 'Remove from this registrar',
  removeLead: 'The sessions end at once. To restore access you will have to invite them again.',
  removal: {
    title: (name) => `Remove ${name} from this registrar`,
    happens: 'What happens',
    back: 'Back to the person',
  },
  back: 'All people',
};

const estonian: PeopleTexts = {
  title: 'Inimesed',
  lead: 'Inimesed, kes saavad seda konsooli kasutada. Programmid leiad API ligipääsu alt.',
  name: 'Nimi',
  email: 'E-posti aadress',
  roles: 'Rollid',
  status: 'Olek',
  lastLogin: 'Viimane sisselogimine',
  secondFactor: 'Teine autentimisviis',
  change: 'Muuda',
  never: 'üle 30 päeva tagasi',
  yes: 'jah',
  no: 'ei',
  statuses: {
    active: 'aktiivne',
    disabled: 'ligipääs suletud',
    'disabled by the registry': 'ligipääsu on sulgenud register',
  },
  roleHints: {
    admin: 'kõik õigused, ka inimesed ja API ligipääs',
    domains: 'domeenid, kontaktid, teated, ülekandekoodid',
    billing: 'saldo ja arved',
    reader: 'näeb domeene, kontakte ja teateid',
  },
  you: 'sina',
  invitations: 'Avatud kutsed',
  noInvitations: 'Ühtegi avatud kutset ei ole.',
  invitedBy: 'Kutsuja',
  validUntil: 'Kehtib kuni',
  withdraw: 'Võta tagasi',
  withdrawNamed: (email) => `kutse aadressile ${email}`,
  invite: 'Kutsu kolleeg',
  inviteLead: 'Kirjas on link, mis töötab üks kord ja 48 tundi. Uus kutse asendab avatud kutse.',
  inviteButton: 'Saada kutse',
  language: 'Kirja keel',
  languages: { en: 'inglise', et: 'eesti' },
  saveRoles: 'Salvesta rollid',
  access: 'Ligipääs',
  openSessions: (count) =>
    count === 1
      ? 'Avatud on üks seanss.'
      : count === 0
        ? 'Avatud seansse ei ole.'
        : `Avatud on ${count} seanssi.`,
  endSessions: 'Lõpeta seansid',
  disable: 'Sulge ligipääs',
  disableLead:
    'Ligipääsu sulgemine lõpetab seansid kohe. Seda saab tagasi võtta ja see kehtib ainult selle registripidaja kohta.',
  enable: 'Ava ligipääs',
  resetFactors: 'Lähtesta teine autentimisviis',
  resetLead: 'Sellele, kes on kaotanud telefoni ja taastekoodid.',
  reset: {
    title: (name) => `Lähtesta teine autentimisviis: ${name}`,
    consequence:
      'Autentimisrakendus, pääsuvõtmed, taastekoodid ja seotud identiteet eemaldatakse ning kõik seansid lõpevad. Parool jääb samaks; järgmine sisselogimine viib teise autentimisviisi seadistamiseni. Inimesele saadetakse kiri. Enne veendu telefoni teel või silmast silma, kes seda palub.',
  },
  remove: 'Eemalda sellelt registripidajalt',
  removeLead: 'Seansid lõpevad kohe. Eemaldatud inimene saab tagasi tulla ainult kutsega.',
  removal: {
    title: (name) => `Eemalda ${name} sellelt registripidajalt`,
    happens: 'Mis juhtub',
    back: 'Tagasi inimese juurde',
  },
  back: 'Kõik inimesed',
};

const TEXTS: Readonly<Record<Language, PeopleTexts>> = { en: english, et: estonian };
export const peopleTexts = (lang: Language): PeopleTexts => TEXTS[lang];
