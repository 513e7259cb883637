import type { Language } from '../../html/layout.ts';

type RecoveryTexts = {
  readonly link: string;
  readonly title: string;
  readonly lead: string;
  readonly send: string;
  readonly refused: string;
  readonly sentTitle: string;
  readonly sent: string;
  readonly consequence: string;
  readonly set: string;
  readonly closedTitle: string;
  readonly closed: string;
  readonly again: string;
};

const english: RecoveryTexts = {
  link: 'Forgot your password?',
  title: 'Set a new password',
  lead: 'Enter the email address of your account. We will send a link that works once and for 30 minutes.',
  send: 'Send the link',
  refused: 'No link was sent',
  sentTitle: 'Check your email',
  sent: 'If there is an account with this address, a link is on its way. Nothing came? Look in the spam folder, or ask your administrator.',
  consequence: 'All your sessions end. Then log in with the new password and, as before, your second factor.',
  set: 'Set the password',
  closedTitle: 'This link no longer works',
  closed: 'A link works once and for 30 minutes.',
  again: 'Send another link',
};

const estonian: RecoveryTexts = {
  link: 'Unustasid parooli?',
  title: 'Uus parool',
  lead: 'Sisesta oma konto e-posti aadress. Saadame lingi, mis töötab ühe korra ja 30 minutit.',
  send: 'Saada link',
  refused: 'Linki ei saadetud',
  sentTitle: 'Vaata oma postkasti',
  sent: 'Kui selle aadressiga konto on olemas, on link teel. Kirja ei tulnud? Vaata rämpsposti kausta või küsi administraatorilt.',
  consequence:
    'Kõik sinu seansid lõpevad. Seejärel logi sisse uue parooli ja, nagu ennegi, teise autentimisviisiga.',
  set: 'Salvesta parool',
  closedTitle: 'See link enam ei kehti',
  closed: 'Link töötab ühe korra ja 30 minutit.',
  again: 'Saada uus link',
};

const TEXTS: Readonly<Record<Language, RecoveryTexts>> = { en: english, et: estonian };
export const recoveryTexts = (lang: Language): RecoveryTexts => TEXTS[lang];
