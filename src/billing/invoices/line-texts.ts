/** Texts of invoice lines, in both languages of the document. What a service writes itself stays as it is. */
export const lineTexts = {
  reservation: (name: string, years: number): string =>
    `${name}: reserveerimine ${years} aastaks / reservation for ${years} ${years === 1 ? 'year' : 'years'}`,
  reservedName: (name: string): string => `${name}: reserveerimine / reservation`,
  prepayment: (registrar: string): string =>
    `Registripidaja ${registrar} ettemaks / Prepayment of registrar ${registrar}`,
  deposit: (domain: string): string => `Oksjoni ${domain} tagatisraha / Deposit for the auction of ${domain}`,
  invoice: (number: number): string => `Arve / Invoice ${number}`,
  reload: 'Konto täiendamine / Top-up of the account',
  imported: 'Varasema süsteemi arve / Invoice of an earlier system',
} as const;
