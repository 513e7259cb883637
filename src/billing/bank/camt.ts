import { ParseOption, XmlDocument, XmlElement } from 'libxml2-wasm';
import { parseDay } from '../../platform/values/dates.ts';
import { type Cents, isIban, parseAmount } from '../../platform/values/money.ts';
import { type BankLine, UnreadableStatement } from './bank-line.ts';

export type Statement = {
  /** The bank's message id. */
  readonly message: string;
  readonly lines: readonly BankLine[];
  /** Entries not booked yet; the bank reports them again once they are. */
  readonly pending: number;
};

const NAMESPACE = /^urn:iso:std:iso:20022:tech:xsd:camt\.05([34])\.001\.(0[2-9]|1[0-3])$/;

/** A bank's statement (camt.053) or notification (camt.054), of the versions 02 to 13. */
export function readCamt(bytes: Uint8Array): Statement {
  const document = readXml(bytes);
  const [, kind] = NAMESPACE.exec(document.namespace) ?? [];
  if (kind === undefined || document.name !== 'Document')
    throw new UnreadableStatement('It is no camt.053 or camt.054 of the versions 02 to 13.');
  const [message] = document.children;
  const reports = message ? all(message, kind === '3' ? 'Stmt' : 'Ntfctn') : [];
  if (!message || reports.length === 0) throw new UnreadableStatement('It tells of no account.');
  const entries = reports.flatMap((report) => {
    const account = accountOf(report);
    return all(report, 'Ntry').map((entry) => ({ account, entry }));
  });
  const booked = entries.filter(({ entry }) => textAt(entry, 'Sts/Cd', 'Sts') === 'BOOK');
  return {
    message: textAt(message, 'GrpHdr/MsgId') ?? 'unnamed',
    lines: booked.flatMap(({ account, entry }) => linesOf(entry, account)),
    pending: entries.length - booked.length,
  };
}

function accountOf(report: Element): string {
  const account = textAt(report, 'Acct/Id/IBAN')?.replaceAll(' ', '') ?? '';
  if (!isIban(account)) throw new UnreadableStatement('It tells of an account without an IBAN.');
  return account;
}

/** Placeholders that banks write into empty fields. */
const PLACEHOLDER = /^(NOTPROVIDED|NONREF|NOTAVAILABLE|N\/A|-+)$/i;
/** ISO 20022 external codes of transactions that reverse another: a return, a recall. */
const RETURN_CODES = ['RRTN', 'RPCR'];
const MAX_TEXT_LENGTH = 1_000;
/** The standard allows 35. */
const MAX_REFERENCE_LENGTH = 140;

type Amount = { readonly cents: Cents; readonly currency: string };

/** The payments of one entry: one, or each of a batch where the bank itemizes it and the amounts add up. */
function linesOf(entry: Element, account: string): BankLine[] {
  const amount = amountOf(all(entry, 'Amt')[0]);
  if (amount.cents === 0n) return [];
  const shared = {
    account,
    amount: amount.cents,
    currency: amount.currency,
    direction: directionOf(entry),
    isReturn: isReturn(entry),
    bookedOn: bookedOn(entry),
    entryReference: referenceOf(textAt(entry, 'AcctSvcrRef')),
  };
  const payments = all(entry, 'NtryDtls/TxDtls');
  const [only] = payments;
  if (payments.length > 1) {
    const amounts = payments.map((payment) => partOf(payment, shared));
    return addUp(amounts, amount.cents)
      ? payments.map((payment, index) => ({
          ...shared,
          ...detailsOf(payment, entry, shared.direction),
          share: 'part' as const,
          amount: amounts[index] ?? 0n,
          isReturn: shared.isReturn || isReturn(payment),
        }))
      : [batch()];
  }
  if (countOf(entry) > 1) return [batch()];
  const details = detailsOf(only ?? entry, entry, shared.direction);
  const reversed = shared.isReturn || (only !== undefined && isReturn(only));
  return [{ ...shared, ...details, isReturn: reversed, share: 'whole' }];

  function batch(): BankLine {
    return { ...shared, ...detailsOf(entry, entry, shared.direction), share: 'batch' };
  }
}

function detailsOf(payment: Element, entry: Element, direction: BankLine['direction']) {
  const party = direction === 'credit' ? 'Dbtr' : 'Cdtr';
  return {
    referenceNumber: referenceOf(textAt(payment, 'RmtInf/Strd/CdtrRefInf/Ref')),
    description: descriptionOf(payment, entry),
    endToEndId: referenceOf(textAt(payment, 'Refs/EndToEndId')),
    // Later versions put a party one level deeper.
    partyName: meaningfulText(textAt(payment, `RltdPties/${party}/Nm`, `RltdPties/${party}/Pty/Nm`)),
    partyAccount: meaningfulText(
      textAt(payment, `RltdPties/${party}Acct/Id/IBAN`, `RltdPties/${party}Acct/Id/Othr/Id`),
    ),
    ownReference: payment === entry ? null : referenceOf(textAt(payment, 'Refs/AcctSvcrRef')),
  };
}

function descriptionOf(payment: Element, entry: Element): string {
  const texts = ['RmtInf/Ustrd', 'RmtInf/Strd/AddtlRmtInf', 'AddtlTxInf'].flatMap((path) =>
    all(payment, path).map(({ text }) => text),
  );
  const given = texts.filter((text) => text !== '').join(' ');
  return oneLine(given === '' ? (textAt(entry, 'AddtlNtryInf') ?? '') : given);
}

const isReturn = (element: Element): boolean =>
  textAt(element, 'RvslInd') === 'true' ||
  textAt(element, 'RvslInd') === '1' ||
  all(element, 'RtrInf').length > 0 ||
  RETURN_CODES.includes(textAt(element, 'BkTxCd/Domn/Fmly/SubFmlyCd') ?? '');

const countOf = (entry: Element): number => Number(textAt(entry, 'NtryDtls/Btch/NbOfTxs') ?? 1);

/** One payment of a batch; undefined where its currency or direction is missing or differs from the entry's. */
function partOf(
  payment: Element,
  { currency, direction }: { readonly currency: string; readonly direction: BankLine['direction'] },
): Cents | undefined {
  const element = all(payment, 'Amt')[0] ?? all(payment, 'AmtDtls/TxAmt/Amt')[0];
  const own = textAt(payment, 'CdtDbtInd');
  if (!element || (own !== null && directionOf(payment) !== direction)) return undefined;
  const amount = amountOf(element);
  return amount.currency === currency && amount.cents > 0n ? amount.cents : undefined;
}

const addUp = (amounts: readonly (Cents | undefined)[], whole: Cents): boolean =>
  amounts.every((amount) => amount !== undefined) &&
  amounts.reduce<Cents>((total, amount) => total + (amount ?? 0n), 0n) === whole;

/** Banks write any number of decimals; those beyond cents must be zero. */
function amountOf(element: Element | undefined): Amount {
  const cents = parseAmount((element?.text ?? '').replace(/(\.\d\d)0+$/, '$1'));
  const currency = element?.attributes.Ccy ?? '';
  if (cents === undefined || !/^[A-Z]{3}$/.test(currency))
    throw new UnreadableStatement('An entry has no amount in cents of a currency.');
  return { cents, currency };
}

function directionOf(element: Element): BankLine['direction'] {
  const text = textAt(element, 'CdtDbtInd');
  if (text !== 'CRDT' && text !== 'DBIT') throw new UnreadableStatement('An entry is neither CRDT nor DBIT.');
  return text === 'CRDT' ? 'credit' : 'debit';
}

function bookedOn(entry: Element): string {
  const day = parseDay((textAt(entry, 'BookgDt/Dt', 'BookgDt/DtTm', 'ValDt/Dt') ?? '').slice(0, 10));
  if (!day) throw new UnreadableStatement('An entry has no day on which it was booked.');
  return day.toString();
}

/** Payers write these texts and a terminal prints them, so control characters are removed. */
const oneLine = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_TEXT_LENGTH);

function meaningfulText(text: string | null): string | null {
  const line = oneLine(text ?? '');
  return line === '' || PLACEHOLDER.test(line) ? null : line;
}

function referenceOf(text: string | null): string | null {
  const reference = meaningfulText(text);
  if (reference !== null && reference.length > MAX_REFERENCE_LENGTH)
    throw new UnreadableStatement(
      `An entry has a reference of more than ${MAX_REFERENCE_LENGTH} characters.`,
    );
  return reference;
}

/** An XML element and its content; names are without namespace prefix. */
export type Element = {
  readonly name: string;
  readonly namespace: string;
  readonly text: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
};

/** No network access and no entity expansion: a document that defines entities is refused before its text is read. */
const OPTIONS = { option: ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_NO_XXE };

export function readXml(bytes: Uint8Array): Element {
  let document: XmlDocument;
  try {
    document = XmlDocument.fromBuffer(bytes, OPTIONS);
  } catch (error) {
    throw new UnreadableStatement(`It is no XML: ${(error as Error).message.trim().split('\n', 1)[0]}.`);
  }
  try {
    if (document.dtd) throw new UnreadableStatement('It has a document type, which a statement has not.');
    return elementOf(document.root);
  } finally {
    document.dispose();
  }
}

function elementOf(element: XmlElement): Element {
  const children: Element[] = [];
  for (let child = element.firstChild; child; child = child.next)
    if (child instanceof XmlElement) children.push(elementOf(child));
  return {
    name: element.name,
    namespace: element.namespaceUri,
    text: children.length === 0 ? element.content.trim() : '',
    attributes: Object.fromEntries(element.attrs.map(({ name, value }) => [name, value])),
    children,
  };
}

/** Every element at the end of a path of names. */
const all = (from: Element, path: string): readonly Element[] =>
  path
    .split('/')
    .reduce<readonly Element[]>(
      (found, name) => found.flatMap(({ children }) => children.filter((child) => child.name === name)),
      [from],
    );

/** The text of the first of these paths that has one. */
function textAt(from: Element, ...paths: readonly string[]): string | null {
  for (const path of paths) {
    const found = all(from, path).find(({ text }) => text !== '');
    if (found) return found.text;
  }
  return null;
}
