import type { Language } from '../../html/layout.ts';

export type InvitationTexts = {
  readonly title: string;
  readonly lead: (registrar: string) => string;
  readonly email: string;
  readonly name: string;
  readonly wrongName: string;
  readonly accept: string;
  readonly again: string;
  /** For somebody who has an account. */
  readonly loggedIn: string;
  readonly existing: (email: string) => string;
  readonly logIn: string;
  readonly closedTitle: string;
  readonly closed: string;
  readonly toLogin: string;
};

const english: InvitationTexts = {
  title: 'Your invitation',
  lead: (registrar) => `You are invited to work for ${registrar} in the registrars’ console.`,
  email: 'Email address',
  name: 'Your name',
  wrongName: 'Enter a name of 1 to 100 visible characters.',
  accept: 'Accept the invitation',
  again: 'The invitation was not accepted',
  loggedIn: 'You are logged in, and your account stays as it is.',
  existing: (email) => `There is an account for ${email}. Log in with it to accept the invitation.`,
  logIn: 'Log in and continue',
  closedTitle: 'This invitation is not valid',
  closed:
    'The address is wrong, or the invitation was used or withdrawn, or is older than two days. Ask for another one.',
  toLogin: 'To the login',
};

const estonian: InvitationTexts = {
  title: 'Sinu kutse',
  lead: (registrar) =>
    `Sind on kutsutud tegutsema registripidajate konsoolis registripidaja ${registrar} nimel.`,
  email: 'E-posti aadress',
  name: 'Sinu nimi',
  wrongName: 'Sisesta nimi, 1 kuni 100 nähtavat märki.',
  accept: 'Võta kutse vastu',
  again: 'Kutset ei võetud vastu',
  loggedIn: 'Oled sisse logitud ja sinu konto jääb selliseks, nagu see on.',
  existing: (email) => `Aadressiga ${email} on juba konto. Kutse vastuvõtmiseks logi sellega sisse.`,
  logIn: 'Logi sisse ja jätka',
  closedTitle: 'See kutse ei kehti',
  closed: 'Aadress on vale või on kutse kasutatud, tagasi võetud või vanem kui kaks päeva. Küsi uus kutse.',
  toLogin: 'Sisselogimislehele',
};

const TEXTS: Readonly<Record<Language, InvitationTexts>> = { en: english, et: estonian };
export const invitationTexts = (lang: Language): InvitationTexts => TEXTS[lang];
