import type { Language } from '../../html/layout.ts';

export type CodeGeneratorTexts = {
  readonly title: string;
  readonly lead: string;
  /** For those who can do nothing else before. */
  readonly demanded: string;
  readonly orPasskey: string;
  readonly state: Readonly<Record<'on' | 'off', string>>;
  readonly setUp: string;
  readonly replace: string;
  readonly remove: string;
  readonly recoveryLeft: (count: number) => string;
  readonly newRecoveryCodes: string;
  readonly scan: string;
  readonly qrCode: string;
  readonly type: string;
  readonly code: string;
  readonly codeHint: string;
  readonly confirm: string;
  readonly again: string;
  readonly wrongCode: string;
  readonly expired: string;
  /** Where the registry has no secret to encrypt with. */
  readonly unavailable: string;
  readonly done: string;
  readonly recoveryTitle: string;
  readonly recoveryLead: string;
  readonly toAccount: string;
};

const english: CodeGeneratorTexts = {
  title: 'Authenticator app',
  lead: 'An app on your phone shows a code of six digits, which is asked for after your password.',
  demanded: 'A password alone is not enough here. Set up an authenticator app to go on.',
  orPasskey: 'Or add a passkey.',
  state: { on: 'set up', off: 'not set up' },
  setUp: 'Set up an authenticator app',
  replace: 'Set up another app instead',
  remove: 'Remove the app',
  recoveryLeft: (count) =>
    `You have ${count === 1 ? 'one unused recovery code' : `${count} unused recovery codes`}.`,
  newRecoveryCodes: 'Make new recovery codes',
  scan: 'Scan this with your authenticator app.',
  qrCode: 'QR code of the key below',
  type: 'Or type this key into the app:',
  code: 'Code',
  codeHint: 'The six digits that the app shows now.',
  confirm: 'Confirm',
  again: 'The app is not set up yet',
  wrongCode: 'The code is wrong. Does your phone show the right time?',
  expired: 'That took too long, or too many codes were wrong. Begin again.',
  unavailable:
    'Authenticator apps cannot be set up at the moment: a setting of the registry is missing. Tell the registry, or add a passkey.',
  done: 'The app is set up. Your other sessions have ended.',
  recoveryTitle: 'Your recovery codes',
  recoveryLead:
    'Each works once, with your password, when you have lost your phone. They are not shown again: print them, or keep them in a password manager.',
  toAccount: 'I’ve saved them',
};

const estonian: CodeGeneratorTexts = {
  title: 'Autentimisrakendus',
  lead: 'Telefonis olev rakendus näitab kuuekohalist koodi, mida küsitakse pärast parooli.',
  demanded: 'Ainult paroolist siin ei piisa. Jätkamiseks seadista autentimisrakendus.',
  orPasskey: 'Või lisa pääsuvõti.',
  state: { on: 'seadistatud', off: 'seadistamata' },
  setUp: 'Seadista autentimisrakendus',
  replace: 'Seadista asemele teine rakendus',
  remove: 'Eemalda rakendus',
  recoveryLeft: (count) =>
    `Sul on ${count === 1 ? 'üks kasutamata taastekood' : `${count} kasutamata taastekoodi`}.`,
  newRecoveryCodes: 'Loo uued taastekoodid',
  scan: 'Skaneeri see oma autentimisrakendusega.',
  qrCode: 'Allpool oleva võtme QR-kood',
  type: 'Või sisesta rakendusse see võti:',
  code: 'Kood',
  codeHint: 'Kuus numbrit, mida rakendus praegu näitab.',
  confirm: 'Kinnita',
  again: 'Rakendus ei ole veel seadistatud',
  wrongCode: 'Kood on vale. Kas su telefoni kell on õige?',
  expired: 'See võttis liiga kaua aega või oli liiga palju valesid koode. Alusta uuesti.',
  unavailable:
    'Autentimisrakendust ei saa praegu seadistada: registril puudub selleks vajalik seadistus. Teata registrile või lisa pääsuvõti.',
  done: 'Rakendus on seadistatud. Su teised seansid on lõpetatud.',
  recoveryTitle: 'Sinu taastekoodid',
  recoveryLead:
    'Igaühega saab koos parooliga ühe korra sisse logida, kui oled telefoni kaotanud. Neid rohkem ei näidata: prindi need välja või hoia paroolihalduris.',
  toAccount: 'Olen need salvestanud',
};

const TEXTS: Readonly<Record<Language, CodeGeneratorTexts>> = { en: english, et: estonian };
export const codeGeneratorTexts = (lang: Language): CodeGeneratorTexts => TEXTS[lang];
