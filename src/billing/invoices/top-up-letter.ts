import { letter } from '../../platform/mail/compose-mail.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import type { TopUpInvoice } from './top-up.ts';

type Details = TopUpInvoice & { readonly to: string; readonly registrar: string; readonly currency: string };

/** To a registrar whose balance has fallen to his threshold. */
export function topUpLetter({ to, registrar, currency, ...invoice }: Details): Mail {
  const { invoice_number: number, amount, vat, total, due_date: due, payment_link: link } = invoice;
  return letter({
    ...{ to, about: [], link },
    subject: { et: `Arve ${number} konto täiendamiseks`, en: `Invoice ${number} to top up your account` },
    paragraphs: {
      et: [
        `Registripidaja ${registrar} kontojääk on langenud seatud piirini.`,
        `Arve ${number}: ${amount} ${currency}, käibemaks ${vat}, kokku ${total}, tasuda hiljemalt ${due}. Konto täieneb, kui arve on tasutud.`,
      ],
      en: [
        `The balance of registrar ${registrar} has fallen to the threshold that was set.`,
        `Invoice ${number}: ${amount} ${currency}, VAT ${vat}, in all ${total}, due on ${due}. The account is topped up when the invoice is paid.`,
      ],
    },
  });
}
