import type { Language } from '../../html/layout.ts';

export type PasskeyTexts = {
  readonly title: string;
  readonly lead: string;
  readonly state: (count: number) => string;
  readonly needsScript: string;
  readonly name: string;
  readonly nameHint: string;
  readonly added: string;
  readonly lastUsed: string;
  readonly never: string;
  readonly remove: string;
  readonly add: string;
  readonly addTitle: string;
  readonly addLead: string;
  readonly again: string;
  readonly failed: string;
  readonly refused: string;
  readonly tooMany: string;
  readonly done: string;
};

const english: PasskeyTexts = {
  title: 'Passkeys',
  lead: 'A passkey logs you in with your fingerprint, your face or the PIN of your device. It cannot be phished, and needs no password and no code.',
  state: (count) => (count === 0 ? 'none' : String(count)),
  needsScript: 'Passkeys need a browser that supports them, with scripts allowed.',
  name: 'Name of the device',
  nameHint: 'So that you recognise it in this list.',
  added: 'Added',
  lastUsed: 'Last used',
  never: 'never',
  remove: 'Remove',
  add: 'Add a passkey',
  addTitle: 'Add a passkey',
  addLead: 'Your browser asks you now.',
  again: 'Ask again',
  failed: 'No passkey was added. The prompt was closed, or this device has one already.',
  refused: 'The passkey was not accepted, or came too late. Try again.',
  tooMany: 'You have as many passkeys as are allowed. Remove one first.',
  done: 'The passkey is added.',
};

const estonian: PasskeyTexts = {
  title: 'Pääsuvõtmed',
  lead: 'Pääsuvõti logib sind sisse sõrmejälje, näo või seadme PIN-koodiga. Seda ei saa võltslehele ära anda ning parooli ega koodi pole vaja.',
  state: (count) => (count === 0 ? 'puuduvad' : String(count)),
  needsScript: 'Pääsuvõtmed vajavad brauserit, mis neid toetab ja lubab skripte.',
  name: 'Seadme nimi',
  nameHint: 'Et sa selle loendis ära tunneksid.',
  added: 'Lisatud',
  lastUsed: 'Viimati kasutatud',
  never: 'mitte kunagi',
  remove: 'Eemalda',
  add: 'Lisa pääsuvõti',
  addTitle: 'Lisa pääsuvõti',
  addLead: 'Brauser küsib sinult nüüd.',
  again: 'Küsi uuesti',
  failed: 'Pääsuvõtit ei lisatud. Küsimus suleti või on sellel seadmel pääsuvõti juba olemas.',
  refused: 'Pääsuvõtit ei võetud vastu või tuli see liiga hilja. Proovi uuesti.',
  tooMany: 'Sul on nii palju pääsuvõtmeid, kui lubatud. Eemalda enne mõni.',
  done: 'Pääsuvõti on lisatud.',
};

const TEXTS: Readonly<Record<Language, PasskeyTexts>> = { en: english, et: estonian };
export const passkeyTexts = (lang: Language): PasskeyTexts => TEXTS[lang];
