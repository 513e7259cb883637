import { type Refusal, textOf } from '../../operations/refusal.ts';
import type { catalogue } from '../../registry/registry-refusals.ts';
import type { Language } from '../html/layout.ts';
import type { catalogue as own } from './form-refusals.ts';

type Details = (name: string) => string;
type Words = (details: Details) => string;
type RefusalName = keyof typeof catalogue;
/** Those that no form of the console can meet. */
type Foreign =
  | 'badCredentials'
  | 'tooManyRequests'
  | 'tooManyFailures'
  | 'tooManySessions'
  | 'transferMissing'
  | 'legalDocumentSize'
  | 'otherIdent'
  | 'contactAmbiguous'
  | 'samePassword';
/** Of the reader of forms, of billing, and of the forms themselves. */
type Own =
  | (
      | 'fieldMissing'
      | 'wrongSyntax'
      | 'outOfRange'
      | 'keyReused'
      | 'noInvoiceNumber'
      | 'providerAway'
      | 'providerMissing'
    )
  | keyof typeof own;
type Texts = Readonly<Record<Exclude<RefusalName, Foreign> | Own, Words>>;

const minutes = (details: Details) => Math.max(1, Math.ceil(Number(details('seconds')) / 60));

const english: Texts = {
  fieldMissing: () => 'This is required.',
  wrongSyntax: (of) => `Expected: ${of('expected')}.`,
  outOfRange: (of) => `Expected: ${of('expected')}.`,
  keyReused: () => 'This form was sent before with another content. Open it again.',
  noInvoiceNumber: () => 'The registry has no more numbers for invoices. Ask it for help.',
  providerAway: () => 'The payment provider cannot be used at the moment. Try again later.',
  providerMissing: () => 'The registry has no payment provider.',
  formStale: () =>
    'It was changed after you had opened this form. The form now shows the present state: please fill it in again.',
  nothingChanges: () => 'This is what it is already.',
  listTooLong: (of) => `There are more than ${of('most')} lines, or entries on one line.`,
  domainUnknown: () => 'There is no such domain.',
  noEventChosen: () => 'Choose at least one event below, or all.',
  webhooksOff: () => 'This registry does not send webhooks.',
  tooManyWebhooks: (of) => `A registrar has at most ${of('most')} webhooks. Delete one first.`,
  webhookDisabled: () => 'The webhook is disabled. Enable it first.',
  notAllowed: () => 'Your role does not allow this.',
  objectMissing: () => 'It does not exist, or does not belong to your registrar.',
  objectGone: () => 'It was removed.',
  statusProhibits: (of) => `The status forbids it: ${of('status')}.`,
  notSponsor: () => 'The domain belongs to another registrar.',
  bodyObjectMissing: (of) => `There is no ${of('object')}, or it does not belong to your registrar.`,
  nameInvalid: (of) => `This cannot be a name: ${of('reason')}.`,
  nameTaken: () => 'The name is registered already.',
  nameBlocked: () => 'The registry gives this name to nobody.',
  reservationCodeMissing: () => 'The name is reserved. The party that reserved it has the code for it.',
  wrongCode: () => 'The code is wrong.',
  codeMissing: () => 'The code is missing.',
  alreadySponsor: () => 'The domain belongs to your registrar already.',
  notTransferable: () => 'The domain cannot be transferred now.',
  sameContact: () => 'The new contact is the present one.',
  sameNameserver: () => 'The new nameserver is the present one.',
  tooManyWrongCodes: (of) =>
    `Too many wrong codes were tried for this name. Try again in ${minutes(of)} minutes.`,
  noPrice: () => 'There is no price for this period.',
  otherPrice: (of) => `The price has changed: it is ${of('price')} now. Look at the preview again.`,
  noFunds: () => 'The balance does not cover the price. Top up the account first.',
  contactTwice: (of) => `A contact is named twice in one role: ${of('contact')}.`,
  contactNotLinked: (of) => `The domain has no such contact: ${of('contact')}.`,
  adminNotPerson: (of) => `An administrative contact must be a person: ${of('contact')}.`,
  adminTooYoung: (of) => `An administrative contact must be of age: ${of('contact')}.`,
  adminRequired: () => 'The domain of an organisation needs an administrative contact.',
  nameserverCount: (of) => `A domain has no nameservers, or ${of('least')} to ${of('most')}.`,
  nameserverTaken: () => 'The domain would have a nameserver twice.',
  nameserverNotLinked: (of) => `The domain does not have this nameserver: ${of('object')}.`,
  glueMissing: () => 'A nameserver below the domain itself needs an address.',
  dnsKeyTaken: () => 'The domain has this key already.',
  dnsKeyMissing: () => 'The domain has no such key.',
  tooMany: (of) => `A domain has at most ${of('most')} of these.`,
  statusUnsupported: () => 'Only the registry changes this status.',
  statusPresent: () => 'The domain has this status already.',
  statusAbsent: () => 'The domain does not have this status.',
  expiryMismatch: () => 'The domain was renewed meanwhile. Look at its page before you renew it again.',
  expiryTooFar: (of) => `The domain would expire too late: the limit is ${of('limit')}.`,
  expiryPast: () => 'The domain would still be expired. Choose a longer period.',
  renewalTooEarly: (of) => `It can be renewed from ${of('days')} days before it expires.`,
  domainTwice: (of) => `A domain is named twice: ${of('name')}.`,
  contactCodeTaken: () => 'Your registrar has a contact with this code already.',
  contactLinked: () => 'Domains have this contact, or are to have it: its page lists them.',
  contactStatusUnsupported: () => 'Only the registry changes this status.',
  contactStatusPresent: () => 'The contact has this status already.',
  contactStatusAbsent: () => 'The contact does not have this status.',
  identUnchangeable: () => 'The identification of a contact cannot be changed. Create a new contact.',
};

const estonian: Texts = {
  fieldMissing: () => 'See väli on kohustuslik.',
  wrongSyntax: () => 'Väärtus ei ole sobival kujul.',
  outOfRange: () => 'Väärtus ei ole lubatud vahemikus.',
  keyReused: () => 'See vorm on juba teise sisuga saadetud. Ava see uuesti.',
  noInvoiceNumber: () => 'Registril on arvenumbrid otsas. Küsi registrilt abi.',
  providerAway: () => 'Makseteenust ei saa praegu kasutada. Proovi hiljem uuesti.',
  providerMissing: () => 'Registril ei ole makseteenust.',
  formStale: () =>
    'Seda muudeti pärast vormi avamist. Vorm näitab nüüd praegust seisu: palun täida see uuesti.',
  nothingChanges: () => 'Nii see juba on.',
  listTooLong: (of) => `Siin on üle ${of('most')} rea või ühel real üle ${of('most')} kirje.`,
  domainUnknown: () => 'Sellist domeeni ei ole.',
  noEventChosen: () => 'Vali allpool vähemalt üks sündmus või kõik sündmused.',
  webhooksOff: () => 'See register ei kasuta veebihaake.',
  tooManyWebhooks: (of) => `Registripidajal saab olla kuni ${of('most')} veebihaaki. Kustuta enne mõni.`,
  webhookDisabled: () => 'Veebihaak on välja lülitatud. Lülita see enne sisse.',
  notAllowed: () => 'Sinu roll ei luba seda.',
  objectMissing: () => 'Seda ei ole olemas või ei kuulu see sinu registripidajale.',
  objectGone: () => 'See on eemaldatud.',
  statusProhibits: (of) => `Olek ei luba seda: ${of('status')}.`,
  notSponsor: () => 'Domeen kuulub teisele registripidajale.',
  bodyObjectMissing: (of) => `${of('object')} puudub või ei kuulu sinu registripidajale.`,
  nameInvalid: () => 'See ei saa olla domeeninimi.',
  nameTaken: () => 'Nimi on juba registreeritud.',
  nameBlocked: () => 'Register ei anna seda nime kellelegi.',
  reservationCodeMissing: () => 'Nimi on broneeritud. Kood on sellel, kes nime broneeris.',
  wrongCode: () => 'Kood on vale.',
  codeMissing: () => 'Kood puudub.',
  alreadySponsor: () => 'Domeen kuulub juba sinu registripidajale.',
  notTransferable: () => 'Domeeni ei saa praegu üle kanda.',
  sameContact: () => 'Uus kontakt on sama mis praegune.',
  sameNameserver: () => 'Uus nimeserver on sama mis praegune.',
  tooManyWrongCodes: (of) =>
    `Selle nime kohta on proovitud liiga palju valesid koode. Proovi uuesti ${minutes(of)} minuti pärast.`,
  noPrice: () => 'Sellel perioodil ei ole hinda.',
  otherPrice: (of) => `Hind on muutunud: nüüd on see ${of('price')}. Vaata eelvaadet uuesti.`,
  noFunds: () => 'Saldost ei piisa. Lisa kontole raha.',
  contactTwice: (of) => `Kontakt on ühes rollis kaks korda: ${of('contact')}.`,
  contactNotLinked: (of) => `Domeenil ei ole sellist kontakti: ${of('contact')}.`,
  adminNotPerson: (of) => `Halduskontakt peab olema isik: ${of('contact')}.`,
  adminTooYoung: (of) => `Halduskontakt peab olema täisealine: ${of('contact')}.`,
  adminRequired: () => 'Organisatsiooni domeenil peab olema halduskontakt.',
  nameserverCount: (of) => `Domeenil ei ole nimeservereid või on neid ${of('least')} kuni ${of('most')}.`,
  nameserverTaken: () => 'Domeenil oleks nimeserver kaks korda.',
  nameserverNotLinked: (of) => `Domeenil ei ole seda nimeserverit: ${of('object')}.`,
  glueMissing: () => 'Domeeni enda all olev nimeserver vajab aadressi.',
  dnsKeyTaken: () => 'Domeenil on see võti juba olemas.',
  dnsKeyMissing: () => 'Domeenil ei ole sellist võtit.',
  tooMany: (of) => `Domeenil saab neid olla kõige rohkem ${of('most')}.`,
  statusUnsupported: () => 'Seda olekut muudab ainult register.',
  statusPresent: () => 'Domeenil on see olek juba olemas.',
  statusAbsent: () => 'Domeenil ei ole seda olekut.',
  expiryMismatch: () => 'Domeeni on vahepeal pikendatud. Vaata enne uut pikendamist selle lehte.',
  expiryTooFar: (of) => `Domeen aeguks liiga hilja: piir on ${of('limit')}.`,
  expiryPast: () => 'Domeen oleks ikka aegunud. Vali pikem periood.',
  renewalTooEarly: (of) => `Pikendada saab alates ${of('days')} päeva enne aegumist.`,
  domainTwice: (of) => `Domeen on kaks korda: ${of('name')}.`,
  contactCodeTaken: () => 'Sinu registripidajal on selle koodiga kontakt juba olemas.',
  contactLinked: () => 'Domeenidel on see kontakt või nad on seda saamas: need on loetletud kontakti lehel.',
  contactStatusUnsupported: () => 'Seda olekut muudab ainult register.',
  contactStatusPresent: () => 'Kontaktil on see olek juba olemas.',
  contactStatusAbsent: () => 'Kontaktil ei ole seda olekut.',
  identUnchangeable: () => 'Kontakti isikuandmeid ei saa muuta. Loo uus kontakt.',
};

const TEXTS: Readonly<Record<Language, Readonly<Record<string, Words | undefined>>>> = {
  en: english,
  et: estonian,
};

/** A refusal for people; where there is no text for it, that of the APIs. */
export function refusalText(refusal: Refusal, lang: Language): string {
  return TEXTS[lang][refusal.name]?.((key) => String(refusal.values[key] ?? '')) ?? textOf(refusal);
}
