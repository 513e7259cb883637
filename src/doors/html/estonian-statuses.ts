import type { StatusTexts } from './status-words.ts';

const BY_REGISTRAR =
  'Piirangu on seadnud registripidaja, enamasti domeeni kaitseks. Registripidaja saab selle ka eemaldada.';
const BY_REGISTRY = 'Piirangu on seadnud register. Põhjust teab domeeni registripidaja.';

export const estonianStatuses: StatusTexts = {
  ok: { title: 'Korras', explanation: 'Domeenil ei ole piiranguid.' },
  inactive: {
    title: 'Nimeserveriteta',
    explanation:
      'Domeen on registreeritud, kuid sellel ei ole nimeservereid. Veebileht ja e-post selle nime all ei tööta, kuni registripidaja need lisab.',
  },
  disputed: {
    title: 'Vaidluse all',
    explanation:
      'Selle nime üle käib vaidlus. Kuni otsuseni ei saa registripidaja domeeni kustutada ega kellelegi teisele anda. Kui domeen aegumise tõttu kustutatakse, saab nime registreerida ainult vaidluse võitja.',
  },
  clientHold: {
    title: 'Miks on registripidaja domeeni töö peatanud?',
    explanation:
      'Registripidaja on domeeni tsoonist eemaldanud: veebileht ja e-post selle nime all ei tööta. Sagedased põhjused on tasumata arve, puuduvad andmed või kaebus. Peatamise saab lõpetada ainult registripidaja.',
  },
  serverHold: {
    title: 'Miks on register domeeni töö peatanud?',
    explanation:
      'Register on domeeni tsoonist eemaldanud: veebileht ja e-post selle nime all ei tööta. Enamasti on domeen aegunud; põhjuseks võib olla ka kohtu või ametiasutuse otsus. Põhjust teab domeeni registripidaja.',
  },
  clientDeleteProhibited: { title: 'Registripidaja on kustutamise keelanud', explanation: BY_REGISTRAR },
  clientRenewProhibited: { title: 'Registripidaja on pikendamise keelanud', explanation: BY_REGISTRAR },
  clientTransferProhibited: { title: 'Registripidaja on ülekandmise keelanud', explanation: BY_REGISTRAR },
  clientUpdateProhibited: { title: 'Registripidaja on muutmise keelanud', explanation: BY_REGISTRAR },
  serverDeleteProhibited: { title: 'Register on kustutamise keelanud', explanation: BY_REGISTRY },
  serverRenewProhibited: { title: 'Register on pikendamise keelanud', explanation: BY_REGISTRY },
  serverTransferProhibited: { title: 'Register on ülekandmise keelanud', explanation: BY_REGISTRY },
  serverUpdateProhibited: { title: 'Register on muutmise keelanud', explanation: BY_REGISTRY },
  serverManualInzone: {
    title: 'Register hoiab domeeni tsoonis',
    explanation: 'Domeen töötab edasi ka siis, kui see on aegunud või läheb kustutamisele.',
  },
  serverRegistrantChangeProhibited: {
    title: 'Register on registreerija vahetamise keelanud',
    explanation: BY_REGISTRY,
  },
  serverAdminChangeProhibited: {
    title: 'Register on halduskontaktide vahetamise keelanud',
    explanation: BY_REGISTRY,
  },
  serverTechChangeProhibited: {
    title: 'Register on tehniliste kontaktide vahetamise keelanud',
    explanation: BY_REGISTRY,
  },
  serverReleaseProhibited: {
    title: 'Register on nime vabastamise keelanud',
    explanation: 'Nimi ei vabane ka siis, kui domeeni aeg on läbi. Põhjust teab domeeni registripidaja.',
  },
  serverExtensionUpdateProhibited: {
    title: 'Register on DNSSEC-võtmete muutmise keelanud',
    explanation: BY_REGISTRY,
  },
  serverObjUpdateProhibited: {
    title: 'Muudatuste eest lukustatud',
    explanation:
      'Register ei tee selles domeenis muudatusi, kes tahes neid soovib, kuni lukk on eemaldatud. Sageli on see kaitse, mida on soovinud registreerija.',
  },
  serverForceDelete: {
    title: 'Miks läheb domeen kustutamisele?',
    explanation:
      'Register on alustanud domeeni kustutamist, enamasti seetõttu, et registreerija andmed on valed või puuduvad. Registreerijale on põhjusest kirjaga teatatud ja registripidaja abiga saab selle veel kõrvaldada.',
  },
  expired: {
    title: 'Aegunud',
    explanation:
      'Aeg, mille eest on tasutud, on läbi. Registripidaja saab domeeni pikendada, kui pikendamine ei ole keelatud.',
  },
  deleteCandidate: {
    title: 'Kohe kustutamisel',
    explanation:
      'Domeen eemaldatakse ööpäeva jooksul ja seda ei saa enam päästa. Seejärel saab nime registreerida igaüks, kui see ei ole reserveeritud ega keelatud.',
  },
  pendingCreate: {
    title: 'Registreerimine pooleli',
    explanation: 'Registreerimine ei ole veel lõpule viidud.',
  },
  pendingDelete: {
    title: 'Miks domeen ei tööta?',
    explanation:
      'Domeen on registreerija soovil kustutatud ja eemaldatakse lõplikult eespool nimetatud päeval. Seni saab registripidaja selle pikendamisega taastada.',
  },
  pendingDeleteConfirmation: {
    title: 'Kustutamine ootab kinnitust',
    explanation: 'Registripidaja soovib domeeni kustutada. Registreerija peab selle enne kinnitama.',
  },
  pendingRenew: {
    title: 'Pikendamine pooleli',
    explanation: 'Pikendamist on taotletud, kuid see ei ole veel lõpule viidud.',
  },
  pendingTransfer: {
    title: 'Ülekandmine pooleli',
    explanation: 'Domeeni soovitakse viia teise registripidaja juurde, kuid see ei ole veel lõpule viidud.',
  },
  pendingUpdate: {
    title: 'Muudatus ootab kinnitust',
    explanation:
      'Registripidaja soovib vahetada registreerijat. Praegune registreerija peab selle enne kinnitama.',
  },
};
