import { html } from '../../html/layout.ts';
import type { ConfirmationTexts } from './confirmation-texts.ts';

export const estonian: ConfirmationTexts = {
  domain: 'Domeen',
  registrar: 'Registripidaja',
  registrant: 'Praegune registreerija',
  newRegistrant: 'Uus registreerija',
  requestedAt: 'Taotlus esitati',
  answerBy: 'Vastata hiljemalt',
  someNewRegistrant: 'uus registreerija',
  reject: 'Keeldun',
  surprised:
    'Kui Te ei tea sellest taotlusest midagi või ei ole sellega nõus, keelduge ja võtke ühendust oma registripidajaga.',
  confirm: { 'registrant change': 'Kinnitan vahetuse', deletion: 'Kinnitan kustutamise' },
  heading: {
    'registrant change': (domain) => `Domeeni ${domain} registreerija vahetus`,
    deletion: (domain) => `Domeeni ${domain} kustutamine`,
  },
  asks: {
    'registrant change': ({ registrar, domain, newRegistrant }) =>
      html`Registripidaja ${registrar} soovib, et domeeni ${domain} uus registreerija oleks ${newRegistrant}. Kas olete sellega nõus?`,
    deletion: ({ registrar, domain }) =>
      html`Registripidaja ${registrar} soovib kustutada domeeni ${domain}. Kas olete sellega nõus?`,
  },
  ifConfirmed: {
    'registrant change': ({ newRegistrant }) =>
      html`Kui kinnitate, saab domeeni registreerijaks kohe ${newRegistrant} ja Teie õigus domeenile lõpeb.`,
    deletion: ({ redemptionDays }) =>
      html`Kui kinnitate, lakkab domeen kohe töötamast ja ${redemptionDays} päeva pärast eemaldatakse see lõplikult. Seni saab registripidaja domeeni pikendamisega taastada.`,
  },
  furtherChanges: 'Registripidaja on taotlenud ka muid domeeni muudatusi, mis tehakse samal ajal.',
  ifNot: {
    'registrant change': 'Kui keeldute või ei vasta, jääb kõik nii, nagu on.',
    deletion: 'Kui keeldute või ei vasta, domeeni ei kustutata.',
  },
  outcome: {
    'registrant change': {
      confirmed: ({ domain, newRegistrant }) => [
        'Registreerija vahetus on kinnitatud.',
        html`Domeeni ${domain} registreerijaks sai ${newRegistrant}. Registripidajale on sellest teatatud.`,
      ],
      rejected: () => [
        'Registreerija vahetusest on keeldutud.',
        'Registreerijat ei vahetatud. Registripidajale on sellest teatatud.',
      ],
      lapsed: () => [
        'Vastamise aeg on möödas.',
        'Registreerijat ei vahetatud. Kui vahetust siiski soovitakse, peab registripidaja esitama uue taotluse.',
      ],
      failed: () => [
        'Registreerija vahetus kinnitati, kuid seda ei saanud teha.',
        'Olukord oli pärast taotluse esitamist muutunud. Registreerijat ei vahetatud. Registripidaja teab põhjust; palun pöörduge tema poole.',
      ],
      withdrawn: () => [
        'See taotlus ei kehti enam.',
        'Registreerijat selle taotluse alusel ei vahetatud ja vastata ei ole vaja.',
      ],
    },
    deletion: {
      confirmed: ({ domain, redemptionDays }) => [
        'Kustutamine on kinnitatud.',
        html`Domeen ${domain} eemaldatakse lõplikult ${redemptionDays} päeva pärast kinnitamist. Seni saab registripidaja domeeni pikendamisega taastada.`,
      ],
      rejected: () => [
        'Kustutamisest on keeldutud.',
        'Domeeni ei kustutatud. Registripidajale on sellest teatatud.',
      ],
      lapsed: () => [
        'Vastamise aeg on möödas.',
        'Domeeni ei kustutatud. Kui kustutamist siiski soovitakse, peab registripidaja esitama uue taotluse.',
      ],
      failed: () => [
        'Kustutamine kinnitati, kuid seda ei saanud teha.',
        'Olukord oli pärast taotluse esitamist muutunud. Domeeni ei kustutatud. Registripidaja teab põhjust; palun pöörduge tema poole.',
      ],
      withdrawn: () => [
        'See taotlus ei kehti enam.',
        'Domeeni selle taotluse alusel ei kustutatud ja vastata ei ole vaja.',
      ],
    },
  },
  backToRequest: 'Tagasi taotluse juurde',
  notice: {
    unknown: [
      'Siin ei ole midagi kinnitada',
      'Kontrollige, kas link on avatud tervikuna, nii nagu see kirjas on. Vanad lingid ei tööta enam.',
    ],
    notUnderstood: ['Vastusest ei saadud aru', 'Midagi ei muudetud. Palun valige üks kahest nupust.'],
    tooMany: ['Liiga palju katseid', 'Palun oodake minut ja avage link uuesti.'],
    unavailable: [
      'Register ei ole praegu kättesaadav',
      'Palun proovige mõne minuti pärast uuesti. Kui Teie vastus jõudis juba kohale, näete seda siis siin.',
    ],
    fault: [
      'Midagi läks valesti',
      'Viga on meie pool ja see on üles märgitud. Palun proovige hiljem uuesti. Kui Teie vastus jõudis juba kohale, näete seda siis siin.',
    ],
  },
};
