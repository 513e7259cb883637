import type { Language } from '../../html/layout.ts';
import type { ShownStatus, StatusTexts, StatusWords } from '../../html/status-words.ts';

/** Statuses as their registrar is told of them; the look-up tells everybody else in its own words. */
const english: StatusTexts = {
  ok: { title: 'Active', explanation: 'Nothing restricts this domain.' },
  inactive: {
    title: 'No nameservers',
    explanation: 'Website and e-mail do not work until you add nameservers.',
  },
  disputed: {
    title: 'Under dispute',
    explanation: 'You can neither delete this domain nor change its registrant until the dispute is decided.',
  },
  clientHold: {
    title: 'On hold by you',
    explanation: 'Website and e-mail do not work until you lift the hold.',
  },
  serverHold: {
    title: 'On hold by the registry',
    explanation:
      'Website and e-mail do not work. If the domain has expired, a renewal ends it; otherwise only the registry can lift it.',
  },
  clientDeleteProhibited: { title: 'Deletion locked by you', explanation: 'Lift the lock to delete it.' },
  clientRenewProhibited: { title: 'Renewal locked by you', explanation: 'Lift the lock to renew it.' },
  clientTransferProhibited: {
    title: 'Transfer locked by you',
    explanation: 'No other registrar can take it over until you lift the lock.',
  },
  clientUpdateProhibited: { title: 'Changes locked by you', explanation: 'Lift the lock to change it.' },
  serverDeleteProhibited: {
    title: 'Deletion locked by the registry',
    explanation: 'Only the registry can lift this.',
  },
  serverRenewProhibited: {
    title: 'Renewal locked by the registry',
    explanation: 'Only the registry can lift this.',
  },
  serverTransferProhibited: {
    title: 'Transfer locked by the registry',
    explanation: 'Only the registry can lift this.',
  },
  serverUpdateProhibited: {
    title: 'Changes locked by the registry',
    explanation: 'Only the registry can lift this.',
  },
  serverManualInzone: {
    title: 'Kept working by the registry',
    explanation: 'It stays in the zone, even if it has expired or is being deleted.',
  },
  serverRegistrantChangeProhibited: {
    title: 'Registrant locked by the registry',
    explanation: 'Only the registry can lift this.',
  },
  serverAdminChangeProhibited: {
    title: 'Administrative contacts locked by the registry',
    explanation: 'Only the registry can lift this.',
  },
  serverTechChangeProhibited: {
    title: 'Technical contacts locked by the registry',
    explanation: 'Only the registry can lift this.',
  },
  serverReleaseProhibited: {
    title: 'Release locked by the registry',
    explanation: 'The name does not become free when its time is over.',
  },
  serverExtensionUpdateProhibited: {
    title: 'DNSSEC keys locked by the registry',
    explanation: 'Only the registry can lift this.',
  },
  serverObjUpdateProhibited: {
    title: 'Registry lock',
    explanation: 'Nothing about this domain changes until the registry lifts the lock.',
  },
  serverForceDelete: {
    title: 'Forced deletion',
    explanation:
      'The registry is deleting this domain, usually because data of the registrant are wrong or missing. Correct them, and ask the registry to stop the deletion.',
  },
  expired: {
    title: 'Expired',
    explanation: 'Renew it, unless renewal is locked; otherwise it stops working, and then it is deleted.',
  },
  deleteCandidate: {
    title: 'Deleted within a day',
    explanation: 'It can no longer be saved. After that anybody can register the name.',
  },
  pendingCreate: { title: 'Registration pending', explanation: 'The registration is not completed yet.' },
  pendingDelete: {
    title: 'Being deleted',
    explanation: 'Renew it before the day of its deletion to bring it back.',
  },
  pendingDeleteConfirmation: {
    title: 'Deletion waits for the registrant',
    explanation: 'Until the registrant answers, nothing else can be changed.',
  },
  pendingRenew: { title: 'Renewal pending', explanation: 'The renewal is not completed yet.' },
  pendingTransfer: { title: 'Transfer pending', explanation: 'The transfer is not completed yet.' },
  pendingUpdate: {
    title: 'Change waits for the registrant',
    explanation: 'Until the registrant answers, nothing else can be changed.',
  },
};

const ONLY_REGISTRY = 'Selle saab eemaldada ainult register.';

const estonian: StatusTexts = {
  ok: { title: 'Aktiivne', explanation: 'Sellel domeenil ei ole piiranguid.' },
  inactive: {
    title: 'Nimeserveriteta',
    explanation: 'Veebileht ja e-post ei tööta, kuni lisad nimeserverid.',
  },
  disputed: {
    title: 'Vaidluse all',
    explanation: 'Kuni otsuseni ei saa domeeni kustutada ega registreerijat vahetada.',
  },
  clientHold: {
    title: 'Sinu peatatud',
    explanation: 'Veebileht ja e-post ei tööta, kuni peatamise lõpetad.',
  },
  serverHold: {
    title: 'Registri peatatud',
    explanation:
      'Veebileht ja e-post ei tööta. Aegunud domeeni puhul lõpetab selle pikendamine, muul juhul saab selle lõpetada ainult register.',
  },
  clientDeleteProhibited: {
    title: 'Oled kustutamise keelanud',
    explanation: 'Kustutamiseks eemalda piirang.',
  },
  clientRenewProhibited: {
    title: 'Oled pikendamise keelanud',
    explanation: 'Pikendamiseks eemalda piirang.',
  },
  clientTransferProhibited: {
    title: 'Oled ülekandmise keelanud',
    explanation: 'Teine registripidaja ei saa domeeni üle võtta, kuni eemaldad piirangu.',
  },
  clientUpdateProhibited: { title: 'Oled muutmise keelanud', explanation: 'Muutmiseks eemalda piirang.' },
  serverDeleteProhibited: { title: 'Register on kustutamise keelanud', explanation: ONLY_REGISTRY },
  serverRenewProhibited: { title: 'Register on pikendamise keelanud', explanation: ONLY_REGISTRY },
  serverTransferProhibited: { title: 'Register on ülekandmise keelanud', explanation: ONLY_REGISTRY },
  serverUpdateProhibited: { title: 'Register on muutmise keelanud', explanation: ONLY_REGISTRY },
  serverManualInzone: {
    title: 'Register hoiab domeeni töös',
    explanation: 'Domeen jääb tsooni ka siis, kui see on aegunud või kustutamisel.',
  },
  serverRegistrantChangeProhibited: {
    title: 'Register on registreerija vahetamise keelanud',
    explanation: ONLY_REGISTRY,
  },
  serverAdminChangeProhibited: {
    title: 'Register on halduskontaktide vahetamise keelanud',
    explanation: ONLY_REGISTRY,
  },
  serverTechChangeProhibited: {
    title: 'Register on tehniliste kontaktide vahetamise keelanud',
    explanation: ONLY_REGISTRY,
  },
  serverReleaseProhibited: {
    title: 'Register on nime vabastamise keelanud',
    explanation: 'Nimi ei vabane, kui selle aeg on läbi.',
  },
  serverExtensionUpdateProhibited: {
    title: 'Register on DNSSEC-võtmete muutmise keelanud',
    explanation: ONLY_REGISTRY,
  },
  serverObjUpdateProhibited: {
    title: 'Registrilukk',
    explanation: 'Selle domeeni juures ei muutu midagi, kuni register luku eemaldab.',
  },
  serverForceDelete: {
    title: 'Sundkustutamisel',
    explanation:
      'Register kustutab seda domeeni, enamasti seetõttu, et registreerija andmed on valed või puuduvad. Paranda need ja palu registril kustutamine peatada.',
  },
  expired: {
    title: 'Aegunud',
    explanation:
      'Pikenda seda, kui pikendamine ei ole keelatud; muidu lakkab domeen töötamast ja seejärel see kustutatakse.',
  },
  deleteCandidate: {
    title: 'Kustutatakse ööpäeva jooksul',
    explanation: 'Seda ei saa enam päästa. Pärast seda võib nime registreerida igaüks.',
  },
  pendingCreate: { title: 'Registreerimine pooleli', explanation: 'Registreerimine ei ole veel lõppenud.' },
  pendingDelete: {
    title: 'Kustutamisel',
    explanation: 'Domeeni tagasisaamiseks pikenda seda enne kustutamise päeva.',
  },
  pendingDeleteConfirmation: {
    title: 'Kustutamine ootab registreerijat',
    explanation: 'Kuni registreerija ei ole vastanud, ei saa midagi muud muuta.',
  },
  pendingRenew: { title: 'Pikendamine pooleli', explanation: 'Pikendamine ei ole veel lõppenud.' },
  pendingTransfer: { title: 'Ülekandmine pooleli', explanation: 'Ülekandmine ei ole veel lõppenud.' },
  pendingUpdate: {
    title: 'Muudatus ootab registreerijat',
    explanation: 'Kuni registreerija ei ole vastanud, ei saa midagi muud muuta.',
  },
};

const TEXTS: Readonly<Record<Language, StatusTexts>> = { en: english, et: estonian };

/** Undefined for a status that has no words, such as one of a later schema. */
export const ownStatusWords = (lang: Language, status: string): StatusWords | undefined =>
  Object.hasOwn(TEXTS[lang], status) ? TEXTS[lang][status as ShownStatus] : undefined;
