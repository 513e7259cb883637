import type { ContactText } from '../../registry/contacts/contact-fields.ts';

export const FIRST_CUSTOMER = 'kuubik';
export const NEWEST_CUSTOMER = 'andres.hunt';

type Customer = {
  readonly code: string;
  readonly name: string;
  readonly ident: string;
  readonly isPerson?: true;
};

const COMPANIES: readonly (readonly [code: string, name: string])[] = [
  ['kuubik', 'Digiagentuur Kuubik OÜ'],
  ['ounakohvik', 'Õunakohvik OÜ'],
  ['vorgupood', 'Võrgupood AS'],
  ['metsatoo', 'Metsatöö ja Pojad OÜ'],
  ['saunakoda', 'Saunakoda OÜ'],
  ['tuulepargid', 'Põhjaranna Tuulepargid AS'],
  ['juuksur', 'Juuksurisalong Käärid OÜ'],
  ['raamatukapp', 'Raamatukapp MTÜ'],
  ['laevandus', 'Väikesaarte Laevandus AS'],
  ['pagar', 'Pagar ja Poeg OÜ'],
  ['keraamika', 'Savikoja Keraamika OÜ'],
  ['talu', 'Üheksa Tamme Talu OÜ'],
  ['ehitus', 'Nurgakivi Ehitus OÜ'],
  ['lasteaed', 'Päikesekiire Lasteaed SA'],
  ['jalgratas', 'Jalgratas ja Rada OÜ'],
  ['mesindus', 'Kärje Mesindus OÜ'],
  ['transport', 'Kaubatee Transport OÜ'],
  ['koorilaul', 'Koorilaulu Selts MTÜ'],
  ['disain', 'Stuudio Pliiats OÜ'],
  ['kinnisvara', 'Hoovimaja Kinnisvara OÜ'],
  ['hambaravi', 'Hambaravi Pärl OÜ'],
  ['loomakliinik', 'Loomakliinik Käpp OÜ'],
  ['kalurid', 'Rannakalurite Ühistu'],
  ['tarkvara', 'Kahendpuu Tarkvara OÜ'],
  ['hosting', 'Alpha Hosting OÜ'],
];
const PEOPLE: readonly (readonly [code: string, name: string])[] = [
  ['kadri.rebane', 'Kadri Rebane'],
  ['oie.saar', 'Õie Saar'],
  ['jaan.lepik', 'Jaan Lepik'],
  ['ylle.kaar', 'Ülle Käär'],
  ['sirje.ilves', 'Sirje Ilves'],
  ['tonu.hobe', 'Tõnu Hõbe'],
  ['eha.sepp', 'Eha Sepp'],
  ['mart.maasikas', 'Märt Maasikas'],
  ['liis.saar', 'Liis Saar'],
  ['peeter.kask', 'Peeter Kask'],
  ['aino.tamm', 'Aino Tamm'],
  ['rein.org', 'Rein Org'],
  ['tiina.noor', 'Tiina Nõmm'],
  ['villu.vaher', 'Villu Vaher'],
  ['hele.jogi', 'Hele Jõgi'],
  ['ott.mand', 'Ott Mänd'],
  ['kersti.luik', 'Kersti Luik'],
  ['urmas.polluste', 'Urmas Põlluste'],
  ['marju.kuusik', 'Marju Kuusik'],
  ['andres.hunt', 'Andres Hunt'],
];

/** Of a person born on the day that codes for tests have, each with another serial number. */
function personalCode(index: number): string {
  const digits = `${index % 2 === 0 ? 6 : 5}000101${900 + index}`;
  const remainder = (weights: readonly number[]) =>
    weights.reduce((sum, weight, place) => sum + weight * Number(digits[place]), 0) % 11;
  const first = remainder([1, 2, 3, 4, 5, 6, 7, 8, 9, 1]);
  return `${digits}${first < 10 ? first : remainder([3, 4, 5, 6, 7, 8, 9, 1, 2, 3]) % 10}`;
}

const customers: readonly Customer[] = [
  ...COMPANIES.map(([code, name], index) => ({ code, name, ident: String(99_000_017 + index * 7) })),
  ...PEOPLE.map(
    ([code, name], index): Customer => ({ code, name, ident: personalCode(index), isPerson: true }),
  ),
];

/** Runs the nameservers of the others. */
export const TECH = 'hosting';

/** Who holds the domains: some have many, most a few. */
export const holders: readonly string[] = customers
  .map(({ code }) => code)
  .filter((code) => code !== TECH && code !== NEWEST_CUSTOMER);

const contacts: readonly ContactText[] = customers.map(({ code, name, ident, isPerson }, index) => ({
  code,
  name,
  email: isPerson ? `${code}@mail.example` : `info@${code}.example`,
  phone: `+372.5550${String(1000 + index)}`,
  ident: { ident, type: isPerson ? 'priv' : 'org', countryCode: 'EE' },
}));

const isNewest = ({ code }: ContactText): boolean => code === NEWEST_CUSTOMER;

/** Has no domain yet. */
export const newestCustomer: ContactText = contacts.find(isNewest) ?? {};
export const exampleContacts: readonly ContactText[] = contacts.filter((contact) => !isNewest(contact));
