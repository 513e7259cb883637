/** One entry of a statement as a test needs it; whatever is left out is not told. */
export type Entry = {
  readonly amount: string;
  readonly currency?: string;
  readonly debit?: boolean;
  readonly reversal?: boolean;
  readonly day?: string;
  /** The bank's own for the entry. */
  readonly reference?: string;
  readonly referenceNumber?: string;
  readonly text?: string;
  readonly endToEndId?: string;
  readonly payer?: string;
  /** How many payments it is, where the bank does not tell them apart. */
  readonly count?: number;
  /** The payments of a batch. */
  readonly parts?: readonly Omit<Entry, 'parts' | 'count'>[];
};
export type Form = {
  readonly kind?: '053' | '054';
  readonly version?: '02' | '08';
  readonly account?: string;
};

export const OUR_ACCOUNT = 'EE489900000000000001';
export const OUR_OTHER_ACCOUNT = 'EE949800000000000002';

/** A bank's document over these entries. */
export function camt(
  entries: readonly Entry[],
  { kind = '053', version = '02', account = OUR_ACCOUNT }: Form = {},
): Buffer {
  const [message, report] = kind === '053' ? ['BkToCstmrStmt', 'Stmt'] : ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'];
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${kind}.001.${version}"><${message}><GrpHdr><MsgId>test</MsgId></GrpHdr>
<${report}><Acct><Id><IBAN>${account}</IBAN></Id></Acct>${entries.map((entry) => entryXml(entry, version)).join('\n')}</${report}></${message}></Document>`,
  );
}

function entryXml(entry: Entry, version: string): string {
  const { amount, currency = 'EUR', debit, reversal, day = '2026-11-13', reference, count, parts } = entry;
  const payments = parts ?? (count === undefined ? [{ ...entry, reference: undefined }] : []);
  return `<Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${debit ? 'DBIT' : 'CRDT'}</CdtDbtInd>${
    reversal ? '<RvslInd>true</RvslInd>' : ''
  }<Sts>${version === '02' ? 'BOOK' : '<Cd>BOOK</Cd>'}</Sts><BookgDt><Dt>${day}</Dt></BookgDt>${optional('AcctSvcrRef', reference)}<NtryDtls>${
    count === undefined ? '' : `<Btch><NbOfTxs>${count}</NbOfTxs></Btch>`
  }${payments.map((payment) => paymentXml(payment, version)).join('')}</NtryDtls></Ntry>`;
}

function paymentXml(
  payment: Omit<Entry, 'parts' | 'count' | 'reference'> & { reference?: string | undefined },
  version: string,
): string {
  const { amount, currency = 'EUR', debit, reference, referenceNumber, text, endToEndId, payer } = payment;
  const amountElement = `<Amt Ccy="${currency}">${amount}</Amt>`;
  const name = payer === undefined ? '' : optional('Nm', payer);
  const party = debit ? 'Cdtr' : 'Dbtr';
  return `<TxDtls><Refs>${optional('AcctSvcrRef', reference)}${optional('EndToEndId', endToEndId ?? 'NOTPROVIDED')}</Refs>${
    version === '02' ? `<AmtDtls><TxAmt>${amountElement}</TxAmt></AmtDtls>` : amountElement
  }<RltdPties><${party}>${version === '02' ? name : `<Pty>${name}</Pty>`}</${party}></RltdPties><RmtInf>${optional('Ustrd', text)}${
    referenceNumber === undefined
      ? ''
      : `<Strd><CdtrRefInf>${optional('Ref', referenceNumber)}</CdtrRefInf></Strd>`
  }</RmtInf></TxDtls>`;
}

const optional = (name: string, text: string | undefined): string =>
  text === undefined
    ? ''
    : `<${name}>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</${name}>`;
