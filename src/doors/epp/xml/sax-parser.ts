import { SaxesParser } from 'saxes';

/** XML 1.1 would allow control characters, so a document that declares it is read by the rules of 1.0. */
const OPTIONS = { xmlns: true, position: false, defaultXMLVersion: '1.0', forceXMLVersion: true } as const;

export type SaxParser = SaxesParser<typeof OPTIONS>;

/**
 * The parser stores its event handlers under computed names, and from the seventh on V8 turns it into a dictionary, five
 * to seven times slower. Declared as fields they keep it fast. A field that the library renames costs speed only.
 */
class FastSaxParser extends (SaxesParser as new (options: typeof OPTIONS) => object) {
  xmldeclHandler = undefined;
  textHandler = undefined;
  piHandler = undefined;
  doctypeHandler = undefined;
  openTagStartHandler = undefined;
  attributeHandler = undefined;
  openTagHandler = undefined;
  closeTagHandler = undefined;
  cdataHandler = undefined;
}

export const createSaxParser = (): SaxParser => new FastSaxParser(OPTIONS) as unknown as SaxParser;
