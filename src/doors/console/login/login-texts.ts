import type { Language } from '../../html/layout.ts';

export type LoginTexts = {
  readonly title: string;
  readonly lead: string;
  readonly email: string;
  readonly password: string;
  readonly logIn: string;
  readonly again: string;
  readonly wrong: string;
  readonly tooMany: (minutes: number) => string;
  readonly nowhere: string;
  readonly loggedOut: string;
  readonly ended: string;
  /** Before something dangerous. */
  readonly stepUp: string;
  readonly passwordSet: string;
  readonly codeTitle: string;
  readonly code: string;
  readonly codeHint: string;
  readonly wrongCode: string;
  readonly tooManyCodes: (minutes: number) => string;
  readonly unreadableSecret: string;
  readonly codeExpired: string;
  readonly startOver: string;
  readonly byPasskey: string;
  readonly passkeyTitle: string;
  readonly passkeyLead: string;
  readonly passkeyAgain: string;
  readonly passkeyFailed: string;
  readonly wrongPasskey: string;
  readonly byIdentity: string;
  readonly identityUnavailable: string;
  readonly identityRefused: string;
  readonly identityUnknown: string;
  readonly identityTaken: string;
};

const english: LoginTexts = {
  title: 'Log in',
  lead: 'Registrars’ console',
  email: 'Email address',
  password: 'Password',
  logIn: 'Log in',
  again: 'Login failed',
  wrong: 'The email address or the password is wrong.',
  tooMany: (minutes) =>
    `Too many failed attempts. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
  nowhere:
    'Your account has no active registrar, or your network is not allowed. Ask your administrator, or the registry.',
  loggedOut: 'You are logged out.',
  ended: 'Log in to continue. Sessions end after half an hour without use, and after twelve hours.',
  stepUp: 'Confirm it’s you to continue.',
  passwordSet: 'Your new password is set. Log in with it.',
  codeTitle: 'Your code',
  code: 'Code',
  codeHint: 'The six digits that your authenticator app shows now, or one of your recovery codes.',
  wrongCode: 'The code is wrong, or was used before.',
  tooManyCodes: (minutes) =>
    `Too many wrong codes were entered for your account within an hour. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, or log in in another way.`,
  unreadableSecret:
    'The registry cannot check codes of your authenticator app at the moment. Use a recovery code, log in in another way, or tell the registry.',
  codeExpired: 'The code has expired. Start again with your password.',
  startOver: 'Use another method',
  byPasskey: 'Log in with a passkey',
  passkeyTitle: 'Log in with a passkey',
  passkeyLead: 'Your browser asks you for it now.',
  passkeyAgain: 'Ask again',
  passkeyFailed: 'No passkey was used. The prompt was closed, or this device has no passkey for this site.',
  wrongPasskey: 'The passkey was not accepted. It may have been removed, or the login took too long.',
  byIdentity: 'Log in with the identity provider',
  identityUnavailable: 'The identity provider does not answer. Try again, or log in in another way.',
  identityRefused: 'The login at the identity provider was not accepted, or took too long.',
  identityUnknown:
    'This identity is not linked to any account. Use another method and link it under My account.',
  identityTaken: 'This identity belongs to somebody else already.',
};

const estonian: LoginTexts = {
  title: 'Sisselogimine',
  lead: 'Registripidajate konsool',
  email: 'E-posti aadress',
  password: 'Parool',
  logIn: 'Logi sisse',
  again: 'Sisselogimine ei õnnestunud',
  wrong: 'E-posti aadress või parool on vale.',
  tooMany: (minutes) =>
    `Liiga palju ebaõnnestunud katseid. Proovi uuesti ${minutes === 1 ? 'minuti' : `${minutes} minuti`} pärast.`,
  nowhere:
    'Sinu kontol ei ole ühtegi tegutsevat registripidajat või ei ole sinu võrk lubatud. Küsi oma administraatorilt või registrilt.',
  loggedOut: 'Oled välja logitud.',
  ended: 'Jätkamiseks logi sisse. Seanss lõpeb pooletunnise jõudeoleku või kaheteistkümne tunni järel.',
  stepUp: 'Jätkamiseks kinnita, et see oled sina.',
  passwordSet: 'Uus parool on salvestatud. Logi sellega sisse.',
  codeTitle: 'Sinu kood',
  code: 'Kood',
  codeHint: 'Kuus numbrit, mida su autentimisrakendus praegu näitab, või üks su taastekoodidest.',
  wrongCode: 'Kood on vale või juba kasutatud.',
  tooManyCodes: (minutes) =>
    `Tunni jooksul sisestati sinu kontole liiga palju valesid koode. Proovi uuesti ${minutes === 1 ? 'minuti' : `${minutes} minuti`} pärast või logi sisse teisel viisil.`,
  unreadableSecret:
    'Register ei saa praegu sinu autentimisrakenduse koode kontrollida. Kasuta taastekoodi, logi sisse teisel viisil või teata registrile.',
  codeExpired: 'Kood on aegunud. Alusta uuesti paroolist.',
  startOver: 'Logi sisse teisel viisil',
  byPasskey: 'Logi sisse pääsuvõtmega',
  passkeyTitle: 'Sisselogimine pääsuvõtmega',
  passkeyLead: 'Brauser küsib seda sinult nüüd.',
  passkeyAgain: 'Küsi uuesti',
  passkeyFailed: 'Pääsuvõtit ei kasutatud. Küsimus suleti või ei ole seadmes selle saidi pääsuvõtit.',
  wrongPasskey:
    'Pääsuvõtit ei võetud vastu. Võib-olla on see eemaldatud või võttis sisselogimine liiga kaua aega.',
  byIdentity: 'Logi sisse identiteediteenuse kaudu',
  identityUnavailable: 'Identiteediteenus ei vasta. Proovi uuesti või logi sisse teisel viisil.',
  identityRefused: 'Identiteediteenuse kaudu sisselogimist ei võetud vastu või võttis see liiga kaua aega.',
  identityUnknown:
    'See identiteet ei ole ühegi kontoga seotud. Logi sisse teisel viisil ja seo see oma konto lehel.',
  identityTaken: 'See identiteet kuulub juba kellelegi teisele.',
};

const TEXTS: Readonly<Record<Language, LoginTexts>> = { en: english, et: estonian };
export const loginTexts = (lang: Language): LoginTexts => TEXTS[lang];
