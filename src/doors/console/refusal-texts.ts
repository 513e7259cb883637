import { type Refusal, textOf } from '../../operations/refusal.ts';
import { fillIn } from '../../platform/values/placeholders.ts';
import type { catalogue as certificates } from '../../registry/certificates/certificate-refusals.ts';
import type { catalogue as staff } from '../../registry/operator-refusals.ts';
import type { catalogue } from '../../registry/registry-refusals.ts';
import type { Language } from '../html/layout.ts';
import { ownStatusWords } from './domains/own-statuses.ts';
import type { catalogue as own } from './form-refusals.ts';

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
      | 'fault'
      | 'noInvoiceNumber'
      | 'providerAway'
      | 'providerMissing'
    )
  | keyof typeof own;
/** Of operations that operators have too. */
type OfStaff = Extract<
  keyof typeof staff | keyof typeof certificates,
  | (
      | 'lastAdministrator'
      | 'membershipTaken'
      | 'personDisabled'
      | 'personElsewhere'
      | 'personNotOfRegistrar'
      | 'tooManyInvitations'
    )
  | ('personEmailInvalid' | 'personNameInvalid' | 'tooManyUsers' | 'usernameInvalid' | 'usernameTaken')
  | ('addressRangeInvalid' | 'addressesTaken' | 'ownAddressOutside' | 'tooManyAddresses')
  | ('certificateNotGood' | 'requestOfAnother' | 'requestUnusable' | 'requestWaits')
>;
type Texts = Readonly<Record<Exclude<RefusalName, Foreign> | Own | OfStaff, string>>;

const english: Texts = {
  fieldMissing: 'This is required.',
  wrongSyntax: 'Expected: {expected}.',
  outOfRange: 'Expected: {expected}.',
  keyReused: 'This form was already submitted with other content. Open it again.',
  noInvoiceNumber: 'The registry has no more numbers for invoices. Ask it for help.',
  providerAway: 'The payment provider cannot be used at the moment. Try again later.',
  providerMissing: 'The registry has no payment provider.',
  formStale:
    'Someone changed this while you were editing. The form now shows the present state: please fill it in again.',
  nothingChanges: 'It already has these values.',
  listTooLong: 'There are more than {most} lines, or entries on one line.',
  fault: 'Something went wrong here, and it was logged. Ask the registry for help.',
  tooManyBulkJobs:
    'A registrar has at most {jobs} bulk changes under way, and {rows} domains in those of a day. Wait until one is done.',
  tooManyDomains: 'These are more than 10,000 domains. Split the list.',
  notName: 'This is not a domain name. Is the domain in another column?',
  twoCodes: 'The domain is named twice, with different transfer codes.',
  twoPeriods: 'The domain is named twice, with different periods.',
  quoteUnclosed: 'The quotation mark in line {line} is not closed.',
  noDomainNamed: 'Enter at least one domain.',
  noDomainHasNameserver: 'None of your domains has this nameserver. List the domains to add it to.',
  noDomainHasContact: 'None of your domains has this contact.',
  domainUnknown: 'There is no such domain.',
  otherTyped: 'Type {name} exactly.',
  viewNameWrong: 'Enter a name of at most 60 characters.',
  viewNameTaken: 'You have a view with this name. Choose another one.',
  viewEmpty: 'Filter or sort the list first.',
  viewTooLong: 'These filters are too long. Shorten one.',
  tooManyViews: 'You have {most} views of this list. Remove one first.',
  noRole: 'Choose at least one role.',
  noDay: 'Enter a day.',
  noContactRole: 'Choose a role for the new contact, or empty its fields.',
  twoRegistrants:
    'The new contact is the registrant already. Empty this field, or give the new contact another role.',
  noEventChosen: 'Choose at least one event below, or all.',
  webhooksOff: 'This registry does not send webhooks.',
  tooManyWebhooks: 'A registrar has at most {most} webhooks. Delete one first.',
  webhookDisabled: 'The webhook is disabled. Enable it first.',
  notAllowed: 'Your role does not allow this.',
  objectMissing: 'It does not exist, or does not belong to your registrar.',
  objectGone: 'It was removed.',
  positionGone: 'What was asked for is older than what is kept.',
  positionUnknown: 'The place in the feed of events is not known.',
  requestMissing: 'No request to the registrant is open any more.',
  requestSentRecently: 'The mail was sent a moment ago. Try again in {minutes} min.',
  requestSentOften: 'The mail was already sent again {most} times. Withdraw the request and make a new one.',
  changedSince: 'Somebody has changed this since the job.',
  notChangedByJob: 'The job did not change this domain.',
  statusProhibits: 'The status forbids it: {status}.',
  notSponsor: 'The domain belongs to another registrar.',
  bodyObjectMissing: 'There is no {object}, or it does not belong to your registrar.',
  nameInvalid: 'This cannot be a name: {reason}.',
  nameTaken: 'The name is registered already.',
  nameYours: 'This domain is yours already.',
  nameBlocked: 'This name cannot be registered.',
  reservationCodeMissing: 'The name is reserved. The party that reserved it has the code for it.',
  wrongCode: 'The code is wrong.',
  codeMissing: 'The code is missing.',
  alreadySponsor: 'The domain belongs to your registrar already.',
  notTransferable: 'The domain cannot be transferred now.',
  sameContact: 'The new contact is the present one.',
  sameNameserver: 'The new nameserver is the present one.',
  tooManyWrongCodes: 'Too many wrong codes were tried for this name. Try again in {minutes} min.',
  noPrice: 'There is no price for this period.',
  otherPrice: 'The price has changed: it is {price} now. Look at the preview again.',
  noFunds: 'The balance does not cover the price. Top up the account first.',
  contactTwice: 'A contact is named twice in one role: {contact}.',
  contactNotLinked: 'The domain has no such contact: {contact}.',
  adminNotPerson: 'An administrative contact must be a person: {contact}.',
  adminTooYoung: 'An administrative contact must be of age: {contact}.',
  adminRequired: 'The domain of an organisation needs an administrative contact.',
  nameserverCount: 'Enter {least} to {most} nameservers, or none.',
  nameserverTaken: 'The domain would have a nameserver twice.',
  nameserverNotLinked: 'The domain does not have this nameserver: {object}.',
  glueMissing: 'A nameserver inside the domain itself needs an IP address.',
  dnsKeyTaken: 'The domain has this key already.',
  dnsKeyMissing: 'The domain has no such key.',
  tooMany: 'A domain has at most {most} of these.',
  statusUnsupported: 'Only the registry changes this status.',
  statusPresent: 'The domain has this status already.',
  statusAbsent: 'The domain does not have this status.',
  expiryMismatch: 'The domain was renewed meanwhile. Look at its page before you renew it again.',
  expiryTooFar: 'The domain would expire too late: the limit is {limit}.',
  expiryPast: 'The domain would still be expired. Choose a longer period.',
  renewalTooEarly: 'It can be renewed from {days} days before it expires.',
  domainTwice: 'A domain is named twice: {name}.',
  contactCodeTaken: 'Your registrar has a contact with this code already.',
  contactLinked: 'Domains use this contact, or are about to: its page lists them.',
  contactStatusUnsupported: 'Only the registry changes this status.',
  contactStatusPresent: 'The contact has this status already.',
  contactStatusAbsent: 'The contact does not have this status.',
  identUnchangeable: 'The identification of a contact cannot be changed. Create a new contact.',
  lastAdministrator: 'This person is the last administrator. Make somebody else an administrator first.',
  personEmailInvalid: 'Enter one email address.',
  personNameInvalid: 'Enter a name of 1 to 100 characters.',
  personElsewhere: 'This person works for other registrars too. Ask the registry to reset the second factor.',
  ownFactors: 'Change your own second factor under My account.',
  personNotOfRegistrar: 'This person does not work for your registrar any more.',
  membershipTaken: 'This person works for your registrar already.',
  personDisabled: 'The registry has disabled this person. Ask the registry.',
  tooManyInvitations: 'Your registrar has sent too many invitations today. Try again tomorrow.',
  usernameInvalid: 'A username has 1 to 64 letters, digits and . _ @ -',
  tooManyUsers: 'Your registrar has {most} API users. Disable one that is not needed, or ask the registry.',
  usernameTaken: 'This username is taken.',
  requestUnusable:
    'This is not a valid certificate request: PKCS #10 in PEM, signed by its own key, EC on P-256, P-384 or P-521, or RSA of 2,048 to 8,192 bits.',
  requestOfAnother: 'The CN of the request must be the username.',
  requestWaits: 'A request of this user waits already.',
  certificateNotGood: 'The certificate is revoked already.',
  addressRangeInvalid: 'Enter an address or a range such as 203.0.113.0/24.',
  addressesTaken: 'This is on the list already.',
  tooManyAddresses: 'The list has 256 ranges; remove one first.',
  ownAddressOutside: 'Your own address {address} would not be on the list, and you would lose access.',
};

const estonian: Texts = {
  fieldMissing: 'See väli on kohustuslik.',
  wrongSyntax: 'Väärtus ei ole sobival kujul.',
  outOfRange: 'Väärtus ei ole lubatud vahemikus.',
  keyReused: 'See vorm on juba teise sisuga saadetud. Ava see uuesti.',
  noInvoiceNumber: 'Registril on arvenumbrid otsas. Küsi registrilt abi.',
  providerAway: 'Makseteenust ei saa praegu kasutada. Proovi hiljem uuesti.',
  providerMissing: 'Registril ei ole makseteenust.',
  formStale: 'Seda muudeti pärast vormi avamist. Vorm näitab nüüd praegust seisu: palun täida see uuesti.',
  nothingChanges: 'Midagi ei ole muuta: andmed on juba sellised.',
  listTooLong: 'Siin on üle {most} rea või ühel real üle {most} kirje.',
  fault: 'Midagi läks siin valesti ja see on logitud. Küsi registrilt abi.',
  tooManyBulkJobs:
    'Registripidajal saab korraga pooleli olla kuni {jobs} hulgitoimingut ja ööpäevas {rows} domeeni. Oota, kuni mõni on valmis.',
  tooManyDomains: 'Siin on üle 10 000 domeeni. Jaga loend osadeks.',
  notName: 'See ei ole domeeninimi. Kas domeen on teises veerus?',
  twoCodes: 'Domeen on loendis kaks korda erinevate ülekandekoodidega.',
  twoPeriods: 'Domeen on loendis kaks korda erinevate perioodidega.',
  quoteUnclosed: 'Jutumärk {line}. real on sulgemata.',
  noDomainNamed: 'Sisesta vähemalt üks domeen.',
  noDomainHasNameserver:
    'Ühelgi sinu domeenil ei ole seda nimeserverit. Loetle domeenid, millele see lisada.',
  noDomainHasContact: 'Ühelgi sinu domeenil ei ole seda kontakti.',
  domainUnknown: 'Sellist domeeni ei ole.',
  otherTyped: 'Kirjuta täpselt {name}.',
  viewNameWrong: 'Sisesta nimi, kuni 60 märki.',
  viewNameTaken: 'Sul on juba sellise nimega vaade. Vali teine nimi.',
  viewEmpty: 'Enne filtreeri või järjesta loend.',
  viewTooLong: 'Filtrid on liiga pikad. Lühenda mõnda.',
  tooManyViews: 'Sul on sellel loendil juba {most} vaadet. Eemalda enne mõni.',
  noRole: 'Vali vähemalt üks roll.',
  noDay: 'Sisesta kuupäev.',
  noContactRole: 'Vali uue kontakti roll või tühjenda selle väljad.',
  twoRegistrants:
    'Registreerijaks on märgitud uus kontakt. Tühjenda see väli või vali uuele kontaktile muu roll.',
  noEventChosen: 'Vali allpool vähemalt üks sündmus või kõik sündmused.',
  webhooksOff: 'See register ei kasuta veebihaake.',
  tooManyWebhooks: 'Registripidajal saab olla kuni {most} veebihaaki. Kustuta enne mõni.',
  webhookDisabled: 'Veebihaak on välja lülitatud. Lülita see enne sisse.',
  notAllowed: 'Sinu roll ei luba seda.',
  objectMissing: 'Seda ei ole olemas või see ei kuulu sinu registripidajale.',
  objectGone: 'See on eemaldatud.',
  positionGone: 'Küsitu on vanem kui see, mida hoitakse.',
  positionUnknown: 'Kohta sündmuste voos ei tunta.',
  requestMissing: 'Registreerijale ei ole enam ühtegi avatud taotlust.',
  requestSentRecently: 'Kiri saadeti äsja. Proovi uuesti {minutes} min pärast.',
  requestSentOften: 'Kirja on juba {most} korda uuesti saadetud. Võta taotlus tagasi ja esita uus.',
  changedSince: 'Seda on pärast tööd muudetud.',
  notChangedByJob: 'Töö ei muutnud seda domeeni.',
  statusProhibits: 'Olek ei luba seda: {status}.',
  notSponsor: 'Domeen kuulub teisele registripidajale.',
  bodyObjectMissing: '{object} puudub või ei kuulu sinu registripidajale.',
  nameInvalid: 'See ei saa olla domeeninimi.',
  nameTaken: 'Nimi on juba registreeritud.',
  nameYours: 'See domeen on juba sinu oma.',
  nameBlocked: 'Seda nime ei saa registreerida.',
  reservationCodeMissing: 'Nimi on broneeritud. Kood on sellel, kes nime broneeris.',
  wrongCode: 'Kood on vale.',
  codeMissing: 'Kood puudub.',
  alreadySponsor: 'Domeen kuulub juba sinu registripidajale.',
  notTransferable: 'Domeeni ei saa praegu üle kanda.',
  sameContact: 'Uus kontakt on sama mis praegune.',
  sameNameserver: 'Uus nimeserver on sama mis praegune.',
  tooManyWrongCodes:
    'Selle nime kohta on proovitud liiga palju valesid koode. Proovi uuesti {minutes} min pärast.',
  noPrice: 'Sellel perioodil ei ole hinda.',
  otherPrice: 'Hind on muutunud: nüüd on see {price}. Vaata eelvaadet uuesti.',
  noFunds: 'Saldost ei piisa. Lisa kontole raha.',
  contactTwice: 'Kontakt on ühes rollis kaks korda: {contact}.',
  contactNotLinked: 'Domeenil ei ole sellist kontakti: {contact}.',
  adminNotPerson: 'Halduskontakt peab olema eraisik: {contact}.',
  adminTooYoung: 'Halduskontakt peab olema täisealine: {contact}.',
  adminRequired: 'Organisatsiooni domeenil peab olema halduskontakt.',
  nameserverCount: 'Sisesta {least} kuni {most} nimeserverit või mitte ühtegi.',
  nameserverTaken: 'Domeenil oleks nimeserver kaks korda.',
  nameserverNotLinked: 'Domeenil ei ole seda nimeserverit: {object}.',
  glueMissing: 'Domeeni enda all olev nimeserver vajab IP-aadressi.',
  dnsKeyTaken: 'Domeenil on see võti juba olemas.',
  dnsKeyMissing: 'Domeenil ei ole sellist võtit.',
  tooMany: 'Domeenil saab neid olla kõige rohkem {most}.',
  statusUnsupported: 'Seda olekut muudab ainult register.',
  statusPresent: 'Domeenil on see olek juba olemas.',
  statusAbsent: 'Domeenil ei ole seda olekut.',
  expiryMismatch: 'Domeeni on vahepeal pikendatud. Vaata enne uut pikendamist selle lehte.',
  expiryTooFar: 'Domeen aeguks liiga hilja: piir on {limit}.',
  expiryPast: 'Domeen oleks ikka aegunud. Vali pikem periood.',
  renewalTooEarly: 'Pikendada saab alates {days} päeva enne aegumist.',
  domainTwice: 'Domeen on loendis kaks korda: {name}.',
  contactCodeTaken: 'Sinu registripidajal on selle koodiga kontakt juba olemas.',
  contactLinked: 'Domeenid kasutavad seda kontakti või hakkavad kasutama: need on loetletud kontakti lehel.',
  contactStatusUnsupported: 'Seda olekut muudab ainult register.',
  contactStatusPresent: 'Kontaktil on see olek juba olemas.',
  contactStatusAbsent: 'Kontaktil ei ole seda olekut.',
  identUnchangeable: 'Kontakti isiku- või registrikoodi ega sünniaega ei saa muuta. Loo uus kontakt.',
  lastAdministrator: 'See inimene on viimane administraator. Määra enne keegi teine administraatoriks.',
  personEmailInvalid: 'Sisesta üks e-posti aadress.',
  personNameInvalid: 'Sisesta nimi, 1 kuni 100 märki.',
  personElsewhere:
    'See inimene töötab ka teiste registripidajate heaks. Teise autentimisviisi lähtestab register.',
  ownFactors: 'Oma teist autentimisviisi muuda oma konto lehel.',
  personNotOfRegistrar: 'See inimene ei tööta enam sinu registripidaja heaks.',
  membershipTaken: 'See inimene juba töötab sinu registripidaja heaks.',
  personDisabled: 'Register on selle inimese ligipääsu sulgenud. Pöördu registri poole.',
  tooManyInvitations: 'Sinu registripidaja on täna saatnud liiga palju kutseid. Proovi homme uuesti.',
  usernameInvalid: 'Kasutajanimes on 1 kuni 64 tähte, numbrit või märki . _ @ -',
  tooManyUsers:
    'Sinu registripidajal on {most} API kasutajat. Sulge ligipääs kasutajal, keda enam ei vajata, või küsi registrilt.',
  usernameTaken: 'See kasutajanimi on juba võetud.',
  requestUnusable:
    'See ei ole sobiv päring: vaja on PKCS #10 päringut PEM-vormingus, oma võtmega allkirjastatud, EC võti P-256, P-384 või P-521 või RSA võti 2048 kuni 8192 bitti.',
  requestOfAnother: 'Päringu CN peab olema kasutajanimi.',
  requestWaits: 'Selle kasutaja üks päring juba ootab.',
  certificateNotGood: 'Sertifikaat on juba tühistatud.',
  addressRangeInvalid: 'Sisesta aadress või vahemik, näiteks 203.0.113.0/24.',
  addressesTaken: 'See on juba nimekirjas.',
  tooManyAddresses: 'Nimekirjas on 256 vahemikku; eemalda enne mõni.',
  ownAddressOutside: 'Sinu enda aadress {address} jääks nimekirjast välja ja sinu ligipääs kaoks.',
};

const TEXTS: Readonly<Record<Language, Readonly<Record<string, string | undefined>>>> = {
  en: english,
  et: estonian,
};

/** A refusal for people; where there is no text for it, that of the APIs. */
export function refusalText(refusal: Refusal | Pick<Refusal, 'name' | 'values'>, lang: Language): string {
  const text = TEXTS[lang][refusal.name];
  if (text === undefined) return 'text' in refusal ? textOf(refusal) : refusal.name;
  const minutes = Math.max(1, Math.ceil(Number(refusal.values.seconds) / 60));
  return fillIn(text, { ...refusal.values, ...statusIn(refusal, lang), minutes });
}

/** Statuses by what the page of a domain calls them; one of a later version by its code. */
function statusIn({ values: { status } }: Pick<Refusal, 'values'>, lang: Language) {
  if (typeof status !== 'string') return {};
  const words = status.split(', ').map((code) => ownStatusWords(lang, code)?.title ?? code);
  return { status: words.join(', ') };
}
