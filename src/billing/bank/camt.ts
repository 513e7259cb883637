import { isIban } from '../../platform/values/money.ts';
import { linesOf } from './entry.ts';
import { type BankLine, UnreadableStatement } from './line.ts';
import { all, type Element, readXml, textAt } from './xml.ts';

export type Statement = {
  /** The bank's name for its message. */
  readonly message: string;
  readonly lines: readonly BankLine[];
  /** Entries that are not booked yet: they come again when they are. */
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
