import { html } from '../../html/layout.ts';
import { estonianMessages } from './estonian-messages.ts';
import { estonianSituations } from './estonian-situations.ts';
import type { LookupTexts } from './lookup-texts.ts';

export const estonian: LookupTexts = {
  lookUp: 'Domeeniotsing',
  registrars: 'Registripidajad',
  heading: 'Domeeniotsing',
  lead: 'Vaadake, kas nimi on registreeritud, mis ajani, millise registripidaja juures ja kuidas registreerijaga ühendust saada.',
  nameLabel: 'Domeeninimi',
  nameHint: (zone) => `Näiteks näide.${zone}`,
  search: 'Otsi',
  title: (name) => `Domeen ${name}`,
  unregistered: [
    (name) => `${name} ei ole registreeritud`,
    'Nime saab registreerida akrediteeritud registripidaja juures.',
    'Akrediteeritud registripidajad',
  ],
  blocked: [(name) => `${name} ei ole saadaval`, 'Seda nime ei saa keegi registreerida.'],
  zone: [
    (name) => `${name} on selle registri tsoon`,
    'Domeene registreeritakse selle all. Tsoon ise ei kuulu kellelegi.',
  ],
  invalid: [
    'Sellise nimega domeeni ei saa siin olla',
    (zones) =>
      `Selle registri domeenil on üks kuni 63 tähest, numbrist ja sidekriipsust koosnev nimi, mis ei alga ega lõpe sidekriipsuga, ja selle järel üks järgmistest tsoonidest: ${zones}.`,
  ],
  didYouMean: [
    (name) => `Kas mõtlesite nime ${name}?`,
    (zones) => `Selle registri domeenil on üks nimi ja selle järel üks järgmistest tsoonidest: ${zones}.`,
    (name) => `Otsi ${name}`,
  ],
  inDns: (ascii) => html`DNS-is: ${ascii}`,
  situations: estonianSituations,
  disputedDeletion: 'Nime üle käib vaidlus: seejärel saab nime registreerida ainult vaidluse võitja.',
  dates: {
    heading: 'Kuupäevad',
    registered: 'Registreeritud',
    changed: 'Viimati muudetud',
    transferred: 'Viimati üle kantud',
    expires: 'Tasutud kuni',
    outzone: 'Lahkub tsoonist',
    deletion: 'Kustutamine',
  },
  statusHeading: 'Olek',
  registrar: {
    heading: 'Registripidaja',
    name: 'Nimi',
    website: 'Veebileht',
    phone: 'Telefon',
    abuse: 'Väärkasutusest teatamine',
    notGiven: 'Pöörduge registripidaja poole',
  },
  contacts: {
    heading: 'Registreerija ja kontaktid',
    roles: { registrant: 'Registreerija', admin: 'Halduskontakt', tech: 'Tehniline kontakt' },
    fields: {
      code: 'Kood',
      name: 'Nimi',
      ident: 'Registrikood',
      country: 'Riik',
      email: 'E-post',
      phone: 'Telefon',
      address: 'Aadress',
    },
    hiddenPerson: 'Eraisik, andmeid ei avaldata',
    hiddenOrganisation: 'Organisatsioon, andmeid ei avaldata',
    omitted: 'Kontaktid, kelle kohta ei tohi midagi avaldada, on välja jäetud.',
    write: 'Kirjutage registreerijale',
    writeHint: 'E-posti aadressi ei avaldata. Register saab kirja edastada.',
  },
  nameservers: {
    heading: 'Nimeserverid',
    host: 'Nimi',
    addresses: 'Aadressid',
    none: 'Domeenil ei ole nimeservereid.',
    notDelegated: 'Praegu neid ei avaldata tsoonis.',
  },
  dnssec: {
    heading: 'DNSSEC',
    signed: 'Domeen on allkirjastatud järgmiste võtmetega.',
    unsigned: 'Domeen ei ole allkirjastatud.',
    unpublished: 'Domeen ei ole allkirjastatud: võtmed on antud, kuid neid praegu ei avaldata.',
    columns: ['Võtme tunnus', 'Algoritm', 'Räsi liik', 'Räsi'],
  },
  registrarList: {
    heading: 'Akrediteeritud registripidajad',
    lead: 'Domeene registreeritakse, pikendatakse ja muudetakse ühe järgmise registripidaja juures.',
    label: 'Registripidaja nimi',
    search: 'Otsi',
    columns: ['Registripidaja', 'Veebileht', 'Telefon'],
    none: (text) => `Ühegi akrediteeritud registripidaja nimes ei ole „${text}“.`,
    all: 'Kõik registripidajad',
  },
  message: estonianMessages,
  back: 'Domeeniotsing',
  notice: {
    unknown: [
      'Siin ei ole midagi',
      'Kui tulite kirjas olnud lingi kaudu, kontrollige, kas avasite kogu lingi. Vanad lingid ei tööta enam.',
    ],
    notUnderstood: ['Vormist ei saadud aru', 'Midagi ei saadetud. Palun minge tagasi ja proovige uuesti.'],
    foreign: [
      'Vorm tuli teiselt saidilt',
      'Midagi ei saadetud. Palun avage leht siin ja täitke vorm uuesti.',
    ],
    tooMany: [
      'Liiga palju päringuid',
      'Teie võrgust tuli liiga palju päringuid. Palun oodake minut ja proovige uuesti.',
    ],
    otherMethod: ['Seda lehte ei saa nii kasutada', 'Midagi ei muudetud. Palun avage leht lingi kaudu.'],
    noMessages: [
      'Kirju ei saa praegu saata',
      'Registris käivad hooldustööd. Palun proovige mõne minuti pärast uuesti.',
    ],
    unavailable: ['Register ei ole praegu kättesaadav', 'Palun proovige mõne minuti pärast uuesti.'],
    fault: [
      'Midagi läks valesti',
      'Viga on meie pool ja see on üles märgitud. Palun proovige hiljem uuesti.',
    ],
  },
};
