import type { Policy } from '../../../policy/policy.ts';
import type { IdentText } from '../../../registry/contacts/ident.ts';
import { type LegalDocument, parseLegalDocument } from '../../../registry/legal-documents.ts';
import type { CommandReader } from '../command-reader.ts';
import { NAMESPACES } from '../namespaces.ts';
import type { XmlElement } from '../xml/element.ts';
import { type Markup, xml } from '../xml/write.ts';

/** The extension of .ee, in both dialects: identification, legal document, code of a reserved or disputed name. */
export type EisData = {
  readonly ident: IdentText | undefined;
  /** Undefined also where something is wrong with it. */
  readonly document: LegalDocument | undefined;
  readonly hasDocument: boolean;
  readonly reservedCode: string | undefined;
};

const NOTHING: EisData = {
  ident: undefined,
  document: undefined,
  hasDocument: false,
  reservedCode: undefined,
};

export function readEisData(element: XmlElement | undefined, reader: CommandReader, policy: Policy): EisData {
  if (!element) return NOTHING;
  const { ident, legalDocument, reserved } = reader.children(element, {
    ...({ ident: 'maybe', legalDocument: 'maybe', reserved: 'maybe' } as const),
  });
  return {
    ident: ident && readIdent(ident, reader),
    document: legalDocument && readDocument(legalDocument, reader, policy),
    hasDocument: legalDocument !== undefined,
    reservedCode: reserved && readReserved(reserved, reader),
  };
}

function readIdent(element: XmlElement, reader: CommandReader): IdentText {
  reader.from(['ident'], element);
  const { type, cc } = element.attributes;
  return {
    ident: reader.text(element, ['ident', 'ident']),
    ...(type !== undefined && { type }),
    ...(cc !== undefined && { countryCode: cc }),
  };
}

function readDocument(element: XmlElement, reader: CommandReader, policy: Policy): LegalDocument | undefined {
  reader.from(['legalDocument'], element);
  const { type = '' } = element.attributes;
  const parsed = parseLegalDocument({ type, base64: reader.text(element) }, policy);
  if ('value' in parsed) return parsed.value;
  reader.refusals.push(...parsed.refusals);
  return undefined;
}

function readReserved(element: XmlElement, reader: CommandReader): string | undefined {
  const { pw } = reader.children(element, { pw: 'maybe' });
  return reader.optionalText(pw, ['reservationCode']);
}

type Ident = { readonly ident: string; readonly type: string; readonly countryCode: string };

export const identInfo = ({ ident, type, countryCode }: Ident): Markup =>
  xml`<eis:extdata xmlns:eis="${NAMESPACES.eis}"><eis:ident type="${type}" cc="${countryCode}">${ident}</eis:ident></eis:extdata>`;
