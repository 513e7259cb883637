import type { Language } from '../html/layout.ts';

/** What a page says after a change. */
export type Notice =
  | 'registrarChanged'
  | 'otherLogin'
  | 'languageChanged'
  | 'sessionEnded'
  | 'otherSessionsEnded'
  | 'passwordChanged'
  | 'codeGeneratorRemoved'
  | 'passkeyAdded'
  | 'passkeyRemoved'
  | 'identityLinked'
  | 'identityUnlinked'
  | 'invitationAccepted'
  | 'domainRenewed'
  | 'invoiceIssued'
  | 'accountSettingsChanged'
  | 'personInvited'
  | 'invitationWithdrawn'
  | 'personRolesChanged'
  | 'personDisabled'
  | 'personEnabled'
  | 'personSessionsEnded'
  | 'personRemoved'
  | 'factorsReset'
  | 'userDisabled'
  | 'userEnabled'
  | 'userRolesChanged'
  | 'oldPasswordDropped'
  | 'addressAllowed'
  | 'addressDisallowed'
  | 'certificateRequested'
  | 'certificateRequestWithdrawn'
  | 'certificateRevoked'
  | 'domainRegistered'
  | 'domainTransferred'
  | 'domainChanged'
  | 'registrantChanged'
  | 'confirmationRequested'
  | 'domainHeld'
  | 'domainReleased'
  | 'requestSentAgain'
  | 'requestWithdrawn'
  | 'transferCodeReplaced'
  | 'domainDeleted'
  | 'contactCreated'
  | 'contactChanged'
  | 'contactDeleted'
  | 'messagesRead'
  | 'noMessageChosen'
  | 'webhookChanged'
  | 'jobStopped'
  | 'jobResumed'
  | 'webhookDisabled'
  | 'webhookEnabled'
  | 'webhookDeleted'
  | 'testEventSent'
  | 'deliveryReplayed'
  | 'deliveriesReplayed'
  | 'noDeliveryFailed'
  | 'columnsChosen'
  | 'viewSaved'
  | 'viewRenamed'
  | 'viewRemoved'
  | 'viewRestored'
  | 'viewOutdated'
  | 'lineSnoozed'
  | 'lineShown';

type NoticeTexts = Readonly<Record<Notice, string>>;

const english: NoticeTexts = {
  otherLogin:
    'The form was not sent: since you opened it, you have logged in as someone else or for another registrar.',
  registrarChanged: 'Switched to another registrar.',
  languageChanged: 'Language changed to English.',
  sessionEnded: 'The session has ended.',
  otherSessionsEnded: 'All your other sessions have ended.',
  passwordChanged: 'Your password is changed, and your other sessions have ended.',
  codeGeneratorRemoved: 'Your authenticator app is removed. Codes are no longer required.',
  passkeyAdded: 'The passkey is added.',
  passkeyRemoved: 'The passkey is removed. Delete it on your device too.',
  identityLinked: 'You can log in with the identity provider now.',
  identityUnlinked: 'You can no longer log in with the identity provider.',
  invitationAccepted: 'The invitation is accepted. Choose in the header which registrar you act for.',
  domainRenewed: 'The domain is renewed.',
  invoiceIssued: 'The invoice is issued. Your balance is credited when it is paid.',
  accountSettingsChanged: 'The warning and the automatic invoice are changed.',
  personInvited: 'The invitation is on its way by mail. It is valid for 48 hours.',
  invitationWithdrawn: 'The invitation is withdrawn. Its link does not work any more.',
  personRolesChanged: 'Roles updated.',
  personDisabled: 'Person disabled, and their sessions ended.',
  personEnabled: 'The person can work for this registrar again.',
  personSessionsEnded: 'The sessions of the person have ended.',
  factorsReset: 'The second factor is reset, and the person was told by mail.',
  personRemoved: 'The person does not work for this registrar any more.',
  userDisabled: 'API user disabled.',
  userEnabled: 'The API user can log in again.',
  userRolesChanged: 'The roles of the API user are changed.',
  oldPasswordDropped: 'The old password does not work any more.',
  addressAllowed: 'Address added.',
  addressDisallowed: 'Address removed.',
  certificateRequested:
    'The request waits for the registry to sign it. Then you can download the certificate here.',
  certificateRequestWithdrawn: 'The request is withdrawn.',
  certificateRevoked: 'The certificate is revoked, within seconds on every server.',
  domainRegistered: 'The domain is registered.',
  domainTransferred: 'The domain belongs to your registrar now.',
  domainChanged: 'The domain is changed.',
  registrantChanged: 'The registrant is changed, and the domain has a new transfer code.',
  confirmationRequested: 'The registrant is asked by mail to confirm.',
  domainHeld:
    'The domain is on hold. It leaves the zone: its website and mail stop working until you lift the hold.',
  requestSentAgain: 'The mail was sent again. The link in the earlier one no longer works.',
  requestWithdrawn: 'The request is withdrawn. The domain is as it was before.',
  domainReleased:
    'The hold is lifted. The domain will work again within a minute, unless the registry holds it too.',
  transferCodeReplaced: 'The domain has a new transfer code. The old one no longer works.',
  domainDeleted: 'The domain has left the zone and will be deleted. A renewal brings it back.',
  contactCreated: 'The contact is created.',
  contactChanged: 'The contact is changed.',
  contactDeleted: 'The contact is deleted.',
  messagesRead: 'The messages are marked as read.',
  noMessageChosen: 'No message was chosen, so nothing was changed.',
  webhookChanged: 'The webhook is changed.',
  jobStopped: 'The job is stopped. What is done stays done.',
  jobResumed: 'The job goes on.',
  webhookDisabled: 'The webhook is disabled. Nothing is sent to it.',
  webhookEnabled: 'The webhook is enabled. Events from now on are sent to it.',
  webhookDeleted: 'The webhook is deleted.',
  testEventSent: 'A test event is on its way. Its result is in the list of deliveries.',
  deliveryReplayed: 'The event is sent again.',
  deliveriesReplayed: 'The failed events since that day are sent again.',
  noDeliveryFailed: 'No event has failed since that day, so nothing is sent again.',
  columnsChosen: 'Columns saved. Only you see the list like this.',
  viewSaved: 'View saved. Only you see it.',
  viewRenamed: 'View renamed.',
  viewRemoved: 'View removed.',
  viewRestored: 'The view is back.',
  viewOutdated: 'The filters of this view no longer exist, so the whole list is shown. Remove the view.',
  lineSnoozed: 'Postponed, for you only. It comes back at once if there is more of it.',
  lineShown: 'The line is back.',
};

const estonian: NoticeTexts = {
  otherLogin:
    'Vormi ei saadetud: pärast selle avamist oled sisse loginud kellegi teisena või teise registripidaja nimel.',
  registrarChanged: 'Nüüd tegutsed teise registripidaja nimel.',
  languageChanged: 'Konsool on nüüd eesti keeles.',
  sessionEnded: 'Seanss on lõpetatud.',
  otherSessionsEnded: 'Kõik su teised seansid on lõpetatud.',
  passwordChanged: 'Su parool on vahetatud ja teised seansid on lõpetatud.',
  codeGeneratorRemoved: 'Su autentimisrakendus on eemaldatud. Sisselogimisel koodi enam ei küsita.',
  passkeyAdded: 'Pääsuvõti on lisatud.',
  passkeyRemoved: 'Pääsuvõti on eemaldatud. Kustuta see ka oma seadmest.',
  identityLinked: 'Nüüd saad sisse logida identiteediteenuse kaudu.',
  identityUnlinked: 'Identiteediteenuse kaudu sa enam sisse logida ei saa.',
  invitationAccepted: 'Kutse on vastu võetud. Päises saad valida, millise registripidaja nimel tegutsed.',
  domainRenewed: 'Domeen on pikendatud.',
  invoiceIssued: 'Arve on esitatud. Konto täieneb, kui arve on tasutud.',
  accountSettingsChanged: 'Hoiatus ja automaatne arve on muudetud.',
  personInvited: 'Kutse on e-kirjaga teel. See kehtib 48 tundi.',
  invitationWithdrawn: 'Kutse on tagasi võetud. Selle link enam ei tööta.',
  personRolesChanged: 'Rollid on muudetud.',
  personDisabled: 'Inimesel ei ole enam ligipääsu sellele registripidajale ja tema seansid on lõpetatud.',
  personEnabled: 'Inimene saab jälle selle registripidaja nimel tegutseda.',
  personSessionsEnded: 'Inimese seansid on lõpetatud.',
  factorsReset: 'Teine autentimisviis on lähtestatud ja inimesele saadeti kiri.',
  personRemoved: 'Inimene ei tööta enam selle registripidaja heaks.',
  userDisabled: 'API kasutaja ligipääs on suletud.',
  userEnabled: 'API kasutaja saab jälle sisse logida.',
  userRolesChanged: 'API kasutaja rollid on muudetud.',
  oldPasswordDropped: 'Vana parool enam ei tööta.',
  addressAllowed: 'Aadress on lisatud.',
  addressDisallowed: 'Aadress on eemaldatud.',
  certificateRequested: 'Päring ootab registri allkirja. Seejärel saab sertifikaadi siit alla laadida.',
  certificateRequestWithdrawn: 'Päring on tagasi võetud.',
  certificateRevoked: 'Sertifikaat on tühistatud, mõne sekundi jooksul kõigis serverites.',
  domainRegistered: 'Domeen on registreeritud.',
  domainTransferred: 'Domeen kuulub nüüd sinu registripidajale.',
  domainChanged: 'Domeeni andmed on muudetud.',
  registrantChanged: 'Registreerija on vahetatud ja domeenil on uus ülekandekood.',
  confirmationRequested: 'Registreerijalt paluti kirjaga kinnitust.',
  domainHeld:
    'Domeen on peatatud. See eemaldatakse tsoonist: veebileht ja e-post ei tööta, kuni sa peatamise lõpetad.',
  requestSentAgain: 'Kiri saadeti uuesti. Varasema kirja link enam ei kehti.',
  requestWithdrawn: 'Taotlus on tagasi võetud. Domeen on nagu enne seda.',
  domainReleased:
    'Peatamine on lõpetatud. Domeen töötab taas minuti jooksul, kui seda ei ole peatanud ka register.',
  transferCodeReplaced: 'Domeenil on uus ülekandekood. Endine kood enam ei kehti.',
  domainDeleted: 'Domeen on tsoonist eemaldatud ja kustutatakse. Pikendamisega saab selle tagasi.',
  contactCreated: 'Kontakt on loodud.',
  contactChanged: 'Kontakti andmed on muudetud.',
  contactDeleted: 'Kontakt on kustutatud.',
  messagesRead: 'Teated on märgitud loetuks.',
  noMessageChosen: 'Ühtegi teadet ei olnud valitud ja midagi ei muudetud.',
  webhookChanged: 'Veebihaak on muudetud.',
  jobStopped: 'Töö on peatatud. Tehtu jääb tehtuks.',
  jobResumed: 'Töö jätkub.',
  webhookDisabled: 'Veebihaak on välja lülitatud. Sellele ei saadeta midagi.',
  webhookEnabled: 'Veebihaak on sisse lülitatud. Sündmused saadetakse alates praegusest hetkest.',
  webhookDeleted: 'Veebihaak on kustutatud.',
  testEventSent: 'Proovisündmus on teel. Tulemus ilmub saadetiste loendisse.',
  deliveryReplayed: 'Sündmus saadetakse uuesti.',
  deliveriesReplayed: 'Alates sellest päevast ebaõnnestunud sündmused saadetakse uuesti.',
  noDeliveryFailed: 'Alates sellest päevast ei ole ükski sündmus ebaõnnestunud ja midagi ei saadeta uuesti.',
  columnsChosen: 'Veerud on salvestatud. Nii näed loendit ainult sina.',
  viewSaved: 'Vaade on salvestatud. Seda näed ainult sina.',
  viewRenamed: 'Vaade on ümber nimetatud.',
  viewRemoved: 'Vaade on eemaldatud.',
  viewRestored: 'Vaade on tagasi.',
  viewOutdated: 'Selle vaate filtreid enam ei ole, seetõttu näed kogu loendit. Eemalda vaade.',
  lineSnoozed: 'Edasi lükatud, ainult sinu jaoks. Kui uusi lisandub, tuleb rida kohe tagasi.',
  lineShown: 'Rida on tagasi.',
};

const TEXTS: Readonly<Record<Language, NoticeTexts>> = { en: english, et: estonian };
export const isNotice = (name: unknown): name is Notice =>
  typeof name === 'string' && Object.hasOwn(english, name);
export const noticeTexts = (lang: Language): NoticeTexts => TEXTS[lang];
