import type { Factor } from '../../../registry/people/person-sessions.ts';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../../registry/users/password-length.ts';
import type { Language } from '../../html/layout.ts';

export type AccountTexts = {
  readonly title: string;
  readonly name: string;
  readonly email: string;
  readonly roles: string;
  readonly rolesAt: (registrar: string) => string;
  readonly login: string;
  readonly changePassword: string;
  readonly linkIdentity: string;
  readonly identityIs: (identity: string) => string;
  readonly unlinkIdentity: string;
  readonly sessions: string;
  readonly sessionsLead: string;
  readonly browser: string;
  readonly address: string;
  readonly registrar: string;
  readonly factor: string;
  readonly begun: string;
  readonly lastSeen: string;
  readonly end: string;
  readonly endNamed: (browser: string) => string;
  readonly thisOne: string;
  readonly endOthers: string;
  readonly factors: Readonly<Record<Factor, string>>;
  readonly unknownBrowser: string;
  readonly password: {
    readonly current: string;
    readonly chosen: string;
    readonly hint: string;
    readonly repeated: string;
    readonly change: string;
    readonly again: string;
    readonly wrong: string;
    readonly unacceptable: string;
    readonly different: string;
    readonly same: string;
    readonly otherSessions: string;
    readonly back: string;
  };
};

const english: AccountTexts = {
  title: 'My account',
  name: 'Name',
  email: 'Email address',
  roles: 'Roles',
  rolesAt: (registrar) => `Roles at ${registrar}`,
  login: 'Ways to log in',
  changePassword: 'Change the password',
  linkIdentity: 'Link my identity at the identity provider',
  identityIs: (identity) => `Identity provider: ${identity}`,
  unlinkIdentity: 'Remove the link',
  sessions: 'Open sessions',
  sessionsLead: 'End any session you don’t recognise, then change your password.',
  browser: 'Browser',
  address: 'Address',
  registrar: 'Registrar',
  factor: 'Logged in by',
  begun: 'Since',
  lastSeen: 'Last used',
  end: 'End',
  endNamed: (browser) => `the session in ${browser}`,
  thisOne: 'this session',
  endOthers: 'End all others',
  factors: {
    password: 'password',
    'password and code': 'password and code',
    'password and recovery code': 'password and recovery code',
    passkey: 'passkey',
    'identity provider': 'identity provider',
  },
  unknownBrowser: 'unknown',
  password: {
    current: 'Current password',
    chosen: 'New password',
    hint: `${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters. A few unrelated words make a strong, memorable password.`,
    repeated: 'New password again',
    change: 'Change the password',
    again: 'The password was not changed',
    wrong: 'The current password is wrong.',
    unacceptable: `Use ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters, and no control characters.`,
    different: 'The two new passwords differ.',
    same: 'The new password is the same as the current one.',
    otherSessions: 'Your other sessions end with the change.',
    back: 'Back to my account',
  },
};

const estonian: AccountTexts = {
  title: 'Minu konto',
  name: 'Nimi',
  email: 'E-posti aadress',
  roles: 'Rollid',
  rolesAt: (registrar) => `Rollid registripidaja ${registrar} juures`,
  login: 'Sisselogimise viisid',
  changePassword: 'Vaheta parool',
  linkIdentity: 'Seo minu identiteet identiteediteenuses',
  identityIs: (identity) => `Identiteediteenus: ${identity}`,
  unlinkIdentity: 'Eemalda seos',
  sessions: 'Avatud seansid',
  sessionsLead: 'Lõpeta need, mida sa ära ei tunne, ja vaheta siis parool.',
  browser: 'Brauser',
  address: 'Aadress',
  registrar: 'Registripidaja',
  factor: 'Sisselogimise viis',
  begun: 'Alates',
  lastSeen: 'Viimati kasutatud',
  end: 'Lõpeta',
  endNamed: (browser) => `seanss brauseris ${browser}`,
  thisOne: 'see seanss',
  endOthers: 'Lõpeta kõik teised',
  factors: {
    password: 'parool',
    'password and code': 'parool ja kood',
    'password and recovery code': 'parool ja taastekood',
    passkey: 'pääsuvõti',
    'identity provider': 'identiteediteenus',
  },
  unknownBrowser: 'tundmatu',
  password: {
    current: 'Praegune parool',
    chosen: 'Uus parool',
    hint: `${MIN_PASSWORD_LENGTH} kuni ${MAX_PASSWORD_LENGTH} märki. Mõnest omavahel seostamata sõnast saab tugeva parooli, mis püsib meeles.`,
    repeated: 'Uus parool uuesti',
    change: 'Vaheta parool',
    again: 'Parooli ei vahetatud',
    wrong: 'Praegune parool on vale.',
    unacceptable: `Kasuta ${MIN_PASSWORD_LENGTH} kuni ${MAX_PASSWORD_LENGTH} märki, juhtmärkideta.`,
    different: 'Uued paroolid erinevad.',
    same: 'Uus parool on sama mis praegune.',
    otherSessions: 'Koos vahetusega lõpevad su teised seansid.',
    back: 'Tagasi minu konto juurde',
  },
};

const TEXTS: Readonly<Record<Language, AccountTexts>> = { en: english, et: estonian };
export const accountTexts = (lang: Language): AccountTexts => TEXTS[lang];
