import type { MessageTexts } from './lookup-texts.ts';

export const estonianMessages: MessageTexts = {
  heading: (name) => `Kirjutage domeeni ${name} registreerijale`,
  lead: 'Register edastab Teie kirja. Registreerija aadressi saate teada ainult siis, kui ta vastab.',
  rules: (hours, days) => [
    `Kõigepealt saadame kirja Teile. Teie kiri edastatakse, kui avate selles oleva lingi ja kinnitate saatmise ${hours} tunni jooksul.`,
    'Registreerija näeb Teie nime, e-posti aadressi ja kirja ning otsustab ise, kas vastata.',
    `Hoiame Teie kirja alles ${days} päeva.`,
  ],
  labels: { senderName: 'Teie nimi', senderEmail: 'Teie e-posti aadress', message: 'Teie kiri' },
  hints: {
    senderName: 'Nii, nagu registreerija seda nägema peab',
    senderEmail: 'Registreerija vastab sellele aadressile',
    message: '10 kuni 2000 tähemärki lihtteksti; lingid ei jää klõpsatavaks',
  },
  faults: {
    senderName: {
      missing: 'Sisestage oma nimi',
      tooLong: 'Nimes võib olla kuni 100 tähemärki',
      tooShort: 'Sisestage oma nimi',
      wrong: 'Nimes ei tohi olla märke < ja > ega juhtmärke',
    },
    senderEmail: {
      missing: 'Sisestage oma e-posti aadress',
      tooLong: 'Sisestage e-posti aadress, näiteks mari@example.ee',
      tooShort: 'Sisestage e-posti aadress, näiteks mari@example.ee',
      wrong: 'Sisestage e-posti aadress, näiteks mari@example.ee',
    },
    message: {
      missing: 'Sisestage kiri',
      tooLong: 'Kirjas võib olla kuni 2000 tähemärki',
      tooShort: 'Kirjas peab olema vähemalt 10 tähemärki',
      wrong: 'Sisestage kiri lihttekstina',
    },
  },
  faultHeading: 'Palun parandage vorm. Midagi ei ole veel saadetud.',
  faultTitle: 'Viga',
  refused: {
    tooMany:
      'Teie kirja ei saadetud: Teie võrgust tuli liiga palju kirju või päringuid. Kirjutatu on siin alles. Palun saatke see hiljem uuesti, hiljemalt homme.',
    unavailable:
      'Teie kirja ei saadetud: register ei saa praegu kirju vastu võtta. Kirjutatu on siin alles. Palun saatke see mõne minuti pärast uuesti.',
  },
  submit: 'Jätka',
  sent: [
    'Vaadake oma postkasti',
    ({ hours }) =>
      `Oleme Teie kirja vastu võtnud. Avage meie saadetud kirjas olev link ja kinnitage saatmine ${hours} tunni jooksul: alles siis edastame Teie kirja.`,
    ({ perSender, perDomain }) =>
      `Kui kirja mõne minuti jooksul ei tule, vaadake rämpsposti kausta. Kehtivad ka piirangud: 24 tunni jooksul võtame ühelt e-posti aadressilt vastu kuni ${perSender} kirja ja edastame ühele registreerijale kuni ${perDomain} kirja. Üle selle me kinnituskirju ei saada.`,
  ],
  confirmHeading: (name) => `Teie kiri domeeni ${name} registreerijale`,
  confirmLead: 'Palun lugege see üle. Kiri edastatakse, kui vajutate nuppu.',
  facts: {
    domain: 'Domeen',
    from: 'Saatja',
    written: 'Kirjutatud',
    validUntil: 'Saata saab kuni',
    text: 'Kiri',
  },
  forward: 'Saada kiri',
  outcome: {
    forwarded: [
      'Teie kiri on edastatud.',
      'See edastatakse ainult üks kord, kui tahes sageli seda lehte avate. Kui registreerija soovib vastata, tuleb vastus Teie e-posti aadressile.',
    ],
    expired: [
      'Kinnitamise aeg on möödas.',
      'Teie kirja ei edastatud. Otsingulehel saate selle uuesti kirjutada.',
    ],
    unregistered: ['Domeen ei ole enam endisel kujul registreeritud.', 'Teie kirja ei edastatud.'],
    later: [
      'Teie kirja ei ole veel edastatud.',
      'Registreerija on täna saanud nii palju kirju, kui register edastab. Palun avage see leht hiljem uuesti.',
    ],
  },
};
